@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaPhone
@testable import KodamaSession
@testable import KodamaSimulation
import RealtimeVoice
import SansIO
import Testing

@Suite("A run with sessions depends on nothing but plan and seed")
struct SessionDeterminismTests {
    /// Half a minute in which the path is lost twice, on links that lose packets.
    private static func plan(_ voice: VoiceMode) -> WorldPlan {
        var direction = LinkDirection.after(.milliseconds(30))
        direction.loss = .gilbert(p: .percent(1), r: .percent(40))
        direction.jitter = .halfNormal(deviation: .milliseconds(10))
        var plan = WorldPlan.session(voice, lasting: .seconds(40), over: direction)
        plan.at(.seconds(8), .phone(.block(nil, nil, lasting: .seconds(9))))
        plan.at(.seconds(27), .phone(.radio(.wifi, isUp: false, .immediate)))
        return plan
    }

    @Test(
        "The same plan and seed give the same records; another seed gives others (HN-01)",
        arguments: [VoiceMode.sized, .reachability]
    )
    func sameSeed(voice: VoiceMode) throws {
        let run = try WorldRun(Self.plan(voice), seed: 7)
        let again = try WorldRun(Self.plan(voice), seed: 7)
        #expect(run.trace == again.trace)
        #expect(run.digest.run == again.digest.run)
        #expect(run.digest.run != (try WorldRun(Self.plan(voice), seed: 8)).digest.run)
        #expect(run.violationCount == 0)
        #expect(run.distribution("session.reconnect.whole.time")?.count ?? 0 > 0)
    }

    @Test(
        "A phone whose app is never opened leaves everybody's records and all metrics as they were (HN-01)",
        arguments: [true, false],
        [VoiceMode.sized, .reachability]
    )
    func bystander(isFirst: Bool, voice: VoiceMode) throws {
        let plan = Self.plan(voice)
        var crowded = plan
        crowded.addSession("taro-phone", opens: nil, first: isFirst)
        let without = try WorldRun(plan, seed: 3)
        let with = try WorldRun(crowded, seed: 3)
        for (name, digest) in without.digest.components {
            #expect(with.digest.digest(of: name) == digest, "\(name)")
        }
        #expect(with.metrics == without.metrics)
    }

    @Test(
        "A second conversation leaves the first phone's own records as they were (HN-01)",
        arguments: [true, false]
    )
    func neighbour(isFirst: Bool) throws {
        let plan = Self.plan(.reachability)
        var crowded = plan
        crowded.addSession("taro-phone", opens: .seconds(2), first: isFirst)
        let without = try WorldRun(plan, seed: 3)
        let with = try WorldRun(crowded, seed: 3)
        for name in ["mika-phone", "mika-phone/wifi", "mika-phone/cellular"] {
            #expect(with.digest.digest(of: name) == without.digest.digest(of: name), "\(name)")
        }
        #expect(!with.records(AudioFlowing.self, of: "taro-phone").isEmpty)
    }

    /// On a clean link, where packets that change places do not draw each other's delay.
    ///
    /// Checks leave every 48 ms (libwebrtc), and which of two pairs is checked first is a tie; probes leave
    /// every 500 ms, from an instant that such a tie may move.
    @Test(
        "Shuffling simultaneous deliveries breaks no invariant and moves no reconnect by more than four connectivity checks and a probe (HN-01)",
        arguments: [VoiceMode.sized, .reachability]
    )
    func tieOrder(voice: VoiceMode) throws {
        var plan = WorldPlan.session(voice, lasting: .seconds(60))
        plan.at(.seconds(8), .phone(.block(nil, nil, lasting: .seconds(9))))
        plan.at(.seconds(30), .phone(.block(nil, nil, lasting: .seconds(20))))
        let natural = try WorldRun(plan, seed: 5)
        let whole = try #require(natural.distribution("session.reconnect.whole.time"))
        #expect(whole.count == 2)
        for shuffle in 1...3 as ClosedRange<UInt64> {
            let shuffled = try WorldRun(plan, seed: 5, tieShuffleSeed: shuffle)
            let broken = shuffled.invariants.filter { $0.violationCount > 0 }.map(\.name)
            #expect(broken.isEmpty, "shuffled by \(shuffle)")
            // A black hole is no agent that has gone, in whatever order its signs come.
            #expect(
                shuffled.proportion("session.rooms.doubled")?.numerator == 0,
                "shuffled by \(shuffle)"
            )
            let other = try #require(shuffled.distribution("session.reconnect.whole.time"))
            #expect(other.count == whole.count)
            for (one, two) in [(whole.minimum, other.minimum), (whole.maximum, other.maximum)] {
                let difference = abs(try #require(one) - #require(two))
                #expect(difference <= 692_000_000, "\(shuffle): \(one ?? 0), \(two ?? 0)")
            }
        }
    }
}
