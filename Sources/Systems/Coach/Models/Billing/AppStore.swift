import CoachExchange
import Crypto
import KodamaLanguage
import KodamaSimulation
import SansIO
import TextFormats

/// The billing service and what it charges, as far as it can be tuned.
struct BillingConfiguration: Tunable {
    /// What becomes of the subscription when its period ends.
    var subscriber = Subscriber.none
    /// When the period ends that runs at the start; an assumption.
    var expires: Duration = .seconds(3 * 86_400)
    /// How long a period lasts: 30 days, as a monthly subscription does.
    var period: Duration = .seconds(30 * 86_400)
    /// The billing grace period: 16 days, one of three that App Store Connect offers.
    var grace: Duration = .seconds(16 * 86_400)
    /// When the billing service goes down, and for how long; zero for never.
    var outageBegins: Duration = .seconds(2 * 86_400)
    var outageLength: Duration = .zero
    /// How the app computes access past a period's end.
    var policy = AccessPolicy.signedGrace

    init() {}
}

/// What becomes of a subscription at the end of its period.
enum Subscriber: Sendable, CaseIterable {
    /// Nobody has subscribed.
    case none
    /// It is charged for again.
    case renewing
    /// The charge fails, and goes on failing.
    case failing
    /// The user has cancelled it before the story begins.
    case cancelled
}

/// The presets of `EntitlementPolicy`.
enum AccessPolicy: Sendable, CaseIterable {
    case signedGrace, asSpecified
}

/// The App Store of one subscription: what it has signed at which time, and when it can be reached
/// (AN-13, D-27).
///
/// Everything it does follows from its configuration and the time.
struct AppStore {
    /// How long before the end of a period it charges for the next: within the last day (Apple, Handling
    /// subscription billing); 6 h, an assumption.
    private static let chargeLead = Duration.seconds(6 * 3_600)

    let configuration: BillingConfiguration
    /// What the subscription's texts are called by.
    private let originalID: String
    private let key: P256.Signing.PrivateKey
    /// The wall's time at the start of the run.
    private let start: WallTime

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - configuration: What it charges and when it is down.
    ///   - originalID: The subscription's id.
    ///   - seed: The run's seed, which its key comes from.
    ///   - start: The wall's time at the start of the run.
    init(
        _ configuration: BillingConfiguration,
        originalID: String,
        seed: UInt64,
        start: WallTime
    ) {
        (self.configuration, self.originalID) = (configuration, originalID)
        self.start = start
        key = Self.key(of: seed)
    }

    /// Checks what any App Store of a run signs.
    static func verifier(of seed: UInt64) -> SubscriptionVerifier? {
        SubscriptionVerifier(publicKey: Array(key(of: seed).publicKey.rawRepresentation))
    }

    private static func key(of seed: UInt64) -> P256.Signing.PrivateKey {
        let bits = RandomStream(seed: seed, purpose: "coach.app-store", entity: "")
        let bytes = (0..<4).flatMap { index in
            (0..<8).map { UInt8(truncatingIfNeeded: bits.bits(at: UInt64(index)) >> (8 * $0)) }
        }
        // A key is any number below the group's order, which 2²⁵⁶ exceeds by less than one part in 2³².
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) else {
            preconditionFailure("seed \(seed) gives no key")
        }
        return key
    }

    // MARK: What happens when

    /// Whether it is down.
    func isDown(at now: Instant) -> Bool {
        let begins = Instant.zero.advanced(by: configuration.outageBegins)
        let ends = begins.advanced(by: configuration.outageLength)
        return begins <= now && now < ends
    }

    /// How many things it has signed after the purchase: renewals, or that a charge failed.
    func news(at now: Instant) -> Int {
        var count = 0
        while let next = instant(ofNews: count + 1), next <= now { count += 1 }
        return count
    }

    /// The next instant at which it signs something, goes down or comes back.
    func next(after now: Instant) -> Instant? {
        let begins = Instant.zero.advanced(by: configuration.outageBegins)
        let ends = begins.advanced(by: configuration.outageLength)
        let outage = configuration.outageLength > .zero ? [begins, ends] : []
        let news = instant(ofNews: news(at: now) + 1)
        return (outage + [news].compactMap(\.self)).filter { $0 > now }.min()
    }

    /// The first instant at which the user need not have access, and the first at which they must not.
    func right(afterNews news: Int) -> (isDueUntil: Instant, ends: Instant) {
        let expires = end(afterNews: news)
        let grace = expires.advanced(by: configuration.grace)
        return switch configuration.subscriber {
        case .none, .cancelled: (expires, expires)
        case .failing: (grace, grace)
        case .renewing: (expires, grace)
        }
    }

    /// The end of the period that is paid for.
    private func end(afterNews news: Int) -> Instant {
        let renewals = configuration.subscriber == .renewing ? news : 0
        return Instant.zero.advanced(by: configuration.expires + configuration.period * renewals)
    }

    private func instant(ofNews news: Int) -> Instant? {
        let end = end(afterNews: news - 1)
        return switch configuration.subscriber {
        case .none, .cancelled: nil
        case .renewing: end.advanced(by: .zero - Self.chargeLead)
        case .failing: news == 1 ? end : nil
        }
    }

    // MARK: What it signs

    /// The newest transaction and renewal information after so many things were signed.
    func signed(afterNews news: Int) -> SignedSubscription {
        let signed = milliseconds(instant(ofNews: news) ?? .zero)
        let hasFailed = configuration.subscriber == .failing && news > 0
        let transaction = JSON.object(of: [
            ("originalTransactionId", .string(originalID)),
            ("expiresDate", .integer(milliseconds(end(afterNews: news)))),
            ("signedDate", .integer(signed)),
        ])
        let grace = right(afterNews: news).ends
        let renewal = JSON.object(of: [
            ("originalTransactionId", .string(originalID)),
            ("autoRenewStatus", .integer(configuration.subscriber == .cancelled ? 0 : 1)),
            ("isInBillingRetryPeriod", .bool(hasFailed)),
            ("gracePeriodExpiresDate", hasFailed ? .integer(milliseconds(grace)) : nil),
            ("signedDate", .integer(signed)),
        ])
        return SignedSubscription(transaction: sign(transaction), renewalInfo: sign(renewal))
    }

    /// The body of a notice to the app's own server (App Store Server Notifications V2).
    func notice(of signed: SignedSubscription) -> String {
        let data = JSON.object(of: [
            ("signedTransactionInfo", .string(signed.transaction)),
            ("signedRenewalInfo", signed.renewalInfo.map(JSON.string)),
        ])
        let payload = sign(.object(of: [("data", data)]))
        return JSON.object(of: [("signedPayload", .string(payload))]).text
    }

    private func milliseconds(_ instant: Instant) -> Int64 {
        start.advanced(by: Instant.zero.duration(to: instant)).nanosecondsSince1970 / 1_000_000
    }

    /// A JWS in compact form with ES256; its length depends on the payload alone.
    private func sign(_ payload: JSON) -> String {
        let parts = [#"{"alg":"ES256"}"#, payload.text].map { Base64URL.encode(Array($0.utf8)) }
        let text = parts.joined(separator: ".")
        guard let signature = try? key.signature(for: Array(text.utf8)) else {
            preconditionFailure("a text cannot be signed")
        }
        return text + "." + Base64URL.encode(Array(signature.rawRepresentation))
    }
}
