/// What a system adds to the scenario language.
public struct Vocabulary: Sendable {
    /// The system's name, which is its app's too.
    package let system: String
    /// The app that phones can have, if the system has one.
    public var app: AppShape?
    /// What the timeline can order.
    public var verbs: [Verb] = []
    /// What the user of a phone can do.
    package var userWords: [UserWord] = []
    /// What can go wrong by chance.
    package var chances: [Chance] = []
    /// The names of the components that are there besides phones where a phone has the app; nothing
    /// else may have them.
    public var servers: [String] = []
    /// The names of other servers that come along, to which the app does not talk; nothing else may
    /// have them either.
    package var bystanders: [String] = []
    /// What can be tuned.
    public var parameters = ParameterCatalog([])
    /// What its metrics and invariants cannot do without; of several that hold, the first is said.
    package var dataNeeds: [DataNeed] = []
    /// The metrics whose samples are no single phone's: of several phones at once, or of a server.
    package var phonelessMetrics: [String] = []
    /// Reports what the orders of the timeline get wrong together, given the scenario's root.
    package var review: (@Sendable ([PlanBuilder.Order], CheckedValue, inout PlanBuilder) -> Void)?
    /// A commented scenario to begin with, from its `summary:` on; `kodama init` writes what goes before.
    public var start: String?
    /// A chapter of the guide that leads from nothing to a gate that fails, as Markdown.
    public var tour: String?
    /// Sets the figures of the preset `as-specified`, where the source designs have others.
    package var asSpecified: @Sendable (inout Tuning) -> Void = { _ in }

    /// A sentence of something, and without which system's app it cannot be.
    static func meaning(_ summary: String, needing system: String?) -> String {
        system.map { "\(summary) Needs the \($0) app." } ?? summary
    }

    /// Makes an empty vocabulary.
    public init(of system: String) {
        self.system = system
    }
}
