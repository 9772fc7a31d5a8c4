import Foundation
import NIOCore
import NIOPosix
import SansIO

/// Tells each story twice, with the simulated push service and with a real HTTP/2 server, and compares what
/// the push provider decided.
@main
struct PushOverHTTP2 {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard (3...4).contains(arguments.count) else {
            complain(
                "usage: push-over-http2 PYTHON SERVER [WORD]; see Scripts/push-over-http2 --help"
            )
            exit(64)
        }
        let word = arguments.count == 4 ? arguments[3] : nil
        let stories = Story.all.filter { story in word.map { story.name.contains($0) } ?? true }
        guard !stories.isEmpty else {
            complain("error: no story's name contains '\(word ?? "")'")
            exit(64)
        }
        // A launch in the past: the story's clock must not issue provider tokens in the future.
        let launch = WallTime(secondsSince1970: Int64(Date().timeIntervalSince1970) - 86_400)
        // A loop for each story, since a step waits for the story's server.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: stories.count)
        let servers = try stories.map { _ in
            try PushServer(python: arguments[1], script: arguments[2])
        }
        complain("\(stories.count) stories over HTTP/2 …")
        var simulated: [[Decision]] = []
        var running: [LoopbackRun] = []
        for (story, server) in zip(stories, servers) {
            var run = SimulatedRun(story, launch: launch)
            run.run(story)
            simulated.append(run.decisions)
            let loopback = try LoopbackRun(
                story,
                server: server,
                token: run.token,
                launch: launch,
                on: group.next()
            )
            running.append(loopback)
        }
        let futures = running.map { $0.start() }
        var real: [[Decision]] = []
        for future in futures { real.append(try await future.get()) }
        let reports = try servers.map { try $0.stop() }
        try await group.shutdownGracefully()
        let isWhole = word == nil
        exit(judge(stories, simulated, real, reports, isWhole: isWhole) ? 0 : 1)
    }

    /// Prints each story and says whether all is as it should be.
    private static func judge(
        _ stories: [Story],
        _ simulated: [[Decision]],
        _ real: [[Decision]],
        _ reports: [PushServer.Report],
        isWhole: Bool
    ) -> Bool {
        var failures = 0
        var statuses: [String: Int] = [:]
        var tokens = 0
        var twice = 0
        for (index, story) in stories.enumerated() {
            let differences = Decision.differences(simulated[index], real[index])
            failures += differences.isEmpty ? 0 : 1
            print("\(differences.isEmpty ? "same" : "DIFFERENT")  \(story.name)")
            for decision in real[index] where !decision.what.hasPrefix("ping") {
                print("        \(decision.line)")
            }
            for difference in differences { print("    ≠   \(difference)") }
            statuses.merge(reports[index].statuses, uniquingKeysWith: +)
            tokens += reports[index].providerTokensVerified
            twice += reports[index].acceptedTwice
        }
        let answered = statuses.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
            .joined(separator: ", ")
        print(
            "Answered over HTTP/2: \(answered). Provider tokens verified: \(tokens)."
                + " Accepted twice under one identity: \(twice)."
        )
        let wanted = isWhole ? ["200", "400", "403", "410", "429", "503"] : []
        for status in wanted where statuses[status] == nil {
            print("No story was answered with \(status).")
            failures += 1
        }
        if tokens < stories.count {
            print("Fewer provider tokens were verified than stories were told.")
            failures += 1
        }
        print("\(stories.count) stories, \(failures) failures")
        return failures == 0
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
