/// Says which law of the contract a machine broke, and after which seed and step.
public struct LawViolation: Error, Equatable, CustomStringConvertible {
    /// The law's name, such as `"L3"`.
    public var law: String
    /// The seed that shows it.
    public var seed: UInt64
    /// The step at which it showed, from 0.
    public var step: Int
    /// What happened, in one sentence.
    public var what: String

    /// The violation in one line.
    public var description: String {
        "law \(law) broken with seed \(seed) at step \(step): \(what)"
    }
}
