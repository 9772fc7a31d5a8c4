public import SansIO

/// A kind of record with a name for each of its values.
///
/// The stored properties are the values, in their order: up to four, 8 bytes each (`Int64`, `Instant`,
/// `TraceWord`, `TraceFlag`), so that they are a record's values without being converted.
public protocol TraceForm: Sendable, BitwiseCopyable {
    /// The kind of its records.
    static var kind: TraceKind { get }
    /// What its records and their values are called.
    static var text: TraceFormText { get }
}

extension TraceForm {
    /// Reads the values of a record of this kind.
    @inlinable
    public init(_ record: TraceRecord) {
        precondition(record.kind == Self.kind, "the record is of another kind")
        self = withUnsafeBytes(of: record.values) { $0.load(as: Self.self) }
    }

    /// The values of a record; unused ones are 0.
    @inlinable
    package var values: SIMD4<Int64> {
        var values = SIMD4<Int64>.zero
        withUnsafeMutableBytes(of: &values) { $0.storeBytes(of: self, as: Self.self) }
        return values
    }
}

extension TraceRecord {
    /// Makes the record of a form.
    ///
    /// - Parameters:
    ///   - form: What happened.
    ///   - instant: When.
    ///   - component: To whom.
    ///   - subject: Whom else it concerns, if anybody.
    @inlinable
    public init<Form: TraceForm>(
        _ form: Form,
        at instant: Instant,
        of component: ComponentIndex,
        about subject: ComponentIndex = .none
    ) {
        self.init(Form.kind, at: instant, of: component, about: subject, form.values)
    }
}
