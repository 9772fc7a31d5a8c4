import Foundation
import KodamaBackend
import KodamaPhone
import SansIO

/// The push service in Python, a process of its own (`server/push_server.py`).
final class PushServer {
    /// What the server saw, as it says itself.
    struct Report: Decodable {
        /// How often each HTTP status was answered.
        var statuses: [String: Int]
        /// How many different provider tokens had a signature, an issuer and a key that are right.
        var providerTokensVerified: Int
        /// How many notifications were accepted more than once, under one identity.
        var acceptedTwice: Int
    }

    /// Why there is none.
    enum Fault: Error {
        case saidNothing
    }

    private struct Greeting: Decodable {
        var port: Int
        var key: String
    }

    private let process = Process()
    private let orders = Pipe()
    private let answers = Pipe()
    /// The port that it listens on.
    let port: Int
    /// The private key to sign provider tokens with, PEM.
    let key: String

    /// Starts a server and waits until it listens.
    init(python: String, script: String) throws {
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-B", script]
        process.standardInput = orders
        process.standardOutput = answers
        try process.run()
        let greeting = try JSONDecoder().decode(Greeting.self, from: Self.line(from: answers))
        port = greeting.port
        key = greeting.key
    }

    /// Gives an order.
    func order(_ what: String, _ details: [String: Any] = [:]) throws {
        var order = details
        order["do"] = what
        let line = try JSONSerialization.data(withJSONObject: order) + Data("\n".utf8)
        try orders.fileHandleForWriting.write(contentsOf: line)
    }

    /// Sets the server's clock, and waits until it has done all that there was to do before.
    func tick(to instant: Instant) throws {
        try order("tick", ["milliseconds": instant.nanoseconds / 1_000_000])
        _ = try Self.line(from: answers)
    }

    private static func line(from pipe: Pipe) throws -> Data {
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            guard let byte = try pipe.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else {
                throw Fault.saidNothing
            }
            line.append(byte)
        }
        return line
    }

    /// Ends the server and reads its report.
    func stop() throws -> Report {
        try orders.fileHandleForWriting.close()
        let said = try answers.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Fault.saidNothing }
        return try JSONDecoder().decode(Report.self, from: said)
    }
}
