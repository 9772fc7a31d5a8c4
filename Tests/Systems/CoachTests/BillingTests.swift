import CoachExchange
import KodamaEvidence
import SansIO
import Testing

@testable import KodamaCoach

@Suite(
    "The billing service never costs a paying user their access, nor gives it after the end (D-27)"
)
struct BillingTests {
    private static let start = WallTime(secondsSince1970: 1_800_000_000)

    private static func store(
        _ subscriber: Subscriber,
        outage: ClosedRange<Int> = 0...0
    ) -> AppStore {
        var configuration = BillingConfiguration()
        configuration.subscriber = subscriber
        configuration.outageBegins = .seconds(outage.lowerBound * 86_400)
        configuration.outageLength = .seconds(outage.count * 86_400 - 86_400)
        return AppStore(configuration, originalID: "7", seed: 1, start: start)
    }

    private static func day(_ day: Int) -> Instant {
        Instant.zero.advanced(by: .seconds(day * 86_400))
    }

    private static func wall(_ day: Int) -> WallTime { start.advanced(by: .seconds(day * 86_400)) }

    private static func says(_ store: AppStore, at day: Int) throws -> Subscription {
        let verifier = try #require(AppStore.verifier(of: 1))
        return try #require(verifier.verify(store.signed(afterNews: store.news(at: Self.day(day)))))
    }

    @Test("A period is renewed before it ends, again and again")
    func renewing() throws {
        let store = Self.store(.renewing)
        #expect([0, 2, 3, 32, 33].map { store.news(at: Self.day($0)) } == [0, 0, 1, 1, 2])
        #expect(try Self.says(store, at: 2).expires == Self.wall(3))
        #expect(try Self.says(store, at: 3).expires == Self.wall(33))
        #expect(store.right(afterNews: 1).isDueUntil == Self.day(33))
    }

    @Test("A charge that fails begins the grace; what was cancelled has none")
    func ends() throws {
        let failing = Self.store(.failing)
        #expect(try Self.says(failing, at: 2).isInBillingRetry == false)
        let failed = try Self.says(failing, at: 4)
        #expect(failed.isInBillingRetry && failed.graceEnds == Self.wall(19))
        #expect(failing.right(afterNews: 1).ends == Self.day(19))
        let cancelled = try Self.says(Self.store(.cancelled), at: 9)
        #expect(!cancelled.renews && cancelled.expires == Self.wall(3))
    }

    @Test("It is down from the first instant of an outage until the last, and says when it moves")
    func outage() {
        let store = Self.store(.failing, outage: 2...12)
        #expect(
            [1, 2, 11, 12].map { store.isDown(at: Self.day($0)) } == [false, true, true, false]
        )
        #expect(store.next(after: .zero) == Self.day(2))
        #expect(store.next(after: Self.day(2)) == Self.day(3))
        #expect(store.next(after: Self.day(3)) == Self.day(12))
        #expect(store.next(after: Self.day(12)) == nil)
    }

    @Test(
        "A clock that is set by hand while no server can be reached costs no talk, once it is right (D-27)"
    )
    func clockByHand() throws {
        for offset in ["672h", "-672h"] {
            let story = try CoachStory(
                app: "account: mika,",
                radios: "wifi: wifi-internet",
                parameters: """
                    sleeper.kind: light, billing.subscriber: renewing, coach.ends_overnight: 0%
                    """,
                timeline: """
                      - { at: 60h, do: { outage: { of: mika-phone-1, for: 100h } } }
                      - { at: 263000s, do: { set-clock: { of: mika-phone-1, to: \(offset) } } }
                      - { at: 263400s, do: { end-process: { of: mika-phone-1 } } }
                      - { at: 264000s, do: { user: { of: mika-phone-1, does: open-app } } }
                      - { at: 264600s, do: { set-clock: { of: mika-phone-1, to: 0s } } }
                    """,
                duration: "170h"
            )
            let access = try story.share("entitlement.access.rate")
            #expect(access.part == access.whole && access.whole > 8)
            let wrong = story.records(AccessShown.self).filter {
                $0.at >= Instant.zero.advanced(by: .seconds(263_000))
                    && $0.1.status.value?.isEntitled == false
            }
            #expect(wrong.count == (offset == "672h" ? 1 : 0), "until it is put right")
        }
    }

    @Test("What another key has signed is no subscription")
    func keys() throws {
        let signed = Self.store(.renewing).signed(afterNews: 0)
        #expect(try #require(AppStore.verifier(of: 2)).verify(signed) == nil)
    }

    private static func shown(_ parameters: String) throws -> [ShownAccess] {
        let story = try CoachStory(
            app: "account: mika,",
            radios: "wifi: wifi-internet",
            parameters: "sleeper.kind: light, " + parameters,
            duration: "508h"
        )
        #expect(try story.count("entitlement.lockouts").total == 0)
        #expect(try story.count("entitlement.overruns").total == 0)
        var shown: [ShownAccess] = []
        for (_, form) in story.records(AccessShown.self) {
            guard let status = form.status.value, status != shown.last else { continue }
            shown.append(status)
        }
        return shown
    }

    @Test(
        "In ten days of outage a paid period goes over into its grace, and is paid for at its end"
    )
    func paid() throws {
        let outage = "billing.outage.begins: 48h, billing.outage.length: 240h"
        #expect(try Self.shown("billing.subscriber: renewing") == [.paid])
        let through = try Self.shown("billing.subscriber: renewing, " + outage)
        #expect(through == [.paid, .grace, .paid])
        let failing = try Self.shown("billing.subscriber: failing, " + outage)
        #expect(failing == [.paid, .grace, .ended])
        let cancelled = try Self.shown("billing.subscriber: cancelled, " + outage)
        #expect(cancelled == [.paid, .ended])
    }
}
