import Foundation
import Testing

/// Two processes and real sockets: what no simulation can show is that the code runs without one.
@Suite("Client code over UDP on loopback, in two processes", .serialized)
struct LoopbackTests {
    /// A running phone and what it prints.
    private final class Phone {
        private let process = Process()
        private let output = Pipe()
        private var rest = Data()

        init(_ arguments: String...) throws {
            process.executableURL = Self.binary
            process.arguments = arguments
            process.standardOutput = output
            try process.run()
        }

        /// The next line of output; empty when there is none.
        func line() -> String {
            while !rest.contains(UInt8(ascii: "\n")) {
                let more = output.fileHandleForReading.availableData
                guard !more.isEmpty else { break }
                rest.append(more)
            }
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = Data(rest.dropFirst(line.count + 1))
            return String(decoding: line, as: UTF8.self)
        }

        /// What the phone reports at its end.
        func report() throws -> [String: Any] {
            let text = line()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
            return try #require(value as? [String: Any])
        }

        /// Ends a phone that waits for somebody.
        func end() {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        /// The program beside the tests in the build folder.
        private static let binary: URL = {
            let bundles = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.executableURL]
            let tests = bundles.compactMap(\.self).first { $0.pathExtension == "xctest" }
            let folder = tests?.deletingLastPathComponent() ?? Bundle.main.bundleURL
            return folder.appendingPathComponent("loopback-phone")
        }()
    }

    @Test("Two members shake hands by invite and hear each other, whole and once (S-SEC-003, K-14)")
    func members() throws {
        let host = try Phone("host")
        let port = host.line()
        let joiner = try Phone("join", port, host.line())
        let reports = try [joiner.report(), host.report()]
        let names = try reports.map { try #require($0["self"] as? String) }
        #expect(reports[0]["peer"] as? String == names[1])
        #expect(reports[1]["peer"] as? String == names[0])
        for report in reports {
            #expect(report["received"] as? Int == 50)
            #expect(report["intact"] as? Int == 50)
            #expect(report["copies"] as? Int == 50, "each frame came by two streams")
            #expect(report["forged"] as? Int == 5)
            #expect(report["replayed"] as? Int == 5)
            #expect(report["played"] as? Int ?? 0 > 0)
            #expect(report["cut"] is NSNull)
        }
    }

    @Test("A stranger is cut at its first packet and hears nothing (S-GRP-012, A-F-018)")
    func stranger() throws {
        let host = try Phone("host")
        let other = try Phone("host")
        let (port, _) = (host.line(), host.line())
        let (_, foreignInvite) = (other.line(), other.line())
        let stranger = try Phone("join", port, foreignInvite)
        let report = try host.report()
        #expect(report["cut"] as? String == "foreignGroup")
        #expect(report["received"] as? Int == 0)
        #expect(report["peer"] is NSNull)
        stranger.end()
        other.end()
    }
}
