import KodamaEvidence
import KodamaLanguage
import SansIO
import Testing

@testable import KodamaCoach

@Suite("Who has access, against who has a right to it")
struct BillingMeterTests {
    private let directory = TraceDirectory(
        names: ["mika-phone", "mika-phone.coach"],
        systems: CoachStory.registry.evidence
    )

    /// A meter's parts and wholes after records at these nanoseconds.
    private func figures(_ forms: [(Int64, any TraceForm)]) -> [String: [Int64]] {
        var meter = BillingMeter()
        for (time, form) in forms {
            let record = TraceRecord(form, at: Instant(nanoseconds: time), of: ComponentIndex(1))
            let isBilling = meter.take(record)
            #expect(isBilling)
        }
        var found: [String: [Int64]] = [:]
        for measure in meter.metrics {
            let result = measure.result(TraceLines(directory))
            switch result.value {
            case .proportion(let share): found[result.name] = [share.numerator, share.denominator]
            case .count(let tally): found[result.name] = [tally.total, Int64(tally.samples)]
            case .distribution: Issue.record("\(result.name) is neither a share nor a count")
            }
        }
        return found
    }

    private static let second: Int64 = 1_000_000_000
    private static let (due, end) = (100 * second, 200 * second)

    private func right(_ account: Int64, until due: Int64, _ end: Int64) -> any TraceForm {
        RightChanged(
            account: account,
            isDueUntil: Instant(nanoseconds: due),
            ends: Instant(nanoseconds: end)
        )
    }

    private func used(_ account: Int64, _ hasAccess: Bool) -> any TraceForm {
        AccessUsed(account: account, hasAccess: TraceFlag(hasAccess))
    }

    private func shown(_ account: Int64, _ status: ShownAccess) -> any TraceForm {
        AccessShown(account: account, status: TraceWord(status))
    }

    @Test("A period ends at its instant, and an app has a second to say so (AN-13, D-27)")
    func ends() {
        // When, and: a right to it, none any more, none for a second.
        let times: [(Int64, isDue: Bool, isOver: Bool, isLate: Bool)] = [
            (Self.due - 1, true, false, false), (Self.due, false, false, false),
            (Self.end - 1, false, false, false), (Self.end, false, true, false),
            (Self.end + Self.second - 1, false, true, false),
            (Self.end + Self.second, false, true, true),
        ]
        for (time, isDue, isOver, isLate) in times {
            for hasAccess in [false, true] {
                let figures = figures([
                    (0, right(1, until: Self.due, Self.end)), (time, used(1, hasAccess)),
                ])
                let access: Int64 = hasAccess ? 1 : 0
                #expect(figures["entitlement.access.rate"] == (isDue ? [access, 1] : [0, 0]))
                #expect(figures["entitlement.overrun.rate"] == (isOver ? [access, 1] : [0, 0]))
                #expect(figures["entitlement.lockouts"] == (isDue ? [1 - access, 1] : [0, 0]))
                #expect(figures["entitlement.overruns"] == (isLate ? [access, 1] : [0, 0]))
                #expect(figures["entitlement.outage.share"] == [0, 1])
            }
        }
    }

    @Test("What an app shows is judged by the account's own right, as it was last (AN-13)")
    func statuses() {
        let rights = [
            (Int64(0), right(1, until: Self.due, Self.end)),
            (0, right(2, until: 1, 2)),
        ]
        for status in ShownAccess.allCases {
            let isEntitled = [.trial, .paid, .grace].contains(status)
            let paid = figures(rights + [(Self.second, shown(1, status))])
            #expect(paid["entitlement.lockouts"] == [isEntitled ? 0 : 1, 1], "\(status)")
            #expect(paid["entitlement.access.rate"] == [0, 0], "showing is no talk")
            let over = figures(rights + [(2 * Self.second, shown(2, status))])
            #expect(over["entitlement.overruns"] == [isEntitled ? 1 : 0, 1], "\(status)")
            let unknown = figures(rights + [(Self.second, shown(3, status)), (9, used(3, true))])
            #expect(unknown.values.allSatisfy { $0 == [0, 0] })
            // A renewal gives the right again, and its end takes it again.
            let renewed = figures(
                rights + [
                    (3, right(2, until: Self.due, Self.end)), (2 * Self.second, shown(2, status)),
                    (2 * Self.second, right(2, until: 1, 2)), (3 * Self.second, shown(2, status)),
                ]
            )
            #expect(renewed["entitlement.lockouts"] == [isEntitled ? 0 : 1, 1])
            #expect(renewed["entitlement.overruns"] == [isEntitled ? 1 : 0, 1])
        }
    }

    @Test(
        "Talks in an outage are told apart by account, in the second outage as in the first (D-27)"
    )
    func outages() {
        let forms: [(Int64, any TraceForm)] = [
            (0, right(1, until: Self.due, Self.end)), (0, right(2, until: Self.due, Self.end)),
            (1, used(1, true)), (2, BillingReach(account: 1, isUp: TraceFlag(false))),
            (3, used(1, true)), (3, used(2, true)),
            (4, BillingReach(account: 1, isUp: TraceFlag(true))), (5, used(1, true)),
            (6, BillingReach(account: 1, isUp: TraceFlag(false))), (7, used(1, true)),
        ]
        #expect(figures(forms)["entitlement.outage.share"] == [2, 5])
        #expect(figures(forms)["entitlement.access.rate"] == [5, 5])
    }
}
