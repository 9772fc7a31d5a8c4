public import KodamaEvidence

/// Everything that one system brings to Kodama: the single value by which it is registered.
///
/// A system is a kind of app with its servers, such as voice sessions or calls. Its module declares one
/// of these values; a command line knows the systems whose values its `main` passes.
public struct KodamaSystem: Sendable {
    /// The system's name, which is its app's on a phone too; empty for servers without an app.
    public let name: String
    /// The records, metrics, invariants and sentences.
    public let evidence: EvidenceSystem?
    /// The words of the scenario language.
    public let vocabulary: Vocabulary?
    /// What makes the apps and servers of a run, if the system has any.
    public let host: (any SystemHost.Type)?
    /// The names of the systems on which this one stands, and without which it cannot be registered.
    public let needs: [String]
    /// The libraries on whose versions the bytes of a run depend, such as `libopus 1.4`.
    public let libraries: [String]
    /// Makes samples at 16 kHz of recorded voices (G.722 at 64 kbit/s); at most one system brings it.
    public let decoder: (@Sendable ([UInt8]) -> [Int16])?
    /// A scenario that shows whether a program keeps to the system's protocol; its label there is `checked`.
    public let conformance: String?
    /// What random worlds need to know of it; `nil` if they are without its app.
    public let swarm: SwarmPart?
    /// How it makes scenarios out of production logs, if it reads any.
    public let log: LogPart?
    /// Where the value was made, for messages.
    let origin: String

    /// Describes a system.
    ///
    /// - Parameters:
    ///   - name: The system's name.
    ///   - needs: The names of the systems on which it stands.
    ///   - evidence: Its records, metrics, invariants and sentences.
    ///   - vocabulary: Its words of the scenario language.
    ///   - host: What makes its apps and servers.
    ///   - libraries: The libraries, with their versions, on which the bytes of a run depend.
    ///   - decoder: Makes samples at 16 kHz of recorded voices (G.722 at 64 kbit/s), for a system whose
    ///     apps record real voices.
    ///   - conformance: A scenario that shows whether a program labelled `checked` keeps to its protocol.
    ///   - swarm: What random worlds need to know of it.
    ///   - log: How it makes scenarios out of production logs.
    ///   - file: Where the value is made, for messages.
    ///   - line: The line there.
    public init(
        _ name: String,
        needs: [String] = [],
        evidence: EvidenceSystem? = nil,
        vocabulary: Vocabulary? = nil,
        host: (any SystemHost.Type)? = nil,
        libraries: [String] = [],
        decoder: (@Sendable ([UInt8]) -> [Int16])? = nil,
        conformance: String? = nil,
        swarm: SwarmPart? = nil,
        log: LogPart? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.name = name
        self.needs = needs
        self.evidence = evidence
        self.vocabulary = vocabulary
        self.host = host
        self.libraries = libraries
        self.decoder = decoder
        self.conformance = conformance
        self.swarm = swarm
        self.log = log
        origin = "\(file):\(line)"
    }
}

/// What makes a system's apps and servers in a run.
///
/// The world refines it by what it asks of a host; a plan only carries the type.
public protocol SystemHost: AnyObject, SendableMetatype {
    /// The name of the system whose apps it makes.
    static var name: String { get }
}

/// The systems that a command line knows, and the catalogues that they make together.
///
/// Made once and shared: two registries are equal only if they are one.
public final class SystemRegistry: Sendable, Equatable {
    /// The core alone, without any system.
    public static let core = SystemRegistry([])

    /// The systems, in the order in which they were registered; the order never shows.
    public let systems: [KodamaSystem]
    /// Records, metrics and invariants of the core and of all systems.
    public let evidence: Systems
    /// The scenario language of the core and of all systems.
    public let language: Vocabularies
    /// What the command line lets them run.
    public let programs: Programs

    /// Registers systems; a name that two of them declare is a mistake in the program (`conflicts`).
    public init(_ systems: [KodamaSystem], programs: Programs = Programs()) {
        self.systems = systems
        self.programs = programs
        evidence = .core + systems.compactMap(\.evidence)
        language = .core + systems.compactMap(\.vocabulary)
    }

    /// The same systems with other programs to run.
    public func with(_ programs: Programs) -> SystemRegistry {
        SystemRegistry(systems, programs: programs)
    }

    /// The libraries of all systems, with their versions, sorted.
    public var libraries: [String] { systems.flatMap(\.libraries).sorted() }

    /// What makes samples of recorded voices, if one of the systems brings it.
    public var decoder: (@Sendable ([UInt8]) -> [Int16])? {
        systems.lazy.compactMap(\.decoder).first
    }

    /// Whether both are the same registry.
    public static func == (left: SystemRegistry, right: SystemRegistry) -> Bool { left === right }

    /// Why these systems cannot be registered together, in sentences; to be asked before they are.
    ///
    /// Two of them, or one of them and the core, may declare one name; one may need another that is missing,
    /// or have words of the language of which nothing would come.
    public static func conflicts(among systems: [KodamaSystem]) -> [String] {
        var conflicts = Conflicts()
        conflicts.claim(
            Vocabularies.core.systems.flatMap(\.claims) + EvidenceSystem.core.flatMap(\.claims),
            for: "the core"
        )
        for system in systems { conflicts.claim(system.claims, for: system.origin) }
        let evidence = EvidenceSystem.core + systems.compactMap(\.evidence)
        for fault in evidence.flatMap(\.faults) {
            conflicts.claim(fault.claims, for: fault.origin)
        }
        for act in evidence.flatMap(\.acts) { conflicts.claim(act.claims, for: act.origin) }
        let names = systems.map(\.name)
        for system in systems {
            conflicts.sentences += system.idleWords
            for need in system.needs where !names.contains(need) {
                conflicts.sentences.append(
                    "'\(system.name)' (\(system.origin)) needs '\(need)', which is not registered"
                )
            }
        }
        // Meters may only be made where each kind of record is one system's.
        guard conflicts.sentences.isEmpty else { return conflicts.sentences }
        conflicts.sentences += ambiguousWords(of: systems)
        guard conflicts.sentences.isEmpty else { return conflicts.sentences }
        let measuring = systems.filter { $0.evidence != nil }
        let origins = ["the core"] + measuring.map(\.origin)
        let measured = Systems.measured(by: measuring.compactMap(\.evidence))
        for (origin, words) in zip(origins, measured) { conflicts.claim(words, for: origin) }
        return conflicts.sentences
    }

    /// The words for what a user does that have two meanings, in sentences with where each is declared.
    private static func ambiguousWords(of systems: [KodamaSystem]) -> [String] {
        let core = Vocabularies.core.systems.flatMap(\.userWords).map { ($0, "the core") }
        let words =
            core
            + systems.flatMap { system in
                (system.vocabulary?.userWords ?? []).map { ($0, system.origin) }
            }
        return Dictionary(grouping: words, by: \.0.word).sorted { $0.key < $1.key }
            .filter { !$0.value.map(\.0).areUnambiguous }
            .map { word, meanings in
                "the word '\(word)' of users is declared by "
                    + meanings.map(\.1).joined(separator: " and by ")
            }
    }
}

/// Who declares what, and what two declare.
private struct Conflicts {
    private var owners: [String: String] = [:]
    var sentences: [String] = []

    mutating func claim(_ names: [String], for origin: String) {
        for name in names {
            if let other = owners.updateValue(origin, forKey: name) {
                sentences.append("\(name) is declared by \(other) and by \(origin)")
            }
        }
    }
}

extension KodamaSystem {
    /// What must be its own among all systems, in words, but for what it measures.
    fileprivate var claims: [String] {
        let name = name.isEmpty ? [] : ["the system '\(name)'"]
        let sound = decoder == nil ? [] : ["the decoder of recorded voices"]
        return name + sound + (evidence?.claims ?? []) + (vocabulary?.claims ?? [])
    }
}

extension KodamaSystem {
    /// What it offers to scenarios although nothing performs it, in sentences.
    fileprivate var idleWords: [String] {
        guard let vocabulary else { return [] }
        let owner = "'\(name)' (\(origin))"
        var sentences: [String] = []
        if vocabulary.system != name {
            sentences.append("the vocabulary of \(owner) is called '\(vocabulary.system)'")
        }
        if let host {
            if host.name != name {
                sentences.append("the host of \(owner) makes apps of '\(host.name)'")
            }
        } else {
            sentences += vocabulary.performed.map { "\(owner) has \($0), but no host performs it" }
        }
        return sentences
    }
}

extension EvidenceSystem {
    fileprivate var claims: [String] {
        ["the system number \(id.byte)"] + forms.map { "the record '\($0.text.name)'" }
            + forms.map { "the kind of record \($0.kind.code)" }
    }
}

extension Vocabulary {
    /// What a host of the system makes or does, in words.
    fileprivate var performed: [String] {
        (app.map { ["the app '\($0.system)'"] } ?? []) + verbs.map { "the verb '\($0.key)'" }
            + userWords.map { "the word '\($0.word)' of users" }
            + chances.map { "the chance '\($0.name)'" }
    }

    fileprivate var claims: [String] {
        verbs.map { "the verb '\($0.key)'" } + chances.map { "the chance '\($0.name)'" }
            + parameters.parameters.map { "the parameter '\($0.name)'" }
    }
}
