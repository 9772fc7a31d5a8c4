import ArgumentParser
import Foundation

/// How many runs go on at a time; shared by the commands that make many.
struct JobOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        parsing: .unconditional,
        help: .init(
            "How many runs go on at a time; one per core if not given.",
            valueName: "count"
        )
    )
    var jobs: Int?

    /// More threads than any machine has cores.
    private static let jobsMax = 10_000

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs \(jobs): at least 1 is needed") }
        if let jobs, jobs > Self.jobsMax {
            throw ValidationError("--jobs \(jobs): at most \(Self.jobsMax) are possible")
        }
    }

    /// As many as are asked for, else one per core.
    var count: Int { jobs ?? ProcessInfo.processInfo.activeProcessorCount }
}
