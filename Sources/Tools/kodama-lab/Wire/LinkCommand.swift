import ArgumentParser
import KodamaCommand
import KodamaLanguage
import KodamaNetwork
import KodamaSimulation
import SansIO

/// Sends pings or a connection over a scenario's link, in simulated time.
struct LinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Sends pings or a connection over a scenario's link in simulated time.",
        discussion: """
            What kodama-lab wire does to real packets is done here to simulated ones, for the two to be \
            compared. With --pings: each one's round trip. Otherwise a client connects at 0 s and asks; when \
            it was open, and how long each answer took. One line of JSON per seed, in seconds; null for what \
            never came within 300 s.

            Example: kodama-lab link car.yaml --link mika-phone/cellular --ask 1s:500:20000 --seeds 20
            """
    )

    @OptionGroup var choice: LoneLinkOptions

    @Option(
        parsing: .unconditional,
        help: .init("How many seeds, from --seed on.", valueName: "number")
    )
    var seeds = 1

    @Option(
        help: .init("How many pings, their bytes, the time between.", valueName: "500:84:20ms")
    )
    var pings: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: .init("When to ask, bytes, the answer's; repeatable.", valueName: "1s:500:20000")
    )
    var ask: [String] = []

    func validate() throws {
        guard (1...100_000).contains(seeds) else {
            throw ValidationError("--seeds \(seeds): from 1 to 100000")
        }
        guard pings == nil || ask.isEmpty else {
            throw ValidationError("--pings and --ask exclude each other")
        }
    }

    func run() throws {
        let plan = try choice.load()
        let questions = try ask.map(StreamTrial.Question.init)
        let series = try pings.map(PingSeries.init)
        for seed in choice.seed..<choice.seed + UInt64(seeds) {
            var link = try LoneLink(choice.link, of: plan, seed: seed)
            let found: String
            if let series {
                found = "\"round_trips\": \(Self.list(series.roundTrips(over: &link)))"
            } else {
                var trial = StreamTrial(link, questions)
                trial.run()
                let answers = Self.list(trial.answers)
                found = "\"opened\": \(trial.opened.text), \"answered\": \(answers)"
            }
            try Terminal.say("{\"seed\": \(seed), \(found)}")
        }
    }

    private static func list(_ values: [Seconds]) -> String {
        "[\(values.map(\.text).joined(separator: ", "))]"
    }
}

/// A time that may never have come, as JSON.
struct Seconds {
    var nanoseconds: Int64?

    var text: String { nanoseconds.map { "\(Double($0) / 1e9)" } ?? "null" }
}

extension Failure {
    /// Reads numbers and a time out of an argument whose parts are divided by colons.
    static func parts(
        _ text: String,
        like example: String,
        time place: Int
    ) throws -> [Int64] {
        let parts = text.split(separator: ":").map(String.init)
        let amounts = parts.enumerated().compactMap { index, part in
            index == place ? QuantityKind.duration.amount(of: part) : Int64(part)
        }
        guard amounts.count == 3, parts.count == 3,
            amounts.allSatisfy({ (0...1 << 40).contains($0) })
        else {
            throw Failure(.usage, "\(text): write three values like \(example)")
        }
        return amounts
    }
}

/// Packets sent at equal distances, each answered by one as large.
struct PingSeries {
    private let count: Int64
    private let bytes: Int64
    private let interval: Int64

    /// Reads `COUNT:BYTES:INTERVAL`.
    init(_ text: String) throws {
        let parts = try Failure.parts(text, like: "500:84:20ms", time: 2)
        (count, bytes, interval) = (parts[0], parts[1], parts[2])
    }

    /// Sends them and says how long each took there and back.
    func roundTrips(over link: inout LoneLink) -> [Seconds] {
        var trips = [Seconds](repeating: Seconds(), count: Int(count))
        var queue = EventQueue<Int32>()
        var source = EventSource(component: 0)
        // Answers are the numbers behind those of the pings.
        for ping in 0..<count { queue.push(Int32(ping), at: source.key(at: sent(ping))) }
        while let (now, number) = queue.pop() {
            let (isAnswer, ping) = (number >= Int32(count), Int64(number) % max(count, 1))
            if isAnswer, number >= Int32(2 * count) {
                trips[Int(ping)].nanoseconds = now.nanoseconds - sent(ping).nanoseconds
                continue
            }
            let way: LoneLink.Way = isAnswer ? .backward : .forward
            let arrival = link.send(way, bytes: Int(bytes), .media, at: now).arrival
            guard let arrival, arrival.corruptedBit == nil else { continue }
            queue.push(number + Int32(count), at: source.key(at: arrival.instant))
        }
        return trips
    }

    private func sent(_ ping: Int64) -> Instant { Instant(nanoseconds: ping * interval) }
}
