@testable import KodamaEvidence
@testable import KodamaHarness
import Testing

@Suite("Chains of shares in reports")
struct ChainReportTests {
    private static let links = ["armed", "rang", "noticed", "answered", "talked", "finished", "up"]

    /// A share of a hundred runs' mornings: the first `part` of the first `whole` runs have it.
    private func share(_ name: String, _ part: Int64, of whole: Int64, seed: UInt64) -> MetricResult
    {
        let isWhole = Int64(seed) <= whole
        let isPart = Int64(seed) <= part
        return MetricResult(
            name: name,
            unit: .partsPerMillion,
            direction: .higher,
            value: .proportion(
                Proportion(
                    numerator: isPart ? 1 : 0,
                    denominator: isWhole ? 1 : 0,
                    samples: isWhole ? 1 : 0
                )
            )
        )
    }

    /// A report of a hundred mornings, so many of which each link kept.
    private func report(
        kept: [Int64],
        success: Int64,
        known: (Int64, of: Int64)
    ) throws -> RunReport {
        var outcome = try Outcomes.scenario { _, _ in 8 }
        let runs = (1...100).map { (seed: UInt64) -> RunEvidence in
            var shares: [MetricResult] = []
            var whole: Int64 = 100
            for (link, part) in zip(Self.links, kept) {
                shares.append(share("wake.chain.\(link)", part, of: whole, seed: seed))
                whole = part
            }
            shares.append(share("wake.success.rate", success, of: 100, seed: seed))
            shares.append(share("wake.success.app_rate", known.0, of: known.of, seed: seed))
            return Outcomes.evidence(seed: seed, seconds: 8, more: shares)
        }
        Outcomes.judge(&outcome.points[0], runs)
        var report = RunReport([outcome], material: "")
        // Only chains that a gate speaks of are printed.
        report.scenarios[0].points[0].gates[0].metric = "wake.success.rate"
        return report
    }

    private func usual() throws -> RunReport {
        try report(kept: [100, 90, 90, 60, 60, 50, 50], success: 50, known: (50, of: 60))
    }

    @Test(
        "The console shows each link, its interval, the product and the app's own rate (K-23, D-26)"
    )
    func console() throws {
        let lines = ChainTable(try usual().scenarios[0]).lines
        #expect(
            lines == [
                "  chain of mornings  kept   of   share     95 % interval  lost of all",
                "  armed               100  100   100 %   96.4 % to 100 %          0 %",
                "  rang                 90  100    90 %  82.4 % to 95.1 %         10 %",
                "  noticed              90   90   100 %     96 % to 100 %          0 %",
                "  answered             60   90  66.7 %  55.9 % to 76.3 %         30 %",
                "  talked               60   60   100 %     94 % to 100 %          0 %",
                "  finished             50   60  83.3 %  71.5 % to 91.7 %         10 %",
                "  up                   50   50   100 %   92.9 % to 100 %          0 %",
                "  = success            50  100    50 %  39.8 % to 60.2 %         50 %",
                "  app's own success    50   60  83.3 %  71.5 % to 91.7 %",
                "  the app's own analytics show 83.3 % of 60 mornings, where 50 % of 100 is true",
            ]
        )
    }

    @Test("A chain that no gate speaks of is in the JSON and the page, not in the console (K-23)")
    func ungated() throws {
        var report = try usual()
        report.scenarios[0].points[0].gates[0].metric = "voice.late"
        #expect(ChainTable(report.scenarios[0]).lines == [])
        #expect(String(decoding: try report.json, as: UTF8.self).contains("\"chains\":[{"))
        #expect(HTMLReport(report).text.contains("Chain of mornings"))
    }

    @Test("The JSON has the exact numbers of each link, and reads back (K-23)")
    func json() throws {
        let report = try usual()
        let chain = try #require(report.scenarios[0].points[0].chains?.first)
        #expect(chain.links.map(\.part) == [100, 90, 90, 60, 60, 50, 50])
        #expect(chain.links.map(\.whole) == [100, 100, 90, 90, 60, 60, 50])
        #expect(chain.multiplies)
        #expect(try RunReport(json: try report.json) == report)
    }

    @Test("Every number of the page is in the JSON, and the finding names the worst link (K-23)")
    func page() throws {
        let report = try usual()
        let page = HTMLReport(report).text
        #expect(page.contains("Of 100 mornings, 50 % came to the end. Most were lost at"))
        #expect(page.contains("answered: lost 30"))
        let json = String(decoding: try report.json, as: UTF8.self)
        let known = Set(json.split { !($0.isNumber || $0 == "-") })
        for number in page.matches(of: /data-value="(-?\d+)"/).map(\.1) {
            #expect(known.contains(number), "\(number)")
        }
    }

    @Test("Links that do not multiply to the whole are said not to (K-23)")
    func broken() throws {
        let broken = try report(
            kept: [100, 90, 90, 60, 60, 50, 40],
            success: 50,
            known: (0, of: 0)
        )
        let chain = try #require(broken.scenarios[0].points[0].chains?.first)
        #expect(!chain.multiplies)
        #expect(chain.known == nil)
        let lines = ChainTable(broken.scenarios[0]).lines
        #expect(lines.last == "  the links do not multiply to success")
    }

    @Test("A chain ends where nothing came to the next link (K-23)")
    func ends() throws {
        let ended = try report(kept: [100, 0, 0, 0, 0, 0, 0], success: 0, known: (0, of: 0))
        let chain = try #require(ended.scenarios[0].points[0].chains?.first)
        #expect(chain.links.map(\.name) == ["armed", "rang"])
        #expect(chain.multiplies)
        #expect(chain.lost(at: chain.links[1]) == 1_000_000)
    }

    @Test("A chain of a metric that is no share is refused (K-23)")
    func undeclared() async {
        await #expect(processExitsWith: .failure) {
            var system = EvidenceSystem(SystemID(200), forms: [])
            system.chains = [
                MetricChain("things", links: [], whole: .init("whole", "nothing.measures.this"))
            ]
            _ = Systems.core + [system]
        }
    }
}
