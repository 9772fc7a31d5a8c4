import AppCoordination
import ArgumentParser
import Foundation
import Harness
import SansIO
import Scenarios
import SimulatedWorld

/// Reads values that the user gives on the command line.
enum Settings {
    /// An app's configuration with `name=value` settings applied.
    static func intercom(_ settings: [String]) throws -> IntercomConfiguration {
        do throws(InvalidScenario) {
            return try ParameterCatalog.intercom.configuration(settings: settings).intercom
        } catch {
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

    private init(_ error: WorldError) {
        switch error {
        case .noVoices, .noVoice: self.init(.inputMissing, "\(error)")
        case .codec, .livelock: self.init(.internalError, "\(error)")
        }
    }
}
