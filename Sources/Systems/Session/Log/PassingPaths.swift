package import KodamaLanguage
import SansIO

extension [LoggedLine] {
    /// How soon another path follows one that is only passed through: radios go down one after the other, and
    /// Network.framework says so each time; an assumption.
    private static var passing: Duration { .milliseconds(100) }

    /// The lines without the paths that were only passed through on the way to another one.
    ///
    /// - Parameter scenario: Counts the lines that are left out.
    /// - Returns: The other lines.
    package func withoutPassingPaths(leaving scenario: inout LoggedScenario) -> [LoggedLine] {
        var kept: [LoggedLine] = []
        var passed: [LoggedLine.Place] = []
        var next: Instant?
        for line in reversed() {
            guard case .path = line.content else {
                kept.append(line)
                continue
            }
            let isPassing = next.map { line.instant.duration(to: $0) < Self.passing } ?? false
            next = line.instant
            if isPassing {
                passed.append(line.place)
            } else {
                kept.append(line)
            }
        }
        for place in passed.reversed() {
            scenario.leave(place, "paths that another followed within 100 ms")
        }
        return kept.reversed()
    }
}
