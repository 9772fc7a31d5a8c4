public import KodamaEvidence

extension EvidenceSystem {
    /// The voice session: the app, the SDK, the servers and the agent.
    static let session: EvidenceSystem = {
        var system = EvidenceSystem(
            .session,
            forms: [
                StatusShown.self, AudioFlowing.self, AudioStopped.self, VoiceHeard.self,
                TokenRequested.self, TokenAnswered.self, ConnectBegan.self, ConnectEnded.self,
                RoomLeft.self, RoomDisconnected.self, RoomStateChanged.self, LossDetected.self,
                AttemptBegan.self, AttemptSignalled.self, AttemptConnected.self, AttemptEnded.self,
                AttemptWaiting.self, OfflineHandedOver.self, OfflineTakenBack.self,
                OfflineEnded.self, ParticipantJoined.self, ParticipantResumed.self,
                ParticipantActive.self, ParticipantLeft.self, JoinRefused.self, AgentJoined.self,
                AgentClosed.self, AnswerBegan.self, AnswerEnded.self, AnswerHeard.self,
                ProbeSent.self, ProbeAnswered.self,
                SoundOrdered.self, SoundTaken.self, RoomLacking.self, SignInShown.self,
                SoundOpened.self, SoundMadeUp.self,
                Interjected.self, AgentFellSilent.self,
            ],
            meter: SessionMeter.self,
            narrator: SessionNarrator.self
        )
        system.faults = WorldFault.servers
        system.acts = UserAct.session
        system.warnings = StatusShown.warnings
        system.moments = SoundMoments.self
        system.heardFaults = [
            HeardFault(
                "session.sound.onset.clipped.time",
                "onset clipped",
                beyond: .milliseconds(20)
            ),
            HeardFault("session.sound.never_played.time", "never played"),
            HeardFault("session.sound.made_up.time", "stall, made up"),
        ]
        return system
    }()
}

extension SystemID {
    /// The voice session.
    @inlinable package static var session: SystemID { SystemID(5) }
}
