@testable import KodamaEvidence
@testable import KodamaIntercom
import PeerTransport
import SansIO
import Testing

@Suite("Which phones are cut off, by the world's records (K-13)")
struct PhoneWaysTests {
    private static let names = ["a", "b", "a.intercom", "b.intercom", "a/b"]

    /// Whether two phones with a radio between them are cut off after these records.
    private static func isCut(_ forms: (any TraceForm, String)...) -> Bool {
        var builder = TraceBuilder(names)
        for (number, (form, component)) in forms.enumerated() {
            builder.add(form, at: Int64(number) * 1_000, component)
        }
        var ways = PhoneWays(builder.directory)
        for record in builder.records { _ = ways.take(record) }
        return ways.isCut(ComponentIndex(2), ComponentIndex(3))
    }

    private static func reached(_ reach: LinkReach) -> LinkReached {
        LinkReached(reach: reach, distanceMillimetres: 0, lostPartsPerMillion: 0)
    }

    private static func link(_ change: LinkChange) -> (any TraceForm, String) {
        (LinkChanged(disruption: change, parameter: 0), "a/b")
    }

    @Test("A jam that is over is no doubt any more: a link that stops then is cut")
    func afterJam() {
        #expect(!Self.isCut())
        #expect(Self.isCut(Self.link(.stopped)))
        #expect(!Self.isCut(Self.link(.jammed)), "what comes late comes")
        #expect(Self.isCut(Self.link(.jammed), Self.link(.restored), Self.link(.stopped)))
    }

    @Test("A link is open again after a stop and after a jam, however often")
    func again() {
        for change in [LinkChange.stopped, .jammed] {
            var forms: [(any TraceForm, String)] = []
            for _ in 0..<3 { forms += [Self.link(change), Self.link(.restored)] }
            var builder = TraceBuilder(Self.names)
            for (number, (form, component)) in forms.enumerated() {
                builder.add(form, at: Int64(number) * 1_000, component)
            }
            var ways = PhoneWays(builder.directory)
            for record in builder.records {
                _ = ways.take(record)
                let disruption = LinkChanged(record).disruption.value
                #expect(ways.reaches(0, 1) == (disruption == .restored))
            }
        }
    }

    @Test(
        "A phone at the edge of reach that goes on is too far away, and one that comes back is near"
    )
    func distance() {
        func reach(_ reach: LinkReach) -> (any TraceForm, String) {
            (Self.reached(reach), "a/b")
        }
        #expect(!Self.isCut(reach(.weak)))
        #expect(Self.isCut(reach(.weak), reach(.gone)))
        #expect(!Self.isCut(reach(.weak), reach(.gone), reach(.good)))
        #expect(Self.isCut(reach(.gone), reach(.good), reach(.gone)))
    }

    @Test("Whatever closes a way closes it while it lasts, and as well the second time")
    func whileItLasts() {
        let radio = Self.names
        let internet = ["a", "b", "a.intercom", "b.intercom", "a/cellular", "b/cellular", "match"]
        var causes: [([String], any TraceForm, any TraceForm, String)] = []
        for fault in [WorldFault.blackHole, .mediaCut, .signallingCut] {
            let (began, ended) = (FaultBegan(fault: fault, parameter: 0), FaultEnded(fault: fault))
            for component in ["a", "a/cellular"] {
                causes.append((internet, began, ended, component))
            }
        }
        let down = FaultBegan(fault: .radioDown, parameter: 0)
        let up = FaultBegan(fault: .radioUp, parameter: 0)
        causes.append((internet, down, up, "a/cellular"))
        let (off, on) = (
            PeerRadioSwitched(isOn: TraceFlag(false)), PeerRadioSwitched(isOn: TraceFlag(true))
        )
        causes.append((radio, off, on, "a.intercom"))
        causes.append((radio, Self.reached(.gone), Self.reached(.good), "a/b"))
        let stopped = LinkChanged(disruption: .stopped, parameter: 0)
        causes.append((radio, stopped, LinkChanged(disruption: .restored, parameter: 0), "a/b"))
        for (names, begins, ends, component) in causes {
            var builder = TraceBuilder(names)
            for round in 0..<2 as Range<Int64> {
                builder.add(begins, at: round * 2_000, component)
                builder.add(ends, at: round * 2_000 + 1_000, component)
            }
            var ways = PhoneWays(builder.directory)
            var isReached = [ways.reaches(0, 1)]
            for record in builder.records {
                _ = ways.take(record)
                isReached.append(ways.reaches(0, 1))
            }
            #expect(isReached == [true, false, true, false, true], "\(begins) of \(component)")
        }
    }

    @Test("A black hole outlasts a cut of media that ends within it, twice in a row")
    func withinBlackHole() {
        var builder = TraceBuilder([
            "a", "b", "a.intercom", "b.intercom", "a/wifi", "b/wifi", "match",
        ])
        for round in 0..<2 as Range<Int64> {
            let faults: [any TraceForm] = [
                FaultBegan(fault: .blackHole, parameter: 0),
                FaultBegan(fault: .mediaCut, parameter: 0), FaultEnded(fault: .mediaCut),
                FaultEnded(fault: .blackHole),
            ]
            for (step, fault) in faults.enumerated() {
                builder.add(fault, at: round * 10_000 + Int64(step) * 1_000, "a/wifi")
            }
        }
        var ways = PhoneWays(builder.directory)
        let isOffline = builder.records.map { record in
            _ = ways.take(record)
            return ways.isOffline(0)
        }
        #expect(isOffline == [true, true, true, false, true, true, true, false])
    }
}
