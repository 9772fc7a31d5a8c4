public import KodamaLanguage

/// Draws whole worlds: phones, apps, links, people, acts and a random subset of faults; then a quiet phase in
/// which everything that was promised must hold again.
///
/// Swarm testing (Groce et al., ISSTA 2012): what a world leaves out matters as much as what it has, so each
/// kind of app, act and fault is in every other world only.
public struct SwarmWorld: Sendable {
    /// The systems, with what they say of random worlds, sorted by name.
    let systems: [(name: String, part: SwarmPart)]
    let language: Vocabularies

    /// Makes worlds with these systems' apps.
    ///
    /// - Parameters:
    ///   - registry: The systems that the program knows.
    ///   - names: The systems whose apps phones may have; all that can be drawn if empty.
    public init(_ registry: SystemRegistry, only names: [String] = []) {
        systems = registry.systems
            .compactMap { system in system.swarm.map { (name: system.name, part: $0) } }
            .filter { names.isEmpty || names.contains($0.name) }
            .sorted { $0.name < $1.name }
        language = registry.language
    }

    /// The systems whose apps can be drawn.
    public var names: [String] { systems.map(\.name) }

    /// The key under which a document says when its quiet phase begins.
    package static let quietKey = "x-quiet"

    /// The key under which an entry of the timeline says what it ends.
    package static let endsKey = "x-ends"

    /// Draws the world with that seed, as a scenario.
    public func document(seed: UInt64) -> DocumentNode {
        let cast = SwarmCast(self, SwarmDraw(seed: seed))
        let acts = cast.acts
        var document: DocumentNode = [
            "version": "2",
            "scenario": .plain("swarm-\(seed)"),
            "first_seed": .plain("\(seed)"),
            "duration": .plain("\(cast.phases.endSeconds)s"),
            Self.quietKey: .plain("\(cast.phases.quietSeconds)s"),
        ]
        if let clock = cast.clock { document[key: "clock"] = .value(clock, isQuoted: false) }
        if let voice = cast.voice { document[key: "voice"] = .plain(voice) }
        let lists: [(String, [DocumentNode])] = [
            ("phones", cast.phones), ("links", cast.links), ("people", cast.people),
            ("walks", cast.walks), ("talk", cast.talk),
            ("timeline", acts + cast.settling(after: acts)), ("faults", cast.faults),
            ("expect", cast.expectations),
        ]
        for (key, nodes) in lists where !nodes.isEmpty { document[key: key] = .list(nodes) }
        return document
    }
}
