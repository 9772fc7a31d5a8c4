import PeerTransport
import SansIO
import Testing

@Suite("A pair that wants the Internet and cannot have it")
struct HandoverInternetTests {
    /// A handover that is driven by itself.
    private struct Pair {
        var handover = Handover()
        /// When the Internet was asked for, in ms.
        var requests: [Int64] = []

        mutating func hear(_ event: Handover.Event, atMillisecond millisecond: Int64) {
            var effects = EffectBuffer<Handover.Effect>()
            let now = Instant(nanoseconds: millisecond * 1_000_000)
            handover.handle(event, at: now, into: &effects)
            note(effects.effects, at: now)
        }

        mutating func run(toMillisecond millisecond: Int64) {
            while let due = handover.deadline?.instant, due.nanoseconds <= millisecond * 1_000_000 {
                var effects = EffectBuffer<Handover.Effect>()
                handover.wake(at: due, into: &effects)
                note(effects.effects, at: due)
            }
        }

        private mutating func note(_ effects: [Handover.Effect], at now: Instant) {
            for effect in effects where effect == .bringUpInternet {
                requests.append(now.nanoseconds / 1_000_000)
            }
        }
    }

    @Test("When there is a way again, what failed is asked for at once and as often as at first")
    func possibleAgain() {
        var pair = Pair()
        pair.hear(.started, atMillisecond: 0)
        pair.run(toMillisecond: 4_000)
        // It fails at once, four times: after 2, 4 and 8 s; the fifth attempt waits for 16.
        for _ in 0..<4 {
            pair.hear(.internetFailed, atMillisecond: pair.requests.last ?? 0)
            pair.run(toMillisecond: 20_000)
        }
        #expect(pair.requests == [4_000, 6_000, 10_000, 18_000])
        pair.hear(.internetPossible, atMillisecond: 21_000)
        #expect(pair.requests.last == 21_000 && !pair.handover.isInternetUnavailable)
        pair.hear(.internetFailed, atMillisecond: 21_000)
        pair.run(toMillisecond: 24_000)
        #expect(pair.requests.last == 23_000)
    }

    @Test("A way that is told of again while nothing has failed changes nothing")
    func possibleAllAlong() {
        var pair = Pair()
        pair.hear(.started, atMillisecond: 0)
        pair.run(toMillisecond: 4_000)
        pair.hear(.internetPossible, atMillisecond: 5_000)
        #expect(pair.requests == [4_000])
    }
}
