extension EvidenceSystem {
    /// The intercom: groups, gates, and the voice frames between phones.
    public static let voice = EvidenceSystem(
        .voice,
        forms: [
            GroupJoined.self, GroupLeft.self, GateChanged.self, TargetChanged.self,
            FrameCaptured.self, FramePlayed.self, FrameConcealed.self, FrameDiscarded.self,
        ],
        meter: VoiceMeter.self
    )
}
