import PeerTransport
import SansIO
import SansIOTesting
import Testing

@Suite("The wait for a return to the radio, from one return to the next (S-HO-002)")
struct HandoverSecondRoundTests {
    /// A pair's end that notes when its phases begin; times are in whole seconds.
    private struct End {
        var handover = Handover()
        var entered: [(phase: Handover.Phase, at: Int64)] = []

        mutating func note(_ effects: [Handover.Effect], at instant: Instant) {
            for case .phaseChanged(let phase, _) in effects {
                entered.append((phase, instant.nanoseconds / 1_000_000_000))
            }
        }

        mutating func pass(until second: Int64) {
            let end = Instant.zero.advanced(by: .seconds(second))
            while let due = handover.deadline?.instant, due <= end {
                note(handover.wake(at: due), at: due)
            }
        }

        mutating func hear(_ events: Handover.Event..., at second: Int64) {
            pass(until: second)
            let now = Instant.zero.advanced(by: .seconds(second))
            for event in events { note(handover.handle(event, at: now), at: now) }
        }

        /// The radio comes, carries well, and goes.
        mutating func radio(_ seconds: ClosedRange<Int64>) {
            hear(
                .pathCameUp(.local),
                .pathActivated(.local),
                .judged(.good, .local),
                at: seconds.lowerBound
            )
            hear(.pathLost(.local), at: seconds.upperBound)
        }

        /// When the radio was last probed.
        var probed: Int64? { entered.last { $0.phase == .localProbing }?.at }
        /// When frames last went by the radio alone again.
        var returned: Int64? { entered.last { $0.phase == .localConnected }?.at }
    }

    /// A pair that fell back to the Internet at 10 s.
    private static func onInternet() -> End {
        var end = End()
        end.hear(
            .started,
            .pathCameUp(.local),
            .pathActivated(.local),
            .pathCameUp(.internet),
            .pathActivated(.internet),
            at: 0
        )
        end.hear(.pathLost(.local), at: 10)
        return end
    }

    @Test("A radio that shows itself again and again is probed as soon as one that stays")
    func looks() {
        var end = Self.onInternet()
        for second in [12, 14, 16] as [Int64] { end.radio(second...second + 1) }
        end.hear(.pathCameUp(.local), .pathActivated(.local), .judged(.good, .local), at: 18)
        end.pass(until: 60)
        #expect(end.probed == 22, "\(end.entered)")
    }

    @Test("After a return that did not last the next waits 10 s, whatever shows itself meanwhile")
    func brokenReturn() throws {
        for isSeenBetween in [false, true] {
            var end = Self.onInternet()
            end.radio(12...30)
            #expect(end.returned == 21)
            if isSeenBetween { end.radio(31...33) }
            let left: Int64 = isSeenBetween ? 33 : 30
            end.hear(.pathCameUp(.local), .pathActivated(.local), .judged(.good, .local), at: 35)
            end.pass(until: 120)
            #expect(end.probed == left + 10, "\(end.entered)")
        }
    }

    @Test("A wait that was doubled is not forgotten because the radio is seen a minute later")
    func seenLater() {
        var end = Self.onInternet()
        end.radio(12...30)
        // It is probed at once, and is bad: the next wait is twice as long once more.
        end.hear(.pathCameUp(.local), .pathActivated(.local), .judged(.bad, .local), at: 95)
        end.hear(.pathLost(.local), at: 100)
        end.hear(.pathCameUp(.local), .pathActivated(.local), .judged(.good, .local), at: 101)
        end.pass(until: 200)
        #expect(end.probed == 120, "\(end.entered)")
    }

    @Test("After a return that lasted for a minute the next waits 5 s again, as the first did")
    func lastingReturn() {
        var end = Self.onInternet()
        end.radio(12...30)
        end.hear(.pathCameUp(.local), .pathActivated(.local), .judged(.good, .local), at: 31)
        end.pass(until: 60)
        #expect(end.probed == 40 && end.returned == 46, "\(end.entered)")
        end.hear(.pathLost(.local), at: 110)
        end.hear(.pathCameUp(.local), .pathActivated(.local), .judged(.good, .local), at: 111)
        end.pass(until: 160)
        #expect(end.probed == 115, "\(end.entered)")
    }
}
