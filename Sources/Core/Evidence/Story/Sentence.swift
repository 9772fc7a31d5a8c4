public import SansIO

/// One thing that happened in a run, as a person would say it.
public struct Sentence: Sendable, Equatable {
    /// What came before and led to it.
    public struct Cause: Sendable, Equatable {
        /// When it happened.
        public var at: Instant
        /// What it was, as it follows "after", such as `the path was back`.
        public var text: String

        /// Describes a cause.
        public init(at: Instant, _ text: String) {
            self.at = at
            self.text = text
        }
    }

    /// When it happened.
    public var at: Instant
    /// To whom: a phone, a link or a server; `nil` for the run as a whole.
    public var component: String?
    /// What led to it, if one thing did.
    public var cause: Cause?
    /// What happened, without a capital or a full stop.
    public var text: String

    /// Says that something happened.
    public init(at: Instant, of component: String?, after cause: Cause? = nil, _ text: String) {
        self.at = at
        self.component = component
        self.cause = cause
        self.text = text
    }

    /// How long after its cause it happened, in nanoseconds.
    public var sinceCause: Int64? { cause.map { $0.at.duration(to: at).wholeNanoseconds } }

    /// The whole sentence, cause first.
    public var line: String {
        guard let cause, let sinceCause else { return Self.capitalized(text) + "." }
        return "\(MetricUnit.nanoseconds.text(sinceCause)) after \(cause.text): \(text)."
    }

    private static func capitalized(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}
