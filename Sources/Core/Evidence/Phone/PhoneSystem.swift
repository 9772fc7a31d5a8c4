extension EvidenceSystem {
    /// The phone: its system and the processes of its apps.
    public static let phone = EvidenceSystem(
        .phone,
        forms: [
            AppLaunched.self, AppTerminated.self, SceneChanged.self, PathNoticed.self,
            MusicChanged.self, AudioRouted.self, PhoneCallHeld.self, MicrophoneChanged.self,
            AudioModeChanged.self, CallAudioChanged.self,
        ],
        meter: PhoneMeter.self,
        narrator: PhoneNarrator.self
    )
}
