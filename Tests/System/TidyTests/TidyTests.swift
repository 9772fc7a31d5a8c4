import Foundation
import Testing

@Suite("The repository keeps its own rules")
struct TidyTests {
    @Test("Every import stands in the import table, and what stands there is imported")
    func imports() throws {
        var used: [String: Set<String>] = [:]
        for file in try SourceTree.swiftFiles(under: "Sources") {
            let allowed = ImportTable.rows[file.module]
            #expect(allowed != nil, "\(file.path): module \(file.module) is not in the table")
            for module in file.imports {
                #expect(allowed?.contains(module) ?? false, "\(file.path) imports \(module)")
                used[file.module, default: []].insert(module)
            }
        }
        for (module, allowed) in ImportTable.rows {
            let unused = allowed.subtracting(used[module] ?? []).sorted()
            #expect(unused.isEmpty, "\(module) imports no \(unused.joined(separator: ", "))")
        }
    }

    /// Words that bring in time, chance or threads; the standard library cannot keep them out.
    static let banned = [
        "Date()", "ContinuousClock", "SuspendingClock", "UUID()", ".random(", "randomElement",
        ".shuffled(", "SystemRandomNumberGenerator", "Task ", "Task{", "Task.", "TaskGroup",
        "DispatchQueue", "Thread", "ProcessInfo", "hashValue", "Mirror(",
    ]

    /// The few files whose business time, chance, threads or reflection are.
    static let exempt = [
        "/Harness/Parallel.swift", "/Harness/Stopwatch.swift", "/Tools/", "/Client/MachineHost/",
        // A page's server: its threads, the key in its address, and a look at the file now and then.
        "/Core/Studio/",
        // Signals, the terminal and the environment, cores, and what long work shows of itself.
        "/Command/Interruption.swift", "/Command/Scenarios/ScenarioRunner.swift",
        "/Command/Choices/JobOptions.swift", "/Command/Commands/VerifyCommand.swift",
        "/Command/Commands/SwarmCommand.swift",
        "/Command/Output/",
        // A test aid that compares the fields of machines which it does not know.
        "/Client/SansIOTesting/CheckSecondRound.swift",
    ]

    @Test("No clock, chance or thread reaches repeatable code (D-13)")
    func bannedWords() throws {
        for file in try SourceTree.swiftFiles(under: "Sources")
        where !Self.exempt.contains(where: { file.path.contains($0) }) {
            for (number, text) in file.code {
                for word in Self.banned where text.contains(word) {
                    Issue.record("\(file.path):\(number): \(word)")
                }
            }
        }
    }

    @Test("No client code draws on mathematics whose last bits belong to a C library (HN-01)")
    func mathematics() throws {
        let functions = ["sin(", "cos(", "exp(", "log(", "log2(", "log10(", "pow(", "tan("]
        for folder in ["Sources/Client", "Sources/Server", "Sources/Core", "Sources/Systems"] {
            for file in try SourceTree.swiftFiles(under: folder) {
                for (number, text) in file.code {
                    for function in functions {
                        let spaced = [" ", "(", "-", "*", "/", "+"].map { $0 + function }
                        #expect(
                            !spaced.contains(where: { text.contains($0) }),
                            "\(file.path):\(number): \(function)"
                        )
                    }
                }
            }
        }
    }

    @Test("No app runs on keys that a seed gives away")
    func seededEntropy() throws {
        for file in try SourceTree.swiftFiles(under: "Sources/Client") {
            for (number, text) in file.code {
                #expect(!text.contains("Entropy(seed"), "\(file.path):\(number)")
            }
        }
    }

    @Test("Client code links on Linux without its mathematics library and Foundation")
    func clientLinksBare() throws {
        for file in try SourceTree.swiftFiles(under: "Sources/Client") {
            for (number, text) in file.code {
                for call in [".rounded(", ".squareRoot("] where text.contains(call) {
                    Issue.record("\(file.path):\(number): \(call) is a function of libm")
                }
            }
        }
    }

    @Test("No file is longer than 500 lines")
    func fileLength() throws {
        for folder in ["Sources", "Tests"] {
            for file in try SourceTree.swiftFiles(under: folder) {
                #expect(file.lines.count <= 501, "\(file.path) has \(file.lines.count - 1) lines")
            }
        }
    }

    /// Test targets that judge the core together with systems, and so no target alone.
    static let crossing: Set = ["ModelsTests", "ScenariosTests", "SimulatedWorldTests"]

    /// What tests of several targets use.
    static let supporting: Set = ["FileHarms"]

    @Test("Every test target stands beside a target of the same name")
    func layout() throws {
        let targets = try SourceTree.swiftFiles(under: "Sources").map(\.target)
        let folders = Set(targets).union(Self.crossing.map { String($0.dropLast(5)) })
            .union(Self.supporting)
        for file in try SourceTree.swiftFiles(under: "Tests")
        where file.path.hasPrefix("Tests/Client") || file.path.hasPrefix("Tests/Core") {
            let name = file.target.replacingOccurrences(of: "Tests", with: "")
            #expect(folders.contains(name), "\(file.path) tests no target")
        }
    }

    @Test("Only what the top level is meant to hold lies there")
    func topLevel() throws {
        let allowed: Set = [
            "Package.swift", "Package.resolved", "README.md", "Sources", "Tests", "Scenarios",
            "Reports", "Scripts", "LICENSE",
        ]
        for name in try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.path) {
            #expect(name.hasPrefix(".") || allowed.contains(name), "\(name)")
        }
    }
}
