public import SansIO

/// When and where in a run a sample arose, and which record brought it about.
public struct Occurrence: Sendable {
    /// From when to when; of an instant both are the same.
    package var span: Span
    /// The component that it happened to, if it was one.
    package var component: ComponentIndex
    /// Whom else it concerns, if anybody.
    package var subject: ComponentIndex
    /// The record that brought it about, if one did.
    package var record: TraceRecord?

    /// Describes what one record shows.
    public init(_ record: TraceRecord) {
        let instant = record.instant.nanoseconds
        self.init(
            Span(start: instant, end: instant),
            of: record.component,
            about: record.subject,
            record
        )
    }

    /// Describes what lasted from one instant to another.
    ///
    /// - Parameters:
    ///   - from: When it began.
    ///   - until: When it ended.
    ///   - component: To whom it happened.
    ///   - subject: Whom else it concerns, if anybody.
    ///   - record: The record that brought it about, if one did.
    public init(
        from: Instant,
        until: Instant,
        of component: ComponentIndex,
        about subject: ComponentIndex = .none,
        _ record: TraceRecord? = nil
    ) {
        self.init(
            Span(start: from.nanoseconds, end: until.nanoseconds),
            of: component,
            about: subject,
            record
        )
    }

    package init(
        _ span: Span,
        of component: ComponentIndex,
        about subject: ComponentIndex = .none,
        _ record: TraceRecord? = nil
    ) {
        self.span = span
        self.component = component
        self.subject = subject
        self.record = record
    }
}

/// A sample of a run with when and where it arose, in words that outlive the run.
public struct LocatedSample: Sendable, Equatable, Codable {
    /// The run's seed, once it is known.
    public var seed: UInt64?
    /// The sample, or what one observation adds to a sum, in the metric's unit; shares have none.
    public var value: Int64?
    /// When it begins, in nanoseconds since the run's beginning.
    public var from: Int64
    /// When it ends.
    public var until: Int64
    /// The component that it happened to, if it was one.
    public var component: String?
    /// Whom else it concerns, if anybody.
    public var subject: String?
    /// The record that brought it about as a line of the trace, if one did.
    public var cause: String?

    /// Describes a sample.
    public init(
        seed: UInt64? = nil,
        value: Int64?,
        from: Int64,
        until: Int64,
        component: String? = nil,
        subject: String? = nil,
        cause: String? = nil
    ) {
        self.seed = seed
        self.value = value
        self.from = from
        self.until = until
        self.component = component
        self.subject = subject
        self.cause = cause
    }

    package init(value: Int64?, _ occurrence: Occurrence, _ lines: TraceLines) {
        func name(_ index: ComponentIndex) -> String? {
            index == .none ? nil : lines.directory.name(of: index)
        }
        self.init(
            value: value,
            from: occurrence.span.start,
            until: occurrence.span.end,
            component: name(occurrence.component),
            subject: name(occurrence.subject),
            cause: occurrence.record.map { lines.line($0) }
        )
    }

    /// Orders samples of one value: the lowest seed first, then the earliest.
    package static func precedes(_ left: LocatedSample, _ right: LocatedSample) -> Bool {
        let (one, other) = (left.seed ?? 0, right.seed ?? 0)
        guard one == other else { return one < other }
        return (left.from, left.component ?? "", left.subject ?? "")
            < (right.from, right.component ?? "", right.subject ?? "")
    }
}
