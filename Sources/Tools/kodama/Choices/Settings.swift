import AppCoordination
import ArgumentParser
import Foundation
import Harness
import SansIO
import Scenarios
import SimulatedWorld

/// Reads values that the user gives on the command line.
enum Settings {
    /// An app's configuration with `name=value` settings applied, all of one of its parts: others,
    /// whose names do not begin with `group`, would change nothing.
    static func intercom(
        _ settings: [String],
        of group: String
    ) throws -> IntercomConfiguration {
        do {
            let tuning = try ParameterCatalog.intercom.configuration(settings: settings)
            for setting in settings where !setting.hasPrefix("\(group).") {
                throw Failure(.usage, "--set \(setting): only \(group).* changes anything here")
            }
            return tuning[IntercomConfiguration.self]
        } catch let error as InvalidScenario {
            Terminal.remark(error.description)
            throw ExitCode(ExitStatus.usage.rawValue)
        }
    }

    /// An instant given as a duration after the start.
    static func instant(_ text: String, option: String) throws -> Instant {
        guard let nanoseconds = QuantityKind.duration.amount(of: text) else {
            throw Failure(
                .usage,
                "\(option) \(text): write a time with its unit, such as 1.5s or 20ms"
            )
        }
        return Instant(nanoseconds: nanoseconds)
    }
}

extension Failure {
    /// Turns a world's error into an end with an exit code.
    static func describing<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as WorldError {
            throw Failure(error)
        }
    }

    /// Turns a world's error into an end with an exit code.
    static func describing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as WorldError {
            throw Failure(error)
        }
    }

    /// Turns what is wrong with a scenario that a file holds into an end with an exit code.
    static func describing<Result>(_ file: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as InvalidScenario {
            throw Failure(.scenarioInvalid, "\(file): \(error)")
        }
    }

    private init(_ error: WorldError) {
        switch error {
        case .noVoices, .noVoice: self.init(.inputMissing, "\(error)")
        case .codec, .livelock: self.init(.internalError, "internal error: \(error)")
        }
    }
}
