import AppCoordination
import AppServer
import CoachAccount
import CoachExchange
import CoachStore
import KodamaEvidence
import KodamaPhone
import KodamaSession
import KodamaWorld
import SansIO

/// A subscription, as the world and all phones of its account share it.
final class Billing {
    let store: AppStore
    /// How many of the store's news the app's own server was told of.
    var noticed = -1
    /// What was noted last.
    var noted: (news: Int, isUp: Bool)?
    private var texts: [Int: SignedSubscription] = [:]

    init(_ store: AppStore) { self.store = store }

    /// What the store has signed last, after so many news.
    func signed(afterNews news: Int) -> SignedSubscription {
        if let text = texts[news] { return text }
        let text = store.signed(afterNews: news)
        texts[news] = text
        return text
    }
}

// The subscription: what the billing service signs, what the phone's StoreKit knows, what the app shows.

extension CoachApp {
    /// What the app judges its subscription by, if it has one.
    var subscription: CoachAccountConfiguration.Subscription? {
        guard account.first?.billing != nil, let verifier = AppStore.verifier(of: seed)
        else { return nil }
        return CoachAccountConfiguration.Subscription(
            verifier: verifier,
            policy: plan.billing.entitlementPolicy
        )
    }

    /// What StoreKit has at hand when a process begins.
    func currentTransaction(on stage: borrowing Stage) -> SignedSubscription? {
        guard let billing = account.first?.billing else { return nil }
        _ = refreshStoreKit(billing, on: stage)
        return billing.signed(afterNews: account.knownNews)
    }

    /// StoreKit gives the app what is new.
    func askStoreKit(on stage: inout Stage) {
        guard let billing = account.first?.billing, refreshStoreKit(billing, on: stage) else {
            return
        }
        let signed = billing.signed(afterNews: account.knownNews)
        tellAccount(.transactionUpdated(signed), on: &stage)
    }

    /// StoreKit learns of news at once where the phone reaches the billing service; an assumption.
    ///
    /// - Returns: Whether there are any.
    private func refreshStoreKit(_ billing: Billing, on stage: borrowing Stage) -> Bool {
        let news = billing.store.news(at: stage.now)
        let isOpen = isReachable(on: stage) && !billing.store.isDown(at: stage.now)
        guard isOpen, account.knownNews < news else { return false }
        account.knownNews = news
        return true
    }

    /// The billing service has signed something, goes down or is back.
    func billingMoves(on stage: inout Stage) {
        guard let billing = account.first?.billing else { return }
        noteBilling(billing, on: &stage)
        notify(billing, on: &stage)
        if phase == .running { askStoreKit(on: &stage) }
        if let next = billing.store.next(after: stage.now) {
            scheduleWake(.billing, at: next, on: &stage)
        }
    }

    private func noteBilling(_ billing: Billing, on stage: inout Stage) {
        guard let ledger = account.first else { return }
        let news = billing.store.news(at: stage.now)
        let isUp = !billing.store.isDown(at: stage.now)
        let former = billing.noted
        billing.noted = (news, isUp)
        if former?.news != news {
            let right = billing.store.right(afterNews: news)
            let form = RightChanged(
                account: ledger.account,
                isDueUntil: right.isDueUntil,
                ends: right.ends
            )
            note(form, on: &stage)
        }
        guard isUp != (former?.isUp ?? true) else { return }
        note(BillingReach(account: ledger.account, isUp: TraceFlag(isUp)), on: &stage)
    }

    /// Tells the app's own server what is new, if both are there; else an hour later, the first of Apple's
    /// retries (App Store Server Notifications).
    private func notify(_ billing: Billing, on stage: inout Stage) {
        let news = billing.store.news(at: stage.now)
        guard billing.noticed < news, !billing.store.isDown(at: stage.now) else { return }
        guard api.isServing else {
            return schedule(.billing, after: .seconds(3_600), on: &stage)
        }
        billing.noticed = news
        let request = HTTPRequest(
            method: "POST",
            target: "/entitlement/notice",
            body: billing.store.notice(of: billing.signed(afterNews: news))
        )
        _ = api.server.respond(to: request, at: api.wallTime(at: stage.now))
    }

    /// The user talks with the app: an occasion to have access or not.
    func useAccess(on stage: inout Stage) {
        guard let ledger = account.ledger, ledger.billing != nil else { return }
        // Without a process no user is locked out.
        let hasAccess = account.coordinator?.seat.ask { $0.hasAccess } ?? true
        note(AccessUsed(account: ledger.account, hasAccess: TraceFlag(hasAccess)), on: &stage)
    }
}

extension BillingConfiguration {
    fileprivate var entitlementPolicy: EntitlementPolicy {
        switch policy {
        case .signedGrace: .signedGrace(grace)
        case .asSpecified: .asSpecified
        }
    }
}

extension EntitlementStatus {
    var shown: ShownAccess {
        switch self {
        case .none: .none
        case .trial: .trial
        case .paid: .paid
        case .grace: .grace
        case .ended: .ended
        }
    }
}
