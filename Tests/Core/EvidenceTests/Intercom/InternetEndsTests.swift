@testable import KodamaEvidence
@testable import KodamaIntercom
import SansIO
import SansIOTesting
import Testing

@Suite("When phones were cut off from each other, kept by link and phone (K-13)")
struct InternetEndsTests {
    private static let names = [
        "a", "b", "c", "a.intercom", "b.intercom", "c.intercom", "a/b", "a/wifi", "a/cellular",
        "b/cellular",
    ]

    /// What befalls somebody at a millisecond.
    private static func record(
        at millisecond: Int64,
        in names: [String],
        _ random: inout LawRandom
    ) -> TraceRecord {
        let (radios, phones) = (["a/wifi", "a/cellular", "b/cellular"], ["a", "a/wifi"])
        let form: any TraceForm
        let component: String
        switch random.below(5) {
        case 0:
            let changes: [LinkChange] = [.stopped, .jammed, .restored, .changed]
            form = LinkChanged(disruption: changes[random.below(4)], parameter: 0)
            component = "a/b"
        case 1:
            let reach = ([.good, .weak, .gone] as [LinkReach])[random.below(3)]
            form = LinkReached(reach: reach, distanceMillimetres: 0, lostPartsPerMillion: 0)
            component = "a/b"
        case 2:
            form = PeerRadioSwitched(isOn: TraceFlag(random.below(2) == 0))
            component = ["a.intercom", "b.intercom"][random.below(2)]
        case 3:
            let faults: [WorldFault] = [.blackHole, .mediaCut, .radioDown, .radioUp]
            form = FaultBegan(fault: faults[random.below(4)], parameter: 0)
            component = (radios + phones)[random.below(5)]
        default:
            let faults: [WorldFault] = [.blackHole, .mediaCut]
            form = FaultEnded(fault: faults[random.below(2)])
            component = (radios + phones)[random.below(5)]
        }
        let index = ComponentIndex(names.firstIndex(of: component) ?? 0)
        return TraceRecord(form, at: .ns(millisecond * 1_000_000), of: index)
    }

    @Test(
        "They are what looking at both phones after each record finds",
        arguments: [[], ["match"]],
        1...20 as ClosedRange<UInt64>
    )
    func model(services: [String], seed: UInt64) {
        let names = Self.names + services
        let directory = TraceDirectory(names: names, systems: .shipped)
        var (ends, ways) = (InternetEnds(directory), PhoneWays(directory))
        var random = LawRandom(seed: seed)
        let pairs = [(3, 4), (3, 5)].map { (ComponentIndex($0), ComponentIndex($1)) }
        var cuts: [[Span]] = [[], []]
        for millisecond in 1...200 as ClosedRange<Int64> {
            let record = Self.record(at: millisecond, in: names, &random)
            ends.record(record)
            _ = ways.take(record)
            for (pair, (one, other)) in pairs.enumerated() where ways.isCut(one, other) {
                let now = record.instant.nanoseconds
                cuts[pair].append(Span(start: now, end: now + 1_000_000))
            }
        }
        for (pair, (one, other)) in pairs.enumerated() {
            for from in [0, 57, 120, 180] as [Int64] {
                let span = Span(start: from * 1_000_000, end: 201_000_000)
                let found = ends.cuts(between: one, and: other, since: span.start)
                #expect(found.intersection(span) == Spans(cuts[pair]).intersection(span))
            }
        }
        #expect(!cuts[0].isEmpty)
    }
}
