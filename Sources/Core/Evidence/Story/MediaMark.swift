/// How one kind of a system's frames shows in the lanes of a run's picture.
public struct MediaMark: Sendable {
    /// A stretch of sound at a phone's speaker.
    public struct Sound: Sendable {
        /// The lane's row.
        public var row: String
        /// What the stretch is called.
        public var label: String
        /// When its first sample leaves the speaker, in nanoseconds since the run's beginning.
        public var heardNanoseconds: Int64
        /// How many samples it has, at 48 kHz.
        public var sampleCount: Int64

        /// Describes a stretch of sound.
        public init(row: String, label: String, heardNanoseconds: Int64, sampleCount: Int64) {
            self.row = row
            self.label = label
            self.heardNanoseconds = heardNanoseconds
            self.sampleCount = sampleCount
        }
    }

    /// The kind of record.
    public let kind: TraceKind
    /// What a record of it draws, given the name of its subject.
    public let sound: @Sendable (TraceRecord, _ subject: String) -> Sound

    /// Describes how records of a kind are drawn.
    public init(
        _ form: (some TraceForm).Type,
        sound: @escaping @Sendable (TraceRecord, _ subject: String) -> Sound
    ) {
        kind = form.kind
        self.sound = sound
    }
}
