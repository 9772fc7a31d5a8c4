import Foundation
import Testing

@Suite("Simultaneous events may come in any order")
struct TieTests {
    private let workshop = Workshop()

    private func run(_ options: [String]) throws -> Kodama.End {
        try Kodama.run(["run", "--seeds", "2", "-q", "--json"] + options, in: Kodama.root)
    }

    /// Segments that reach a phone in one instant over one link once overtook each other here.
    @Test(
        "Shuffled ties move no figure of sessions that open, go to the background or meet a skewed clock (HN-01)",
        arguments: [
            ["Scenarios/session/background.yaml"], ["Scenarios/session/clock-skew.yaml"],
            ["Scenarios/session/cold-connect-poor.yaml", "--only", "radio=lte-fair"],
        ]
    )
    func sessions(scenario: [String]) throws {
        for (file, options) in [("one", []), ("other", ["--shuffle-ties", "2"])] {
            try workshop.write(try run(scenario + options).stdout, to: "\(file).json")
        }
        let end = try Kodama.run("compare", "one.json", "other.json", in: workshop.folder)
        #expect(end.status == 0, "\(end.stderr)")
        #expect(end.stdout.hasPrefix("EQUAL: no difference at all"), "\(end.stdout.prefix(300))")
    }

    /// Such a link loses by drawing packet after packet.
    ///
    /// Of those that several senders hand it in one instant, the order decides which is lost: other weather,
    /// and no fault.
    @Test(
        "On a link of constant delay that loses packets, ties decide which are lost, and no verdict (HN-01)"
    )
    func losses() throws {
        let scenario = [
            "Scenarios/session/cold-connect-poor.yaml", "--only", "radio=voip-loss-10-100ms",
        ]
        for options in [[], ["--shuffle-ties", "2"]] {
            let report = try run(scenario + options).json()
            let scenarios = try #require(report["scenarios"] as? [[String: Any]])
            let point = try #require((scenarios.first?["points"] as? [[String: Any]])?.first)
            let gates = try #require(point["gates"] as? [[String: Any]])
            let values = gates.compactMap { $0["value"] as? Int }
            #expect(values.count == 2 && values[0] <= 20_000_000_000 && values[1] == 0)
        }
    }
}
