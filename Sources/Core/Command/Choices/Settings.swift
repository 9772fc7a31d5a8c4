import ArgumentParser
import Foundation
import KodamaHarness
import KodamaLanguage
import KodamaWorld
import SansIO

/// Reads values that the user gives on the command line.
enum Settings {
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
        case .program:
            // Without a program, only a run that differs from the one written down is at fault.
            let isWrittenDown = CommandLineTool.systems.programs.transcripts != nil
            self.init(isWrittenDown ? .notDeterministic : .programFault, "\(error)")
        case .codec, .livelock, .rush: self.init(.internalError, "internal error: \(error)")
        }
    }
}
