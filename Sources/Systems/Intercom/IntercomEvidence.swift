package import KodamaEvidence

extension EvidenceSystem {
    /// The intercom: groups, gates, and the voice frames between phones.
    package static let intercom: EvidenceSystem = {
        var system = EvidenceSystem(
            .intercom,
            forms: [
                GroupJoined.self, GroupLeft.self, GateChanged.self, TargetChanged.self,
                FrameCaptured.self, FramePlayed.self, FrameConcealed.self, FrameDiscarded.self,
                PeerRadioSwitched.self, ConnectionUp.self, ConnectionDown.self, ConnectionCut.self,
                MemberJoined.self, MemberRefused.self, MatchRefused.self, HandoverMoved.self,
                PathMeasured.self, PathJudged.self, CardShown.self, InternetShown.self,
                InviteAnswered.self, PacketRefused.self, EdgeSounded.self, MemberIdentified.self,
                GroupUnopened.self, InviteUnmade.self, MicrophoneMuted.self,
                SpoiltArrived.self, SignShown.self, GroupHeld.self,
            ],
            meter: IntercomMeter.self,
            narrator: IntercomNarrator.self
        )
        system.marks = [.played, .concealed]
        system.states = [.way]
        system.moments = HandoverMoments.self
        system.heardFaults = [
            // What K-15 allows is not marked.
            HeardFault(
                "voice.onset.clipped.sender.time",
                "onset clipped before it was sent",
                beyond: .milliseconds(20),
                isOfTalker: true
            ),
            HeardFault(
                "voice.onset.clipped.listener.time",
                "onset clipped",
                beyond: .milliseconds(20)
            ),
            HeardFault("voice.speech.gap.time", "never played"),
            HeardFault("voice.concealed.run.time", "stall, made up"),
        ]
        return system
    }()
}

extension SystemID {
    /// The intercom.
    static var intercom: SystemID { SystemID(4) }
}
