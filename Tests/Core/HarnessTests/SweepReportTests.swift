@testable import KodamaEvidence
@testable import KodamaHarness
import Testing

@Suite("What is reported of sweeps and reconnects")
struct SweepReportTests {
    private func text(_ outcome: ScenarioOutcome) -> String {
        ConsoleReport(RunReport([outcome], material: "nothing was heard")).text
    }

    @Test(
        "Two swept names are rows and columns, for each gate; a miss names its worst point (HN-04)"
    )
    func grid() throws {
        let outcome = try Outcomes.scenario(
            lengths: ["1s", "15s"],
            presets: ["default", "as-specified"],
            fails: "The waits alone sum to 40 s.",
            fragment: "where: { preset: as-specified }"
        ) { length, preset in
            (length == "1s" ? 2 : 9) * (preset == "default" ? 1 : 4)
        }
        let digest = outcome.digest
        #expect(
            text(outcome) == """
                nothing was heard

                total-outage: 4 points of outage by preset, seed 7 each, 180 s each, sized media, digest \(digest)
                  voice.mouth_to_ear.time  max <= 30s  K-01a
                  outage  preset default  preset as-specified
                  1s                 2 s                  8 s
                  15s                9 s            fail 36 s
                  pass  voice.order-kept  always  0 broken  400
                  fail: voice.mouth_to_ear.time: 1 of 4 points, worst at outage=15s preset=as-specified: max was 36 s, limit 30 s; worst in seed 7: 36 s
                    worst sample: 36 s from 20 s to 56 s at phone; record: 20.000000000 s phone path.lost - cause=link
                    replay with: kodama replay total-outage.yaml --seed 7 --only outage=15s --only preset=as-specified --from 19s --until 57.001s
                  fails as expected at outage=15s preset=as-specified
                    because: The waits alone sum to 40 s.

                PASS: 1 scenario (failing as expected: total-outage), 4 runs
                """
        )
    }

    @Test("One swept name gives a row per value, with all gates side by side (HN-04)")
    func list() throws {
        let outcome = try Outcomes.scenario(lengths: ["1s", "15s"]) { length, _ in
            length == "1s" ? 2 : nil
        }
        let report = text(outcome)
        #expect(
            report.contains(
                """
                  outage  voice.mouth_to_ear.time
                                       max <= 30s
                  1s                          2 s
                  15s                   no data -
                """
            ),
            "\(report)"
        )
        #expect(report.hasSuffix("FAIL: total-outage (1 of 1 scenario, 2 runs)"))
    }

    @Test("A sweep of which some points pass names them, those in a row by its ends (HN-05)")
    func passing() throws {
        func sentence(_ passes: [Bool], at lengths: [String]? = nil) throws -> String? {
            let lengths = lengths ?? passes.indices.map { "\($0 + 1)s" }
            let outcome = try Outcomes.scenario(lengths: lengths) { length, _ in
                passes[lengths.firstIndex(of: length) ?? 0] ? 2 : 40
            }
            return RunReport([outcome], material: "").scenarios[0].passingSentence
        }
        #expect(try sentence([true, true]) == nil)
        #expect(try sentence([false, false]) == "passes at no point")
        let row = [false, true, true, true, false, true, true]
        #expect(
            try sentence(row)
                == "passes at 5 of 7 points: outage=2s to 4s; outage=6s; outage=7s"
        )
        // Of values in no order the ends of a row would name others than those between them.
        let shuffled = try sentence([true, true, true, false], at: ["10s", "1s", "5s", "2s"])
        #expect(shuffled == "passes at 3 of 4 points: outage=10s; outage=1s; outage=5s")
        let falling = try sentence([false, true, true, true], at: ["1min", "30s", "4s", "900ms"])
        #expect(falling == "passes at 3 of 4 points: outage=30s to 900ms")
        let alternating = (0..<40).map { $0 % 2 == 0 }
        let many = try #require(try sentence(alternating))
        #expect(many.hasPrefix("passes at 20 of 40 points: outage=1s; outage=3s; "))
        #expect(many.hasSuffix("; outage=23s and 8 more"))
        let outcome = try Outcomes.scenario(lengths: ["1s", "15s"]) { length, _ in
            length == "1s" ? 2 : 40
        }
        let one = "passes at 1 of 2 points: outage=1s"
        #expect(text(outcome).contains("\n  \(one)\n"))
        let page = HTMLReport(RunReport([outcome], material: "")).text
        #expect(page.contains("<p>\(one)</p>"))
    }

    @Test("A gate with the same figure at all points of a grid is one line (HN-04)")
    func constant() throws {
        let outcome = try Outcomes.scenario(
            lengths: ["1s", "15s"],
            presets: ["default", "as-specified"]
        ) { _, _ in 2 }
        let line = "voice.mouth_to_ear.time  max <= 30s: 2 s at every point  K-01a"
        #expect(text(outcome).contains("\n  \(line)\n"))
        let page = HTMLReport(RunReport([outcome], material: "")).text
        #expect(
            page.contains("<p>voice.mouth_to_ear.time max &lt;= 30s: ✓ 2 s at every point</p>")
        )
    }

    @Test("The small curves of a sweep's points have one axis, to be compared by eye (HN-04)")
    func oneAxis() throws {
        let outcome = try Outcomes.scenario(lengths: ["1s", "15s"]) { length, _ in
            length == "1s" ? 2 : 36
        }
        let page = HTMLReport(RunReport([outcome], material: "")).text
        let limits = page.matches(of: /class="limit[^"]*" d="(M[0-9.]+) 8V104"/).map(\.1)
        #expect(limits.count == 2 && Set(limits).count == 1, "\(limits)")
    }

    @Test("Points are called indistinct only where their seeds do not agree either (HN-05)")
    func indistinct() throws {
        let outcome = try Outcomes.scenario(lengths: ["1s", "15s"]) { length, _ in
            length == "1s" ? 2 : 9
        }
        let report = RunReport([outcome], material: "")
        func areIndistinct(_ rows: [[Int64]]) -> Bool {
            var report = report
            for (index, row) in rows.enumerated() {
                var point = report.scenarios[0].points[index]
                point.gates[0].value = row.max()
                point.gates[0].bySeed = row
                // So few runs bound nothing.
                point.gates[0].interval = GateReport.Interval()
                point.runs = row.indices.map {
                    .init(seed: UInt64($0), digest: "", components: [:], broken: [])
                }
                report.scenarios[0].points[index] = point
            }
            return ConsoleReport(report).text.contains("the points differ by less than")
        }
        #expect(areIndistinct([[1, 2, 3, 4, 9], [2, 1, 4, 3, 10]]))
        #expect(areIndistinct([[1, 2, 3], [2, 3, 4]]))
        #expect(!areIndistinct([[1, 2, 3, 4], [2, 3, 4, 5]]))
        #expect(!areIndistinct([[2, 3, 4, 5, 6], [1, 2, 3, 4, 5]]))
    }

    @Test("An unexpected pass is said in a sentence, and fails (HN-03)")
    func unexpectedPass() throws {
        let outcome = try Outcomes.scenario(fails: "It waits.") { _, _ in 8 }
        let report = text(outcome)
        #expect(report.contains("  passes, but is documented to fail: remove 'outcome: fail'"))
        #expect(report.contains("    because: It waits."))
        #expect(report.hasSuffix("FAIL: total-outage (1 of 1 scenario, 1 run)"))
    }

    @Test("The parts of reconnects stand in rows, the whole last, and the storm below (K-01a)")
    func parts() throws {
        var outcome = try Outcomes.scenario { _, _ in 8 }
        var rate = Distribution(resolution: 1)
        for count in [3, 40, 7] as [Int64] { rate.add(count) }
        Outcomes.judge(
            &outcome.points[0],
            [
                Outcomes.evidence(
                    seconds: 8,
                    more: [
                        Outcomes.time(
                            "session.reconnect.whole.time",
                            milliseconds: [8_000, 4_000]
                        ),
                        Outcomes.time("session.reconnect.time", milliseconds: [8_000]),
                        Outcomes.time(
                            "session.reconnect.detection.time",
                            milliseconds: [6_000, 3_000]
                        ),
                        Outcomes.time(
                            "session.reconnect.failed_quick.time",
                            milliseconds: [2_000, 1_000]
                        ),
                        MetricResult(
                            name: "session.attempts.rate",
                            unit: .count,
                            value: .distribution(rate)
                        ),
                    ]
                )
            ]
        )
        let report = text(outcome)
        #expect(
            report.contains(
                """
                  part of a reconnect   mean  p95  max  share  samples
                  detection            4.5 s  6 s  6 s   75 %        2
                  failed quick         1.5 s  2 s  2 s   25 %        2
                  whole                  6 s  8 s  8 s  100 %        2
                  storm: at most 40 attempts in one second
                """
            ),
            "\(report)"
        )
    }

    @Test("Of a sweep the mean parts stand side by side, a row per point (K-01a)")
    func partsOfSweep() throws {
        var outcome = try Outcomes.scenario(lengths: ["1s", "5s"]) { _, _ in 8 }
        for index in outcome.points.indices {
            let part = Int64(index + 1) * 1_000
            Outcomes.judge(
                &outcome.points[index],
                [
                    Outcomes.evidence(
                        seconds: 8,
                        more: [
                            Outcomes.time("session.reconnect.whole.time", milliseconds: [2 * part]),
                            Outcomes.time("session.reconnect.media.time", milliseconds: [part]),
                            Outcomes.time("session.reconnect.audible.time", milliseconds: [part]),
                        ]
                    )
                ]
            )
        }
        let report = text(outcome)
        #expect(
            report.contains(
                """
                  mean parts of a reconnect
                  outage  media  audible  whole
                  1s        1 s      1 s    2 s
                  5s        2 s      2 s    4 s
                """
            ),
            "\(report)"
        )
    }
}
