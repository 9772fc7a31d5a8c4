/// The opportunities of a link trace: milliseconds at which up to 1,504 bytes may leave, repeated.
///
/// The format is that of mahimahi (Netravali et al., USENIX ATC 2015): one whole number of
/// milliseconds per line, one opportunity per line, several lines for several opportunities within
/// one millisecond.
public struct DeliveryTrace: Sendable, Equatable {
    /// What one opportunity carries: the packet of mahimahi's `link_queue.hh`.
    public static let opportunityBytes = 1_504

    /// The name for reports.
    public var name: String
    /// Milliseconds since the start of the trace, never falling; the last one is the period.
    public var milliseconds: [Int32]

    /// Makes a trace; see `DeliveryTrace.parse` for checked input.
    public init(name: String, milliseconds: [Int32]) {
        self.name = name
        self.milliseconds = milliseconds
    }

    /// Reads a trace in mahimahi's format.
    ///
    /// Lines end in a line feed, which a carriage return may precede, the last one with or without it;
    /// nothing but digits is allowed.
    ///
    /// - Parameters:
    ///   - text: The file's text.
    ///   - name: The name for reports and errors, such as the file's.
    /// - Returns: A trace without faults.
    /// - Throws: What is wrong with which lines.
    public static func parse(
        _ text: String,
        name: String
    ) throws(TraceParseError) -> DeliveryTrace {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true {
            lines.removeLast()
        }
        var milliseconds: [Int32] = []
        milliseconds.reserveCapacity(lines.count)
        var problems: [TraceParseError.Problem] = []
        for (index, var line) in lines.enumerated() {
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            switch read(line, after: milliseconds.last) {
            case .success(let value): milliseconds.append(value)
            case .failure(let problem): problems.append(.init(line: index + 1, kind: problem))
            }
        }
        if problems.isEmpty {
            if lines.isEmpty {
                problems.append(.init(line: 1, kind: .noOpportunity))
            } else if milliseconds.last == 0 {
                problems.append(.init(line: lines.count, kind: .zeroPeriod))
            }
        }
        guard problems.isEmpty else { throw TraceParseError(name: name, problems: problems) }
        return DeliveryTrace(name: name, milliseconds: milliseconds)
    }

    private static func read(
        _ line: Substring.UTF8View,
        after previous: Int32?
    ) -> Result<Int32, TraceParseError.Kind> {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard !line.isEmpty, line.allSatisfy(digits.contains), let value = Int32(Substring(line))
        else {
            return .failure(.notMilliseconds(found: String(Substring(line))))
        }
        if let previous, value < previous {
            return .failure(.falling(found: value, previous: previous))
        }
        return .success(value)
    }

    var faults: [String] {
        guard let first = milliseconds.first, let period = milliseconds.last else {
            return ["the trace \(name) has no opportunity"]
        }
        var faults: [String] = []
        if first < 0 {
            faults.append("the trace \(name) starts before 0 ms")
        }
        if period <= 0 {
            faults.append("the trace \(name) lasts \(period) ms")
        }
        if zip(milliseconds, milliseconds.dropFirst()).contains(where: { $0 > $1 }) {
            faults.append("the trace \(name) goes back in time")
        }
        return faults
    }
}
