import AppServer
import CoachAccount
import CoachExchange
import SansIO
import SansIOTesting
import Testing

@Suite("Who has paid is not locked out before the grace ends, nobody gets in after (AN-13, D-27)")
struct EntitlementsTests {
    private static let day: Int64 = 86_400
    private static let start: Int64 = 1_800_000_000
    private let appStore = AppStore()

    /// One phone without a server, at each hour: when it has access, in hours from the start.
    private func access(
        _ signed: SignedSubscription?,
        policy: EntitlementPolicy,
        fetched: Int64? = nil,
        days: Int64 = 60
    ) throws -> [Bool] {
        let verifier = try #require(appStore.verifier)
        var machine = Entitlements(verifier: verifier, policy: policy, seed: 1)
        let record = EntitlementRecord(subscription: signed, fetched: fetched.map(time))
        var now = Instant.zero
        _ = machine.drive(.opened(record, clock: time(Self.start)), at: now)
        var hours: [Bool] = []
        for hour in 0..<days * 24 {
            let next = Instant.zero.advanced(by: .seconds(hour * 3_600))
            while let due = machine.deadline?.instant, due <= next {
                now = max(now, due)
                _ = machine.drive(nil, at: now)
            }
            hours.append(machine.status?.isEntitled ?? false)
        }
        return hours
    }

    private func ends(_ hours: [Bool]) -> Int { hours.firstIndex(of: false) ?? hours.count }

    @Test("What StoreKit has at hand counts from the first word on: nobody sees a lock in between")
    func current() throws {
        let signed = appStore.subscription(expires: Self.start + Self.day, signed: Self.start)
        let verifier = try #require(appStore.verifier)
        var machine = Entitlements(verifier: verifier, seed: 1)
        let opened = Entitlements.Event.opened(
            EntitlementRecord(),
            clock: time(Self.start),
            current: signed
        )
        let effects = machine.drive(opened, at: .zero)
        let shown = effects.compactMap { if case .show(let status) = $0 { status } else { nil } }
        #expect(shown == [.paid(until: time(Self.start + Self.day))])
        let kept = effects.compactMap { if case .keep(let record) = $0 { record } else { nil } }
        #expect(kept.map(\.subscription) == [signed])
    }

    @Test("What another user of the phone has bought gives no access, and is not sent (AN-13)")
    func others() throws {
        let verifier = try #require(appStore.verifier)
        let signed = appStore.subscription(expires: Self.start + Self.day, signed: Self.start)
        let renewed = appStore.subscription(
            expires: Self.start + 2 * Self.day,
            signed: Self.start + 60
        )
        let own = appStore.subscription(
            expires: Self.start + Self.day,
            signed: Self.start + 30,
            id: "8"
        )
        var machine = Entitlements(verifier: verifier, seed: 1)
        let opened = Entitlements.Event.opened(
            EntitlementRecord(),
            clock: time(Self.start),
            current: signed,
            others: [signed]
        )
        var effects = machine.drive(opened, at: .zero)
        effects += machine.drive(.transactionUpdated(renewed), at: .zero)
        #expect(machine.status == EntitlementStatus.none)
        let sent = effects.compactMap {
            if case .callServer(_, let request) = $0 { request } else { nil }
        }
        #expect(sent == [.entitlement(nil)])
        // What the user buys is theirs.
        let bought = machine.drive(.transactionUpdated(own), at: .zero)
        #expect(machine.status?.isEntitled == true)
        #expect(bought.contains { if case .keep = $0 { true } else { false } })
        #expect(machine.drive(.transactionUpdated(renewed), at: .zero).isEmpty)
    }

    @Test("An outage of ten days over a renewal locks out with the preset, and not with the grace")
    func outage() throws {
        let expires = Self.start + 2 * Self.day
        let signed = appStore.subscription(expires: expires, signed: Self.start)
        let grace = try access(signed, policy: .standard, fetched: Self.start)
        #expect(ends(grace) == (2 + 16) * 24)
        let specified = try access(signed, policy: .asSpecified, fetched: Self.start)
        #expect(ends(specified) == 3 * 24)
        #expect(ends(try access(signed, policy: .asSpecified, fetched: expires + 1)) == 2 * 24)
        #expect(!grace[ends(grace)...].contains(true))
        // A period that outlasts the span behind the last fetch counts to its own end.
        let long = appStore.subscription(expires: Self.start + 5 * Self.day, signed: Self.start)
        #expect(ends(try access(long, policy: .asSpecified, fetched: Self.start)) == 5 * 24)
    }

    @Test(
        "The signed grace counts where there is one; cancelled, unpaid or taken back there is none"
    )
    func grace() throws {
        let expires = Self.start + Self.day
        func hours(_ signed: SignedSubscription) throws -> Int {
            ends(try access(signed, policy: .standard))
        }
        let store = appStore
        let signed = Self.start
        let graceEnds = expires + 3 * Self.day
        #expect(
            try hours(store.subscription(expires: expires, signed: signed, graceEnds: graceEnds))
                == 96
        )
        #expect(
            try hours(store.subscription(expires: expires, signed: signed, renews: false)) == 24
        )
        #expect(
            try hours(
                store.subscription(expires: expires, signed: signed, isInBillingRetry: true)
            ) == 24
        )
        let taken = store.subscription(expires: expires, signed: signed, revoked: signed + 3_600)
        #expect(try hours(taken) == 1)
        // Neither a grace that ends before the period nor a later end of what has ended counts.
        let early = store.subscription(expires: expires, signed: signed, graceEnds: signed + 3_600)
        #expect(try hours(early) == 24)
        let late = store.subscription(expires: expires, signed: signed, revoked: expires + 3_600)
        #expect(try hours(late) == 24)
        #expect(try hours(AppStore().subscription(expires: expires, signed: signed)) == 0)
        #expect(Entitlements.isNone(try access(nil, policy: .standard, days: 1)))
    }

    @Test(
        "A trial becomes paid by a newer transaction only, and time moves the status to the second"
    )
    func trial() throws {
        let verifier = try #require(appStore.verifier)
        var machine = Entitlements(verifier: verifier, seed: 1)
        let trial = appStore.subscription(
            expires: Self.start + 100,
            signed: Self.start,
            isTrial: true,
            renews: false
        )
        let paid = appStore.subscription(expires: Self.start + 200, signed: Self.start + 50)
        let record = EntitlementRecord(subscription: trial)
        #expect(machine.status == nil, "nobody is locked out before the store is open")
        _ = machine.drive(.opened(record, clock: time(Self.start)), at: .zero)
        #expect(machine.status == .trial(until: time(Self.start + 100)))
        let later = Instant.zero.advanced(by: .seconds(50))
        _ = machine.drive(.transactionUpdated(paid), at: later)
        #expect(machine.status == .paid(until: time(Self.start + 200)))
        _ = machine.drive(.transactionUpdated(trial), at: later)
        #expect(machine.status == .paid(until: time(Self.start + 200)))
        var now = later
        while let due = machine.deadline?.instant, due <= .zero.advanced(by: .seconds(200)) {
            now = due
            _ = machine.drive(nil, at: now)
        }
        #expect(now == .zero.advanced(by: .seconds(200)))
        guard case .grace = machine.status else {
            Issue.record("another status")
            return
        }
    }

    @Test("A clock that is set back prolongs nothing; one that is ahead is put right by the server")
    func clocks() throws {
        let verifier = try #require(appStore.verifier)
        let signed = appStore.subscription(expires: Self.start, signed: Self.start, renews: false)
        var back = Entitlements(verifier: verifier, seed: 1)
        let record = EntitlementRecord(subscription: signed)
        _ = back.drive(.opened(record, clock: time(Self.start - 9 * Self.day)), at: .zero)
        #expect(back.status == .ended(time(Self.start)))
        _ = back.drive(.clockJumped(time(5)), at: .zero)
        #expect(back.status == .ended(time(Self.start)))

        let paid = appStore.subscription(expires: Self.start + Self.day, signed: Self.start)
        var ahead = Entitlements(verifier: verifier, seed: 1)
        let other = EntitlementRecord(subscription: paid)
        let effects = ahead.drive(
            .opened(other, clock: time(Self.start + 400 * Self.day)),
            at: .zero
        )
        #expect(ahead.status?.isEntitled == false)
        var operation: OperationID?
        for case .callServer(let asked, _) in effects { operation = asked }
        let answer = CoachAnswer.entitlement(nil, time: time(Self.start + 1))
        _ = ahead.drive(.serverAnswered(try #require(operation), answer), at: .zero)
        #expect(ahead.status == .paid(until: time(Self.start + Self.day)))
    }

    @Test("A clock that is set by hand in the grace takes nothing, gives nothing, and asks (D-27)")
    func setByHand() throws {
        let verifier = try #require(appStore.verifier)
        let policy = EntitlementPolicy.signedGrace(.seconds(16 * Self.day))
        let signed = appStore.subscription(expires: Self.start + Self.day, signed: Self.start)
        var machine = Entitlements(verifier: verifier, policy: policy, seed: 1)
        let record = EntitlementRecord(subscription: signed)
        _ = machine.drive(.opened(record, clock: time(Self.start + 2 * Self.day)), at: .zero)
        let grace = EntitlementStatus.grace(until: time(Self.start + 17 * Self.day))
        #expect(machine.status == grace)
        var now = Instant.zero
        for _ in 0..<2 {
            // The first question has failed and waits to be asked again.
            if let due = machine.deadline?.instant { _ = machine.drive(nil, at: due) }
            now = now.advanced(by: .seconds(60))
            let ahead = machine.drive(.clockJumped(time(Self.start + 400 * Self.day)), at: now)
            #expect(machine.status == grace)
            #expect(ahead.contains { if case .callServer = $0 { true } else { false } })
        }
        // Ten days later it is set back: the period's own time does not begin anew.
        now = now.advanced(by: .seconds(10 * Self.day))
        _ = machine.drive(.clockJumped(time(5)), at: now)
        #expect(machine.status == grace)
        // What has passed since the App Store has signed counts, whatever the clock shows.
        now = now.advanced(by: .seconds(7 * Self.day))
        _ = machine.drive(.clockJumped(time(5)), at: now)
        #expect(machine.status == .ended(time(Self.start + 17 * Self.day)))
    }

    @Test("A clock that was ahead and is put right gives access back without the server (D-27)")
    func putRight() throws {
        let verifier = try #require(appStore.verifier)
        let signed = appStore.subscription(expires: Self.start + Self.day, signed: Self.start)
        let record = EntitlementRecord(subscription: signed)
        var machine = Entitlements(verifier: verifier, seed: 1)
        _ = machine.drive(.opened(record, clock: time(Self.start + 400 * Self.day)), at: .zero)
        #expect(machine.status?.isEntitled == false)
        _ = machine.drive(.clockJumped(time(Self.start + 60)), at: .zero)
        #expect(machine.status == .paid(until: time(Self.start + Self.day)))
    }

    @Test("The receipt is checked until the server answers; its notices reach the phone")
    func server() throws {
        let verifier = try #require(appStore.verifier)
        let town = try CoachTown(seed: 2) { $0.coach.subscriptions = verifier }
        let start = town.wall.secondsSince1970
        let first = appStore.subscription(expires: start + Self.day, signed: start)
        var kept = EntitlementRecord(subscription: first)
        var isCut = true
        func live(days: Int64) throws -> Entitlements {
            try town.run(
                {
                    let machine = Entitlements(verifier: verifier, seed: 3)
                    return (machine, [.opened(kept, clock: town.wall)])
                },
                until: .seconds(days * Self.day)
            ) { effect in
                switch effect {
                case .keep(let record): kept = record
                case .callServer(let operation, let request):
                    return .serverAnswered(operation, isCut ? .failed : town.ask(request))
                case .cancelCall, .show, .signInRequired: break
                }
                return nil
            }
        }
        let cut = try live(days: 5)
        guard case .grace = cut.status else {
            Issue.record("another status")
            return
        }
        #expect(kept.fetched == nil)
        isCut = false
        town.lossPercent = 0
        _ = try live(days: 1)
        #expect(kept.fetched != nil)
        let renewed = appStore.subscription(
            expires: town.wall.secondsSince1970 + 30 * Self.day,
            signed: town.wall.secondsSince1970
        )
        for _ in 0..<2 {
            let notice = HTTPRequest.entitlementNotice(signedPayload: appStore.notice(of: renewed))
            #expect(town.server.respond(to: notice, at: town.wall).statusCode == 200)
        }
        let machine = try live(days: 2)
        guard case .paid = machine.status else {
            Issue.record("another status")
            return
        }
        #expect(kept.subscription == renewed)
    }

    @Test("The receipt is checked daily, when a period ends, and then hourly until it is renewed")
    func intervals() throws {
        let verifier = try #require(appStore.verifier)
        let expires = Self.start + 3 * Self.day + 1_800
        let signed = appStore.subscription(expires: expires, signed: Self.start)
        let record = EntitlementRecord(subscription: signed)
        var machine = Entitlements(verifier: verifier, seed: 1)
        var now = Instant.zero
        var asked: [Int64] = []
        func answer(_ effects: [Entitlements.Effect]) {
            for case .callServer(let operation, _) in effects {
                let seconds = now.nanoseconds / 1_000_000_000
                asked.append(seconds)
                let found = CoachAnswer.entitlement(signed, time: time(Self.start + seconds))
                answer(machine.drive(.serverAnswered(operation, found), at: now))
            }
        }
        answer(machine.drive(.opened(record, clock: time(Self.start)), at: now))
        while let due = machine.deadline?.instant, due.nanoseconds <= 4 * Self.day * 1_000_000_000 {
            now = max(now, due)
            answer(machine.drive(nil, at: now))
        }
        let end = expires - Self.start
        let hourly = stride(from: end, through: 4 * Self.day, by: 3_600)
        #expect(asked == [0, Self.day, 2 * Self.day, 3 * Self.day] + Array(hourly))
    }

    @Test(
        "The refund or the end of one subscription takes nothing that another has paid for (AN-13, D-27)"
    )
    func several() throws {
        let verifier = try #require(appStore.verifier)
        let yearly = appStore.subscription(
            expires: Self.start + 365 * Self.day,
            signed: Self.start,
            id: "8"
        )
        let end = Self.start + 30 * Self.day
        let monthly = appStore.subscription(expires: end, signed: Self.start + 60)
        let refund = Self.start + 120
        let refunded = appStore.subscription(expires: end, signed: refund, revoked: refund)
        for news in [
            [yearly, monthly, refunded], [monthly, yearly, refunded], [monthly, refunded, yearly],
        ] {
            var machine = Entitlements(verifier: verifier, seed: 1)
            let clock = time(Self.start + 180)
            _ = machine.drive(.opened(EntitlementRecord(), clock: clock), at: .zero)
            var kept = EntitlementRecord()
            for signed in news {
                let effects = machine.drive(.transactionUpdated(signed), at: .zero)
                for case .keep(let record) in effects { kept = record }
                // The server hears of each, whichever counts.
                let asked = effects.compactMap {
                    if case .callServer(_, let request) = $0 { request } else { nil }
                }
                #expect(asked == [.entitlement(signed)])
                #expect(machine.drive(.transactionUpdated(signed), at: .zero).isEmpty)
            }
            #expect(machine.status == .paid(until: time(Self.start + 365 * Self.day)))
            // So it is in the next process, whatever StoreKit has at hand.
            var next = Entitlements(verifier: verifier, seed: 1)
            _ = next.drive(.opened(kept, clock: clock, current: refunded), at: .zero)
            #expect(next.status == machine.status)
        }
    }

    @Test(
        "The server tells a phone first what is newer of its subscription, then of the one that lasts (AN-13)"
    )
    func severalAtServer() throws {
        let verifier = try #require(appStore.verifier)
        let town = try CoachTown(seed: 2) { $0.coach.subscriptions = verifier }
        let start = town.wall.secondsSince1970
        let monthly = appStore.subscription(expires: start + 30 * Self.day, signed: start - 60)
        let yearly = appStore.subscription(
            expires: start + 365 * Self.day,
            signed: start - 90,
            id: "8"
        )
        let refunded = appStore.subscription(
            expires: start + 30 * Self.day,
            signed: start - 30,
            revoked: start - 30
        )
        for signed in [monthly, yearly] {
            #expect(town.ask(.entitlement(signed)) == .entitlement(signed, time: town.wall))
        }
        let notice = HTTPRequest.entitlementNotice(signedPayload: appStore.notice(of: refunded))
        #expect(town.server.respond(to: notice, at: town.wall).statusCode == 200)
        for has in [monthly, refunded, yearly, nil] {
            let told = has == monthly ? refunded : yearly
            #expect(town.ask(.entitlement(has)) == .entitlement(told, time: town.wall))
        }
        var machine = Entitlements(verifier: verifier, seed: 1)
        let record = EntitlementRecord(subscription: monthly)
        var effects = machine.drive(.opened(record, clock: town.wall), at: .zero)
        var asked: [CoachRequest] = []
        while let call = effects.firstIndex(where: {
            if case .callServer = $0 { true } else { false }
        }),
            case .callServer(let operation, let request) = effects[call], asked.count < 9
        {
            asked.append(request)
            effects = machine.drive(.serverAnswered(operation, town.ask(request)), at: .zero)
        }
        #expect(asked == [.entitlement(monthly), .entitlement(refunded)])
        #expect(machine.status == .paid(until: time(start + 365 * Self.day)))
    }

    @Test("Another user's subscription is refused, and a forged notice changes nothing")
    func foreign() throws {
        let verifier = try #require(appStore.verifier)
        let town = try CoachTown(seed: 2) { $0.coach.subscriptions = verifier }
        let signed = appStore.subscription(expires: Self.start + 9, signed: Self.start)
        let mine = CoachAnswer.entitlement(signed, time: town.wall)
        #expect(town.ask(.entitlement(signed)) == mine)
        let newer = AppStore().subscription(expires: Self.start + 99, signed: Self.start + 1)
        let notice = HTTPRequest.entitlementNotice(signedPayload: AppStore().notice(of: newer))
        #expect(town.server.respond(to: notice, at: town.wall).statusCode == 401)
        #expect(town.ask(.entitlement(newer)) != mine)
        #expect(town.ask(.entitlement(nil)) == mine)
        town.session = town.signIn("tom")
        #expect(town.ask(.entitlement(signed)) == .rejected("foreign_subscription"))
        #expect(town.ask(.entitlement(nil)) == .entitlement(nil, time: town.wall))
    }

    @Test("The entitlements keep the laws of their contract", arguments: 0..<20 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        let verifier = try #require(appStore.verifier)
        let all = (0..<4).map {
            appStore.subscription(expires: Self.start + $0 * 20, signed: Self.start + $0)
        }
        let policy: EntitlementPolicy = seed % 2 == 0 ? .standard : .asSpecified
        try checkLaws(
            seed: seed,
            steps: 300,
            make: { Entitlements(verifier: verifier, policy: policy, seed: seed) },
            foreign: [
                .serverAnswered(
                    OperationID(number: .max),
                    .entitlement(all[3], time: time(Self.start + 500))
                ),
                .serverAnswered(OperationID(number: .max), .unauthorized),
                .serverAnswered(OperationID(number: .max), .failed),
            ]
        ) { random, _ in
            let operation = OperationID(number: UInt32(1 + random.below(80)))
            let signed = all[random.below(4)]
            let clock = time(Self.start + Int64(random.below(200)) - 50)
            switch random.below(8) {
            case 0: return .opened(EntitlementRecord(subscription: signed), clock: clock)
            case 1: return .clockJumped(clock)
            case 2: return .transactionUpdated(signed)
            case 3: return .pathRestored
            case 4: return .serverAnswered(operation, .entitlement(signed, time: clock))
            case 5: return .serverAnswered(operation, .unauthorized)
            case 6: return .signedIn
            default: return .serverAnswered(operation, .failed)
            }
        }
    }
}

extension Entitlements {
    fileprivate static func isNone(_ hours: [Bool]) -> Bool { !hours.contains(true) }
}
