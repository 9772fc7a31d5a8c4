@testable import KodamaEvidence
@testable import KodamaLanguage
import Testing

@Suite("Gates of shipped scenarios have teeth")
struct ShippedGateTests {
    /// A figure of a row that gates: what is measured, how, and the most or the least it may be.
    private struct Figure {
        var metric: String
        var statistic: Statistic
        var limit: Int64
        var isLeast: Bool

        init(_ metric: String, _ statistic: Statistic, _ limit: Int64) {
            (self.metric, self.statistic, self.limit, isLeast) = (metric, statistic, limit, false)
        }

        init(_ metric: String, _ statistic: Statistic, atLeast limit: Int64) {
            (self.metric, self.statistic, self.limit, isLeast) = (metric, statistic, limit, true)
        }

        private var isQuantile: Bool {
            if case .quantile = statistic { return !isLeast }
            return false
        }

        /// Whether a gate bounds this figure as strictly, on the same side.
        ///
        /// A bound on the longest is one on each quantile.
        func isKept(by gate: Gate) -> Bool {
            guard gate.metric == metric,
                gate.statistic == statistic || isQuantile && gate.statistic == .maximum
            else { return false }
            return switch gate.comparison {
            case .atMost, .below: !isLeast && gate.limit <= limit
            case .atLeast, .above: isLeast && gate.limit >= limit
            case .equal: isLeast ? gate.limit >= limit : gate.limit <= limit
            }
        }
    }

    private static let second: Int64 = 1_000_000_000
    private static let millisecond: Int64 = 1_000_000
    private static let p50 = Statistic.quantile(perMille: 500)
    private static let p95 = Statistic.quantile(perMille: 950)
    private static let p999 = Statistic.quantile(perMille: 999)

    /// The rows whose figure is a bound on one metric.
    ///
    /// K-09 is measured without a bound, K-10 and K-13 have figures by circumstances. K-23 has none that a gate
    /// could bound: an invariant claims it.
    private static let rows: [String: [Figure]] = [
        "K-01a": [Figure("session.reconnect.time", .maximum, 30 * second)],
        "K-01b": [
            Figure("session.recovery.time", p95, 10 * second),
            Figure("session.recovery.time", .maximum, 30 * second),
        ],
        "K-01c": [
            Figure("session.false_connected.time", p95, 8 * second),
            Figure("session.false_connected.time", .maximum, 8 * second),
        ],
        "K-02": [Figure("session.connect.time", p95, 3 * second)],
        "K-03": [Figure("wake.notification.error", .maximum, 60 * second)],
        "K-04": [Figure("wake.tap_to_talk.time", p95, 3 * second)],
        "K-05": [Figure("wake.success.rate", .value, atLeast: 800_000)],
        "K-06": [Figure("nudge.response.rate", .value, atLeast: 600_000)],
        "K-07": [
            Figure("nudge.complete.time", p95, 30 * second),
            Figure("nudge.intervention.time", .minimum, atLeast: 30 * second),
            Figure("nudge.intervention.time", .maximum, 60 * second),
        ],
        "K-08": [Figure("battery.daily.percent", .value, 30_000)],
        "K-12": [
            Figure("voice.mouth_to_ear.time", p50, 150 * millisecond),
            Figure("voice.mouth_to_ear.time", p95, 200 * millisecond),
        ],
        "K-14": [Figure("voice.duplicates.played", .value, 0)],
        "K-15": [
            Figure("voice.onset.clipped.sender.time", p95, 20 * millisecond),
            Figure("voice.onset.clipped.sender.time", .shareAbove(20 * millisecond), 15_000),
            Figure("voice.onset.clipped.listener.time", p95, 20 * millisecond),
            Figure("voice.onset.clipped.listener.time", .shareAbove(20 * millisecond), 15_000),
            Figure("voice.speech.not_sent", .value, 5_000),
        ],
        "K-16": [
            Figure("call.ring.time", p95, 3 * second),
            Figure("call.ring.killed.time", p95, 4 * second),
        ],
        "K-17": [Figure("call.duplicates.rung", .value, 0)],
        "K-18": [
            Figure("replica.sync.lag", p95, 5 * second), Figure("replica.writes.lost", .value, 0),
        ],
        "K-19": [
            Figure("session.recovery.time", p50, 600 * millisecond),
            Figure("session.recovery.time", p95, 2 * second),
            Figure("session.recovery.time", .maximum, 6 * second),
            Figure("session.probe.packets.rate", .maximum, 2),
            Figure("session.probe.packets.late_rate", .maximum, 1),
        ],
        "K-20": [
            Figure("session.storm.peak.share", .maximum, 250_000),
            Figure("session.recovery.time", p95, 8 * second),
            Figure("session.recovery.time", .maximum, 30 * second),
        ],
        "K-22": [
            Figure("conduct.breaches", .value, 0), Figure("call.conduct.breaches", .value, 0),
            Figure("voice.conduct.breaches", .value, 0),
        ],
        "K-23": [],
        "K-24": [Figure("wake.rang.late.time", p999, 60 * second)],
    ]

    @Test("A gate that claims a requirement needs data")
    func data() throws {
        for (scenario, gate) in try gates() where !gate.covers.isEmpty {
            #expect(!gate.allowsNoData, "\(scenario): \(gate.metric) claims \(gate.covers)")
        }
    }

    @Test("A gate that claims a row with a figure carries that figure or a stricter one")
    func figures() throws {
        for (scenario, gate) in try gates() {
            for id in gate.covers {
                guard let figures = Self.rows[id] else { continue }
                let isOfRow = figures.contains { $0.isKept(by: gate) }
                #expect(
                    isOfRow,
                    "\(scenario): \(gate.metric) \(gate.ruleText) is no figure of \(id)"
                )
            }
        }
    }

    private func gates() throws -> [(scenario: String, gate: Gate)] {
        let loader = try Fixture.standardLoader()
        let scenarios = try Fixture.shipped().map { try loader.load(file: $0) }
        return scenarios.filter { $0.outcome == .pass }.flatMap { scenario in
            scenario.points.flatMap { point in
                point.expectations.gates.map { (scenario.name, $0) }
            }
        }
    }
}
