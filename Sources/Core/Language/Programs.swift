/// What the command line lets systems run beside the simulator.
///
/// A scenario only names labels: a file alone never starts a program.
public struct Programs: Sendable {
    /// The shell command of each label.
    public var commands: [String: String]
    /// What was said to and by the programs of an earlier run, by component: it is read instead of starting
    /// any.
    public var transcripts: [String: [String]]?
    /// How long a program may take for an answer, in milliseconds of real time, before it counts as hanging.
    public var patienceMilliseconds = 10_000
    /// Seeds pauses in real time that no result may depend on; `nil` for none.
    public var pauseSeed: UInt64?

    /// Lets these commands run, by label; none if nothing is said.
    public init(commands: [String: String] = [:], transcripts: [String: [String]]? = nil) {
        self.commands = commands
        self.transcripts = transcripts
    }
}
