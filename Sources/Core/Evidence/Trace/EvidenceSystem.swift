/// What a system brings to the evidence: the forms of its records, its metrics and invariants, and the
/// sentences that explain its runs.
public struct EvidenceSystem: Sendable {
    /// The byte that its kinds of record share.
    public let id: SystemID
    /// The forms of its records, in any order.
    public let forms: [any TraceForm.Type]
    /// What measures and checks its runs, if anything does.
    public let meter: (any SystemMeter.Type)?
    /// What explains its records in sentences, if anything does.
    public let narrator: (any SystemNarrator.Type)?
    /// How its frames show in a run's picture.
    public var marks: [MediaMark] = []
    /// What its records change that a run's picture shows.
    public var states: [LaneState] = []
    /// The words of statuses that an app shows as warnings.
    public var warnings: [String] = []
    /// Shares of its metrics that multiply.
    public var chains: [MetricChain] = []
    /// What is done to its servers and apps.
    public var faults: [WorldFault] = []
    /// What users do in its apps, beside what the core knows.
    public var acts: [UserAct] = []
    /// What finds the moments that are worth listening to, if there are any.
    public var moments: (any MomentFinder.Type)?
    /// The metrics whose samples are faults that a listener hears.
    public var heardFaults: [HeardFault] = []

    /// Describes a system; the kinds of its forms must all be its own.
    public init(
        _ id: SystemID,
        forms: [any TraceForm.Type],
        meter: (any SystemMeter.Type)? = nil,
        narrator: (any SystemNarrator.Type)? = nil
    ) {
        precondition(
            forms.allSatisfy { $0.kind.system == id },
            "a system has forms of another one"
        )
        self.id = id
        self.forms = forms
        self.meter = meter
        self.narrator = narrator
    }
}

/// A system's byte in the kinds of its records.
@frozen
public struct SystemID: Sendable, Hashable, BitwiseCopyable {
    /// The byte.
    public let byte: UInt8

    /// Names the system that has this byte; the shipped ones stand in `Systems.swift`.
    @inlinable
    public init(_ byte: UInt8) {
        self.byte = byte
    }
}
