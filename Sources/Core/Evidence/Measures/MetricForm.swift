/// The forms of findings.
public enum MetricForm: String, Sendable, Hashable, CaseIterable, Codable {
    /// Samples with quantiles.
    case distribution
    /// A part of a whole.
    case proportion
    /// A sum of things.
    case count

    /// Whether `statistic` can be computed from a finding of this form.
    public func offers(_ statistic: Statistic) -> Bool {
        switch (self, statistic) {
        case (_, .count): true
        case (.distribution, .value): false
        case (.distribution, _): true
        case (_, .value): true
        case (_, _): false
        }
    }
}
