/// The systems' vocabularies, which together make up the scenario language: a value, so that a test
/// can add a system of its own.
///
/// Whatever is listed of them is sorted by name; the order in which systems are registered never
/// shows.
public struct Vocabularies: Sendable {
    /// The words of the core itself: phones, radios and links.
    public static let core = Vocabularies([.network, .phone])

    /// The vocabularies, sorted by the systems' names.
    let systems: [Vocabulary]
    /// Everything that can be tuned, system by system.
    public let parameters: ParameterCatalog
    /// The verbs of the timeline, sorted by key.
    let verbs: [Verb]
    /// What can go wrong by chance, sorted by name.
    let chances: [Chance]
    /// What users can do, sorted by word; what is done in several systems' apps stands once for each.
    let userWords: [UserWord]

    /// Registers vocabularies; the names of systems, verbs, chances and parameters must be unique, and
    /// a user's acts unless each is done inside another system's app.
    package init(_ systems: [Vocabulary]) {
        self.systems = systems.sorted { $0.system < $1.system }
        parameters = ParameterCatalog(joining: self.systems.map(\.parameters))
        verbs = systems.flatMap(\.verbs).sorted { $0.key < $1.key }
        chances = systems.flatMap(\.chances).sorted { $0.name < $1.name }
        userWords = systems.flatMap(\.userWords).inOrder
        for names in [
            systems.map(\.system), verbs.map(\.key), chances.map(\.name),
            parameters.parameters.map(\.name),
        ] {
            precondition(Set(names).count == names.count, "two systems share a name")
        }
        precondition(userWords.areUnambiguous, "a word of users has two meanings")
    }

    /// These vocabularies and more.
    package static func + (vocabularies: Vocabularies, more: [Vocabulary]) -> Vocabularies {
        Vocabularies(vocabularies.systems + more)
    }

    /// The systems that have an app.
    var apps: [AppShape] { systems.compactMap(\.app) }

    /// The chapters that lead from nothing to a gate that fails.
    var tours: [String] { systems.compactMap(\.tour) }

    /// The systems that have a scenario to begin with, and each one's, sorted by name.
    package var starts: [(system: String, scenario: String)] {
        systems.compactMap { system in system.start.map { (system.system, $0) } }
    }

    /// Why a world gives a metric or an invariant no data; `nil` if it may.
    func lack(of name: String, in plan: WorldPlan) -> String? {
        systems.lazy.flatMap(\.dataNeeds).compactMap { $0.lack(of: name, in: plan) }.first
    }

    /// Whether no sample of a metric is a single phone's.
    func isPhoneless(_ metric: String) -> Bool {
        systems.contains { $0.phonelessMetrics.contains(metric) }
    }

    /// A preset's figures.
    public func tuning(of preset: Preset) -> Tuning {
        var tuning = Tuning()
        for system in systems where preset == .asSpecified { system.asSpecified(&tuning) }
        return tuning
    }
}
