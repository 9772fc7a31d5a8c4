import KodamaEvidence

extension EvidenceSystem {
    /// Calls between users: pushes, the call screen, voice.
    static let calls: EvidenceSystem = {
        var system = EvidenceSystem(
            .calls,
            forms: [
                PushSent.self, PushAccepted.self, PushRefused.self, PushReceived.self,
                PushUnreported.self, PushesBlocked.self, PushDropped.self, DeviceRegistered.self,
                PushTokenReplaced.self, EndSignalled.self,
                CallPlaced.self, CallRinging.self, CallRingEnded.self, CallTaken.self,
                CallOver.self, CallConnected.self, CallEnded.self, CallVoiceFlowing.self,
                CallVoiceStopped.self, MissedCallShown.self, CallTold.self,
                MicrophoneExplained.self,
            ],
            meter: CallMeter.self,
            narrator: CallNarrator.self
        )
        system.acts = UserAct.calls
        system.heardFaults = [
            HeardFault("call.sound.onset.clipped.time", "onset clipped", beyond: .milliseconds(20)),
            HeardFault("call.sound.never_played.time", "never played"),
            HeardFault("call.sound.made_up.time", "stall, made up"),
        ]
        return system
    }()
}

extension SystemID {
    /// Calls between users.
    static var calls: SystemID { SystemID(6) }
}
