import AppCoordination
import ArgumentParser
import KodamaCommand
import KodamaIntercom
import KodamaLanguage

extension IntercomConfiguration {
    /// The app's default configuration with `name=value` settings applied.
    ///
    /// - Parameters:
    ///   - settings: What the user set.
    ///   - group: The part of the app that is judged: settings of other parts, whose names do not begin with
    ///     it, would change nothing and are refused.
    /// - Throws: An end with an exit code.
    init(_ settings: [String], of group: String) throws {
        do {
            let tuning = try ParameterCatalog.intercom.configuration(settings: settings)
            for setting in settings where !setting.hasPrefix("\(group).") {
                throw Failure(.usage, "--set \(setting): only \(group).* changes anything here")
            }
            self = tuning[IntercomConfiguration.self]
        } catch let error as InvalidScenario {
            Terminal.remark(error.description)
            throw ExitCode(ExitStatus.usage.rawValue)
        }
    }
}
