public import CoachExchange
public import WakeFlow

// What the server is told of wakes, nudges and guides: each under a name that makes it count once.

extension SummaryReport {
    /// Makes the report of a summary; its id follows from the summary's key, so that the server keeps one of each.
    public init(_ summary: OfflineSummary) {
        self.init(
            id: ReportID.text(of: summary.key),
            began: summary.beganAt,
            ended: summary.endedAt,
            lines: summary.lines,
            heard: summary.heard
        )
    }
}

extension MetricEvent {
    /// Makes the event of a fact, of which the server counts each key of a device once; `nil` for a fact that it
    /// does not count.
    ///
    /// - Parameters:
    ///   - fact: What happened.
    ///   - device: The device's name, since keys are distinct on one device only.
    public init?(_ fact: CoachFact, of device: String) {
        guard let name = Name(rawValue: fact.kind.rawValue) else { return nil }
        let id = "\(device)-\(ReportID.text(of: fact.key))"
        self.init(id: id, name: name, time: fact.time)
    }
}

/// Ids as the server takes them: letters, digits and dashes.
private enum ReportID {
    static func text(of key: String) -> String { String(key.map { $0 == "/" ? "-" : $0 }) }
}
