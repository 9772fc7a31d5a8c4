import Foundation
import Testing

/// The rules by which anybody can bring a system: the core knows none, and a system's evidence does not know
/// its world.
@Suite("The core knows no system, and a system's evidence not its world")
struct HouseTests {
    // MARK: What the core imports

    /// The modules of the client that the core may import, by the core's module; the world alone drives machines
    /// with the checks of their laws.
    static func clientModules(openTo module: String) -> Set<String> {
        let open: Set = ["SansIO", "AudioProcessing"]
        return module == "KodamaWorld" ? open.union(["SansIOTesting"]) : open
    }

    /// Libraries that an app brings, and the core does without.
    static let librariesOfApps: Set = ["Crypto", "GRDB", "GRDBSQLite", "COpus", "OpusSearch"]

    /// What a file of the core imports although it must not.
    static func strangers(in file: SourceFile, foreign: Set<String>) -> [String] {
        file.imports.filter { foreign.subtracting(clientModules(openTo: file.module)).contains($0) }
    }

    /// All modules of the client, the server and the systems, and the libraries of apps.
    static func foreignModules() throws -> Set<String> {
        let folders = ["Sources/Client", "Sources/Server", "Sources/Systems"]
        let modules = try folders.flatMap { try SourceTree.swiftFiles(under: $0).map(\.module) }
        return Set(modules).union(librariesOfApps)
    }

    @Test(
        "The core imports no client module but sound and the contract of machines, no server, codec or system"
    )
    func coreImports() throws {
        let foreign = try Self.foreignModules()
        for file in try SourceTree.swiftFiles(under: "Sources/Core") {
            for module in Self.strangers(in: file, foreign: foreign) {
                Issue.record("\(file.path) imports \(module)")
            }
        }
    }

    @Test("An import of a codec, a database, a server, a system or a test aid in the core is found")
    func coreImportsAreFound() throws {
        let text = """
            public import SansIO
            import SansIOTesting
            import AudioProcessing
            package import OpusAudio
            import GRDB
            import AppServer
            import KodamaSession
            """
        let foreign = try Self.foreignModules()
        let found = ["Evidence", "World"].map {
            Self.strangers(in: SourceFile("Sources/Core/\($0)/A.swift", text), foreign: foreign)
        }
        let systemic = ["OpusAudio", "GRDB", "AppServer", "KodamaSession"]
        #expect(found == [["SansIOTesting"] + systemic, systemic])
    }

    // MARK: What the core names

    /// Whether a line names a system.
    ///
    /// Read are identifiers and string literals, but no comments: any word that contains the name of a system
    /// which is no word of a phone's; the modules of all; and `session` and `calls`, which phones know too,
    /// where they stand for the app, its metrics or its scenarios: before a dot, a slash or an opening brace,
    /// and quoted. Types need no reading: the core's targets depend on no system, so the compiler knows none.
    static func namesSystem(_ line: String) -> Bool {
        let lowered = line.lowercased()
        if ["intercom", "replica", "coach", "backend"].contains(where: { lowered.contains($0) }) {
            return true
        }
        guard lowered.contains("session") || lowered.contains("calls") || line.contains("Kodama")
        else { return false }
        return line.contains(#/Kodama(?:Session|Calls|Shipped)/#)
            || line.contains(#/\bsession(?:\.[a-z]|\/|: ?\{)/#)
            || line.contains(#/\bcalls(?:\/|: ?\{)/#)
            || line.contains(#/"(?:session|calls)"/#)
    }

    @Test("No file of the core names a system")
    func coreNames() throws {
        for file in try SourceTree.swiftFiles(under: "Sources/Core") {
            let lines = file.uncommented.filter { Self.namesSystem($0.text) }
            let places = lines.map { "\(file.path):\($0.number)" }
            #expect(lines.isEmpty, "a system is named at \(places.joined(separator: ", "))")
        }
    }

    @Test(
        "A line of the core that names a system is found",
        arguments: [
            "case writeReplica", "system == \"calls\"", "static let storm = \"session.attempts\"",
            "import KodamaSession", "apps: { session: {} }",
            "kodama run Scenarios/session/outages.yaml",
        ]
    )
    func coreNamesAreFound(line: String) {
        #expect(Self.namesSystem(line))
    }

    @Test(
        "A phone's own sessions and calls are no system",
        arguments: [
            "calls.append(call)", "\"call.audio\"", "self.audioSession.isActive",
            "let session: Audio",
        ]
    )
    func phonesWordsAreNone(line: String) {
        #expect(!Self.namesSystem(line))
    }

    // MARK: Faults

    /// By each fault's name the files that speak of faults and name it.
    static func filesOfFaults(in files: [SourceFile]) -> [String: [String]] {
        let declaration = #/static let (\w+) = WorldFault\(/#
        let texts = files.map { ($0.path, $0.code.map(\.text).joined(separator: "\n")) }
            .filter { $0.1.contains(#/\b(?:FaultBegan|FaultEnded|WorldFault)\b/#) }
        let names = texts.flatMap { $0.1.matches(of: declaration).map { String($0.1) } }
        var places: [String: [String]] = [:]
        for name in names {
            for (path, text) in texts {
                // A member of a type that is not written, and the declaration.
                let isNamed =
                    text.split(whereSeparator: { " \n,:([".contains($0) })
                    .contains { $0.hasPrefix(".") && $0.dropFirst().prefix { $0.isLetter } == name }
                    || text.contains("static let \(name) = WorldFault(")
                if isNamed { places[name, default: []].append(path) }
            }
        }
        return places
    }

    @Test("A fault's name stands in at most three files: its declaration, and who causes it")
    func faultsAreDeclaredOnce() throws {
        let places = Self.filesOfFaults(in: try SourceTree.swiftFiles(under: "Sources"))
        #expect(places.count >= 20, "the declarations look otherwise")
        for (name, paths) in places.sorted(by: { $0.key < $1.key }) {
            #expect(paths.count <= 3, "\(name) stands in \(paths.joined(separator: ", "))")
        }
    }

    @Test("A file that names a fault is counted, one that has another word of its name is not")
    func namesOfFaultsAreCounted() {
        let files = [
            SourceFile("Sources/A.swift", "static let jam = WorldFault(\"paper-jam\")"),
            SourceFile("Sources/B.swift", "if FaultBegan(record).fault == .jam {}"),
            SourceFile("Sources/C.swift", "let began: FaultBegan\nlet jammed = plan.jam"),
            SourceFile("Sources/D.swift", "let breakfast = Toast(.jam)"),
        ]
        #expect(Self.filesOfFaults(in: files) == ["jam": ["Sources/A.swift", "Sources/B.swift"]])
    }

    // MARK: The hinge

    /// The rooms of a system that judge and tell what is in the trace.
    static let evidence: Set = ["Records", "Metrics", "Narration"]
    /// The rooms of a system that make a run.
    static let world: Set = ["Language", "Models", "World"]

    /// Words that a model declares and a record carries: the list may only shrink.
    static let wordsOfModels: Set = [
        "AttemptFailure", "AttemptKind", "DetectionCause", "DisconnectReason", "MatchRefusal",
    ]

    /// The types of the systems' worlds that files in their evidence name, each with its places.
    ///
    /// A type counts if it is declared at the outermost level of a file in `Language`, `Models` or `World` of any
    /// system, and not private; a word of the evidence's code names it if it is the same, follows no dot,
    /// and is no type that its own file declares.
    static func breaches(in files: [SourceFile]) -> [String: [String]] {
        let shared = files.filter { world.contains($0.room) }.flatMap(\.declaredTypes)
        let names = Set(shared.filter(\.isShared).map(\.name))
        var breaches: [String: [String]] = [:]
        for file in files where evidence.contains(file.room) {
            let own = Set(file.declaredTypes.map(\.name))
            for word in file.namedTypes where names.contains(word.name) && !own.contains(word.name)
            {
                breaches[word.name, default: []].append("\(file.path):\(word.number)")
            }
        }
        return breaches
    }

    @Test(
        "Within a system, records, metrics and narration name nothing of its language, models and world"
    )
    func hinge() throws {
        let breaches = Self.breaches(in: try SourceTree.swiftFiles(under: "Sources/Systems"))
        for (name, places) in breaches.sorted(by: { $0.key < $1.key })
        where !Self.wordsOfModels.contains(name) {
            Issue.record(
                "\(name), a type of a world, is named at \(places.joined(separator: ", "))"
            )
        }
        for name in Self.wordsOfModels.sorted() where breaches[name] == nil {
            Issue.record("no evidence names \(name) any more: take it off the list")
        }
    }

    @Test("A metric that names a type of its system's world is found, in code alone")
    func hingeIsChecked() {
        let world = SourceFile(
            "Sources/Systems/Session/World/Server.swift",
            """
            package final class RoomServer: Component {
                struct Line {}
            }
            private struct Helper {}
            @frozen public struct Wire {}
            """
        )
        let metric = SourceFile(
            "Sources/Systems/Calls/Metrics/Meter.swift",
            """
            /// What a RoomServer does.
            let server: RoomServer?  // not Wire
            let text = "RoomServer Wire"
            let long = \"""
                Wire and RoomServer
                \"""
            let other = Other.RoomServer(), wires: [Wire] = []
            let helper: Helper, line: Line
            """
        )
        let breaches = Self.breaches(in: [world, metric])
        let path = "Sources/Systems/Calls/Metrics/Meter.swift"
        #expect(breaches == ["RoomServer": ["\(path):2"], "Wire": ["\(path):7"]])
    }

    // MARK: Systems among themselves

    /// The systems on which each system stands.
    static let foundations: [String: Set<String>] = [
        "KodamaBackend": [],
        "KodamaSession": ["KodamaBackend"],
        "KodamaCalls": ["KodamaBackend", "KodamaSession"],
        "KodamaReplica": ["KodamaSession"],
        "KodamaCoach": ["KodamaSession"],
        "KodamaGuest": ["KodamaSession"],
        "KodamaIntercom": ["KodamaRecordings"],
        "KodamaRecordings": [],
        "KodamaShipped": [
            "KodamaCalls", "KodamaCoach", "KodamaGuest", "KodamaIntercom", "KodamaReplica",
            "KodamaSession",
        ],
    ]

    @Test("A system imports no other but those on which it stands")
    func systemImports() throws {
        let files = try SourceTree.swiftFiles(under: "Sources/Systems")
        let systems = Set(files.map(\.module))
        #expect(systems == Set(Self.foundations.keys))
        for (system, row) in ImportTable.systems {
            #expect(
                row.intersection(systems) == Self.foundations[system],
                "the table's row of \(system)"
            )
        }
        for file in files {
            let others = Set(file.imports).intersection(systems)
            let strangers = others.subtracting(Self.foundations[file.module, default: []])
            #expect(strangers.isEmpty, "\(file.path) imports \(strangers.sorted())")
        }
    }

    // MARK: The list of systems

    /// The lines of a file that speak of the systems that the product ships, by the list's name or its module.
    static func linesThatShip(in file: SourceFile) -> [Int] {
        file.code.filter { $0.text.contains("hipped") }
            .filter { $0.text.contains(#/\b(?:shipped|KodamaShipped)\b/#) }.map(\.number)
    }

    @Test("Only the command lines know which systems the product ships")
    func shipped() throws {
        for file in try SourceTree.swiftFiles(under: "Sources")
        where file.group != "Tools" && file.module != "KodamaShipped" {
            for number in Self.linesThatShip(in: file) {
                Issue.record("\(file.path):\(number) speaks of the shipped systems")
            }
        }
        let list = try SourceTree.swiftFiles(under: "Sources/Systems/Shipped")
        #expect(!list.flatMap { Self.linesThatShip(in: $0) }.isEmpty, "the list has another name")
    }

    @Test("A default list of systems is found")
    func shippedIsFound() {
        let file = SourceFile(
            "Sources/Core/Harness/A.swift",
            """
            // Those shipped.
            init(systems: SystemRegistry = .shipped) {}
            import KodamaShipped
            """
        )
        #expect(Self.linesThatShip(in: file) == [2, 3])
    }
}
