import ArgumentParser
import Foundation
import KodamaCommand
import PlayoutTrials

/// Writes delay traces to judge jitter buffers by.
struct DelaysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delays",
        abstract: "Writes delay traces of modelled networks, to judge jitter buffers by.",
        discussion: """
            Healthy Wi-Fi, peer-to-peer Wi-Fi, LTE, the edge of coverage and a change of route, and \
            Wi-Fi with one stall of 500 ms or 1 s at 80 s: KIND-SEED.csv, as kodama-lab jitter and \
            Scripts/jitter-report read them. The same seed gives the same bytes.
            """
    )

    @Option(
        name: [.customShort("o"), .customLong("output"), .customLong("out")],
        help: .init("The folder for the traces; created if missing.", valueName: "folder"),
        completion: .directory
    )
    var folder: String

    @Option(parsing: .unconditional, help: "How long each trace is; stalls have 200 s.")
    var seconds = 600

    @Option(parsing: .unconditional, help: "How many traces of each kind, from seed 0 on.")
    var seeds = 30

    private static let stallStart: Int64 = 80_000_000_000

    func validate() throws {
        guard (1...86_400).contains(seconds) else {
            throw ValidationError("--seconds \(seconds): from 1 to 86400")
        }
        guard (1...10_000).contains(seeds) else {
            throw ValidationError("--seeds \(seeds): from 1 to 10000")
        }
    }

    func run() throws {
        try Outputs.makeFolder(folder, option: "--out")
        for kind in NetworkKind.allCases {
            for seed in 0..<UInt64(seeds) {
                try write(kind.trace(seconds: seconds, seed: seed), seed)
            }
            try Terminal.say(Outputs.path("\(kind)-*.csv", in: folder))
        }
        for milliseconds in [500, 1_000] as [Int64] {
            for seed in 0..<UInt64(seeds) {
                var trace = NetworkKind.wifi.trace(seconds: 200, seed: seed)
                    .stalled(from: Self.stallStart, milliseconds: milliseconds)
                trace.name = "stall\(milliseconds)"
                try write(trace, seed)
            }
            try Terminal.say(Outputs.path("stall\(milliseconds)-*.csv", in: folder))
        }
    }

    private func write(_ trace: JitterTrace, _ seed: UInt64) throws {
        let path = Outputs.path("\(trace.name)-\(seed).csv", in: folder)
        try Outputs.write(Data(trace.text.utf8), to: path)
    }
}
