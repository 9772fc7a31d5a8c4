import Crypto
public import SansIO
package import TextFormats

/// A subscription as the App Store signs it: StoreKit's `jwsRepresentation` of the latest
/// transaction and of its renewal information.
public struct SignedSubscription: Sendable, Equatable {
    /// The transaction (`JWSTransaction`).
    public var transaction: String
    /// The renewal information (`JWSRenewalInfo`), if there is any.
    public var renewalInfo: String?

    /// Makes one of its texts.
    public init(transaction: String, renewalInfo: String? = nil) {
        self.transaction = transaction
        self.renewalInfo = renewalInfo
    }

    /// What files and requests hold.
    package var json: JSON {
        .object(of: [
            ("transaction", .string(transaction)),
            ("renewalInfo", renewalInfo.map(JSON.string)),
        ])
    }

    /// Reads it; `nil` if it is anything else.
    package init?(_ json: JSON) {
        guard let transaction = json["transaction"]?.string else { return nil }
        let renewalInfo = json["renewalInfo"]
        guard renewalInfo == nil || renewalInfo?.string != nil else { return nil }
        self.init(transaction: transaction, renewalInfo: renewalInfo?.string)
    }
}

/// What a genuine subscription says.
public struct Subscription: Sendable, Equatable {
    /// The id that all its renewals share (`originalTransactionId`).
    public var originalID: String
    /// Whether this period is a free trial (`offerDiscountType`).
    public var isTrial: Bool
    /// When the period ends (`expiresDate`).
    public var expires: WallTime
    /// When the App Store took it back (`revocationDate`).
    public var revoked: WallTime?
    /// Whether it is to renew (`autoRenewStatus`); without renewal information it is.
    public var renews: Bool
    /// Whether the App Store failed to charge for the next period (`isInBillingRetryPeriod`).
    public var isInBillingRetry: Bool
    /// When the billing grace period ends (`gracePeriodExpiresDate`).
    public var graceEnds: WallTime?
    /// When the later of both texts was signed (`signedDate`).
    public var signed: WallTime

    /// Makes one of its facts.
    public init(
        originalID: String,
        isTrial: Bool,
        expires: WallTime,
        revoked: WallTime? = nil,
        renews: Bool = true,
        isInBillingRetry: Bool = false,
        graceEnds: WallTime? = nil,
        signed: WallTime
    ) {
        self.originalID = originalID
        self.isTrial = isTrial
        self.expires = expires
        self.revoked = revoked
        self.renews = renews
        self.isInBillingRetry = isInBillingRetry
        self.graceEnds = graceEnds
        self.signed = signed
    }
}

extension Subscription {
    /// Whether this is a later word on the same subscription.
    package func supersedes(_ other: Subscription) -> Bool {
        isSame(as: other) && signed > other.signed
    }

    /// Whether both are of one subscription: a user may have several, as after changing to another group.
    package func isSame(as other: Subscription) -> Bool {
        originalID.utf8.elementsEqual(other.originalID.utf8)
    }

    /// Whether this gives access for longer than another subscription; of two that end together, the one signed later
    /// counts.
    ///
    /// So a refund or an end of one takes nothing that another has paid for.
    package func outlasts(_ other: Subscription) -> Bool {
        (ends, signed) > (other.ends, other.signed)
    }

    /// When the access ends that the App Store has signed for certain.
    private var ends: WallTime {
        if let revoked { return min(revoked, expires) }
        return graceEnds.map { max(expires, $0) } ?? expires
    }
}

/// Checks what the App Store signed: JWS in compact form with ES256 (RFC 7515, RFC 7518 §3.4).
///
/// It checks the signature under one key. That this key is the App Store's (the chain of `x5c` up
/// to Apple's root) is StoreKit's duty on a phone and the deployment's on a server.
public struct SubscriptionVerifier: Sendable, Equatable {
    private let publicKey: [UInt8]

    /// Checks with a key.
    ///
    /// - Parameter publicKey: The P-256 key as 64 bytes (x and y).
    public init?(publicKey: [UInt8]) {
        guard (try? P256.Signing.PublicKey(rawRepresentation: publicKey)) != nil else {
            return nil
        }
        self.publicKey = publicKey
    }

    /// What a subscription says; `nil` if a text of it is not genuine, or they are of two.
    public func verify(_ signed: SignedSubscription) -> Subscription? {
        guard let transaction = payload(of: signed.transaction),
            let originalID = transaction["originalTransactionId"]?.string, !originalID.isEmpty,
            let expires = transaction.time("expiresDate"),
            let signedDate = transaction.time("signedDate")
        else { return nil }
        var subscription = Subscription(
            originalID: originalID,
            isTrial: transaction["offerDiscountType"]?.string == "FREE_TRIAL",
            expires: expires,
            revoked: transaction.time("revocationDate"),
            signed: signedDate
        )
        guard let text = signed.renewalInfo else { return subscription }
        guard let renewal = payload(of: text),
            renewal["originalTransactionId"]?.string == originalID,
            let status = renewal["autoRenewStatus"]?.integer,
            let renewalDate = renewal.time("signedDate")
        else { return nil }
        subscription.renews = status == 1
        subscription.isInBillingRetry = renewal["isInBillingRetryPeriod"]?.bool ?? false
        subscription.graceEnds = renewal.time("gracePeriodExpiresDate")
        subscription.signed = max(signedDate, renewalDate)
        return subscription
    }

    /// The payload of a text that the key has signed; `nil` of any other.
    package func payload(of text: String) -> JSON? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let header = Base64URL.decode(parts[0]).flatMap({ try? JSONReader.read($0) }),
            header["alg"]?.string == "ES256", header["crit"] == nil,
            let bytes = Base64URL.decode(parts[2]),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes),
            let key = try? P256.Signing.PublicKey(rawRepresentation: publicKey),
            key.isValidSignature(signature, for: Array((parts[0] + "." + parts[1]).utf8))
        else { return nil }
        return Base64URL.decode(parts[1]).flatMap { try? JSONReader.read($0) }
    }
}

extension JSON {
    /// A member in milliseconds since 1970, as the App Store counts.
    fileprivate func time(_ name: String) -> WallTime? {
        guard let milliseconds = self[name]?.integer, milliseconds >= 0 else { return nil }
        let (nanoseconds, isTooFar) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        return WallTime(nanosecondsSince1970: isTooFar ? .max : nanoseconds)
    }
}
