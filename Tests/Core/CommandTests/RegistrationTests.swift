import Testing

@testable import KodamaEvidence
@testable import KodamaLanguage

@Suite("Systems that cannot be registered together are refused in sentences")
struct RegistrationTests {
    /// Something that happens in a system that nobody ships.
    private struct Rang: TraceForm {
        static let kind = TraceKind(SystemID(201), 0)
        static let text = TraceFormText("bell.rang", .milestone, "The bell rang.")
    }

    /// A record of the same name, of another system.
    private struct RangElsewhere: TraceForm {
        static let kind = TraceKind(SystemID(202), 0)
        static let text = TraceFormText("bell.rang", .milestone, "Another bell rang.")
    }

    private struct Meter: SystemMeter {
        init(_ directory: TraceDirectory) {}
        mutating func record(contentsOf records: [TraceRecord], from position: Int) {}
        var metrics: [any AnyMeasure] {
            [Measure.time("bell.time", "How long it rings.", "The test")]
        }
    }

    private final class BellHost: SystemHost {
        static let name = "bell"
    }

    private final class GongHost: SystemHost {
        static let name = "gong"
    }

    private enum BellAct: SystemAct {
        case ring
    }

    private struct Loudness: Tunable {
        var share = 1
    }

    private static func vocabulary(
        _ system: String = "bell",
        verb: String? = nil,
        parameter: String? = nil
    ) -> Vocabulary {
        var vocabulary = Vocabulary(of: system)
        if let verb {
            vocabulary.verbs = [
                Verb(verb, "It rings.", of: []) { _, _ in Deed(TimedAct(BellAct.ring, to: "bell")) }
            ]
        }
        if let parameter {
            vocabulary.parameters = ParameterCatalog([
                .integer(
                    parameter,
                    \Loudness.share,
                    1...9,
                    meaning: "How loud.",
                    source: "The test"
                )
            ])
        }
        return vocabulary
    }

    private func conflicts(_ systems: KodamaSystem...) -> [String] {
        SystemRegistry.conflicts(among: systems)
    }

    @Test("Systems that share nothing can be registered, in either order (HN-02)")
    func strangers() {
        let bell = KodamaSystem(
            "bell",
            evidence: EvidenceSystem(SystemID(201), forms: [Rang.self], meter: Meter.self),
            vocabulary: Self.vocabulary(verb: "ring", parameter: "bell.loudness"),
            host: BellHost.self
        )
        let gong = KodamaSystem("gong", needs: ["bell"])
        #expect(conflicts(bell, gong) == [])
        #expect(conflicts(gong, bell) == [])
    }

    @Test("A name that two systems declare is named, with where both are made")
    func twins() {
        let first = KodamaSystem("bell", file: "First/A.swift", line: 3)
        let second = KodamaSystem("bell", file: "Second/B.swift", line: 5)
        #expect(
            conflicts(first, second)
                == ["the system 'bell' is declared by First/A.swift:3 and by Second/B.swift:5"]
        )
    }

    @Test("The same system twice is refused too")
    func twice() {
        let bell = KodamaSystem("bell", file: "First/A.swift", line: 3)
        #expect(
            conflicts(bell, bell)
                == ["the system 'bell' is declared by First/A.swift:3 and by First/A.swift:3"]
        )
    }

    @Test("Records, their numbers, verbs, parameters and metrics have one owner each")
    func owners() {
        func owner(
            _ name: String,
            _ evidence: EvidenceSystem?,
            _ words: Vocabulary?
        ) -> KodamaSystem {
            KodamaSystem(
                name,
                evidence: evidence,
                vocabulary: words,
                file: name == "bell" ? "bell/X.swift" : "gong/X.swift",
                line: 1
            )
        }
        func shared(_ what: String) -> [String] {
            ["\(what) is declared by bell/X.swift:1 and by gong/X.swift:1"]
        }
        let bell = owner("bell", EvidenceSystem(SystemID(201), forms: [Rang.self]), nil)
        let gong = owner("gong", EvidenceSystem(SystemID(202), forms: [RangElsewhere.self]), nil)
        #expect(conflicts(bell, gong) == shared("the record 'bell.rang'"))

        let number = owner("gong", EvidenceSystem(SystemID(201), forms: []), nil)
        #expect(conflicts(bell, number) == shared("the system number 201"))

        let loud = owner("bell", nil, Self.vocabulary("bell", parameter: "loudness"))
        let louder = owner("gong", nil, Self.vocabulary("gong", parameter: "loudness"))
        #expect(conflicts(loud, louder) == shared("the parameter 'loudness'"))

        let timed = owner("bell", EvidenceSystem(SystemID(201), forms: [], meter: Meter.self), nil)
        let slower = owner("gong", EvidenceSystem(SystemID(202), forms: [], meter: Meter.self), nil)
        #expect(conflicts(timed, slower) == shared("the metric 'bell.time'"))
    }

    @Test("A fault that two systems, or one and the core, declare is named with both places")
    func faults() {
        func system(_ name: String, _ id: UInt8, _ fault: WorldFault) -> KodamaSystem {
            var evidence = EvidenceSystem(SystemID(id), forms: [])
            evidence.faults = [fault]
            return KodamaSystem(name, evidence: evidence)
        }
        func crack(_ name: String, _ number: Int64, _ file: StaticString) -> WorldFault {
            WorldFault(name, number: number, begins: "it cracks", file: file, line: 3)
        }
        let bell = system("bell", 201, crack("crack", 300, "First/A.swift"))
        let gong = system("gong", 202, crack("crack", 301, "Second/B.swift"))
        let horn = system("horn", 203, crack("split", 300, "Third/C.swift"))
        let own = system("gong", 202, crack("black-hole", 302, "Second/B.swift"))
        #expect(
            conflicts(bell, gong) == [
                "the fault 'crack' is declared by First/A.swift:3 and by Second/B.swift:3"
            ]
        )
        #expect(
            conflicts(bell, horn) == [
                "the number 300 of faults is declared by First/A.swift:3 and by Third/C.swift:3"
            ]
        )
        let twin = conflicts(own)
        #expect(
            twin.count == 1 && twin[0].hasPrefix("the fault 'black-hole' is declared by Kodama")
        )
        #expect(twin.first?.hasSuffix("and by Second/B.swift:3") == true, "\(twin)")
    }

    @Test("An act that two systems, or one and the core, declare is named with both places")
    func acts() {
        func system(_ name: String, _ id: UInt8, _ act: UserAct) -> KodamaSystem {
            var evidence = EvidenceSystem(SystemID(id), forms: [])
            evidence.acts = [act]
            return KodamaSystem(name, evidence: evidence)
        }
        func ring(_ name: String, _ number: Int64, _ file: StaticString) -> UserAct {
            UserAct(name, number: number, "rings", file: file, line: 3)
        }
        let bell = system("bell", 201, ring("ring", 300, "First/A.swift"))
        let gong = system("gong", 202, ring("ring", 301, "Second/B.swift"))
        #expect(
            conflicts(bell, gong) == [
                "the act 'ring' is declared by First/A.swift:3 and by Second/B.swift:3"
            ]
        )
        let own = system("gong", 202, ring("toll", UserAct.openApp.number, "Second/B.swift"))
        let twin = conflicts(own)
        #expect(twin.count == 1)
        #expect(twin.first?.hasPrefix("the number 0 of acts is declared by Kodama") == true)
    }

    @Test("What the core declares cannot be declared again")
    func core() {
        let words = Self.vocabulary("bell", verb: "outage")
        let bell = KodamaSystem(
            "bell",
            vocabulary: words,
            host: BellHost.self,
            file: "First/A.swift",
            line: 3
        )
        #expect(
            conflicts(bell) == ["the verb 'outage' is declared by the core and by First/A.swift:3"]
        )
    }

    @Test("Of two systems that bring a decoder the order cannot decide")
    func decoders() {
        let decode: @Sendable ([UInt8]) -> [Int16] = { _ in [] }
        let first = KodamaSystem("bell", decoder: decode, file: "First/A.swift", line: 3)
        let second = KodamaSystem("gong", decoder: decode, file: "Second/B.swift", line: 5)
        #expect(conflicts(first) == [])
        #expect(
            conflicts(first, second) == [
                "the decoder of recorded voices is declared by First/A.swift:3 and by Second/B.swift:5"
            ]
        )
    }

    @Test("A word of users with two meanings is named, with where both are declared")
    func ambiguousWord() {
        func system(_ name: String, _ host: any SystemHost.Type) -> KodamaSystem {
            var words = Vocabulary(of: name)
            words.userWords = [UserWord("toll", "Tolls.", .phone) { _ in BellAct.ring }]
            return KodamaSystem(
                name,
                vocabulary: words,
                host: host,
                file: name == "bell" ? "First/A.swift" : "Second/B.swift",
                line: 1
            )
        }
        #expect(
            conflicts(system("bell", BellHost.self), system("gong", GongHost.self)) == [
                "the word 'toll' of users is declared by First/A.swift:1 and by Second/B.swift:1"
            ]
        )
    }

    @Test("A system that stands on another needs it")
    func needs() {
        let bell = KodamaSystem("bell", needs: ["tower"], file: "First/A.swift", line: 3)
        #expect(
            conflicts(bell) == ["'bell' (First/A.swift:3) needs 'tower', which is not registered"]
        )
    }

    @Test("A verb that no host performs is refused, for a run could only stop at it")
    func idleVerb() {
        let bell = KodamaSystem(
            "bell",
            vocabulary: Self.vocabulary(verb: "ring"),
            file: "First/A.swift",
            line: 3
        )
        #expect(
            conflicts(bell)
                == ["'bell' (First/A.swift:3) has the verb 'ring', but no host performs it"]
        )
    }

    @Test("Vocabulary and host are the system's own")
    func strangeParts() {
        let words = KodamaSystem(
            "gong",
            vocabulary: Self.vocabulary("bell"),
            file: "First/A.swift",
            line: 3
        )
        #expect(conflicts(words) == ["the vocabulary of 'gong' (First/A.swift:3) is called 'bell'"])
        let host = KodamaSystem(
            "gong",
            vocabulary: Self.vocabulary("gong"),
            host: BellHost.self,
            file: "First/A.swift",
            line: 3
        )
        #expect(conflicts(host) == ["the host of 'gong' (First/A.swift:3) makes apps of 'bell'"])
    }

    @Test("A scenario with a system that the command lacks is told which there are")
    func unknownSystem() throws {
        var words = Self.vocabulary()
        words.app = AppShape(of: "bell", "Rings.") { _, _, _ in BellSettings() }
        let systems = SystemRegistry([KodamaSystem("bell", vocabulary: words, host: BellHost.self)])
        let loader = ScenarioLoader(
            vocabulary: ScenarioVocabulary(systems: systems),
            files: FileReader { _ in .failure(FileReadError(.missing)) }
        )
        let text = """
            version: 2
            scenario: gongs
            duration: 10s
            phones: [{ name: phone, apps: { gong: {} } }]
            expect: [{ metric: network.bytes, value: "== 0" }]

            """
        let error = #expect(throws: InvalidScenario.self) {
            try loader.load(text: text, file: "gongs.yaml")
        }
        let message = try #require(error?.diagnostics.first).description
        #expect(message.hasPrefix("gongs.yaml:4:"), "\(message)")
        #expect(message.contains("unknown key 'gong' in a phone's apps"), "\(message)")
        #expect(message.contains("this command knows: bell"), "\(message)")
    }

    private struct BellSettings: AppSettings {
        static let system = "bell"
    }
}
