import CoachExchange
import Crypto
import SansIO
import TextFormats

/// Signs what the App Store would.
struct AppStore {
    private let key = P256.Signing.PrivateKey()

    var verifier: SubscriptionVerifier? {
        SubscriptionVerifier(publicKey: Array(key.publicKey.rawRepresentation))
    }

    func subscription(
        expires: Int64,
        signed: Int64,
        isTrial: Bool = false,
        renews: Bool = true,
        graceEnds: Int64? = nil,
        isInBillingRetry: Bool = false,
        revoked: Int64? = nil,
        id: String = "7"
    ) -> SignedSubscription {
        let transaction = JSON.object(of: [
            ("originalTransactionId", .string(id)), ("expiresDate", .integer(expires * 1_000)),
            ("signedDate", .integer(signed * 1_000)),
            ("offerDiscountType", isTrial ? .string("FREE_TRIAL") : nil),
            ("revocationDate", revoked.map { .integer($0 * 1_000) }),
        ])
        let renewal = JSON.object(of: [
            ("originalTransactionId", .string(id)), ("autoRenewStatus", .integer(renews ? 1 : 0)),
            ("isInBillingRetryPeriod", .bool(isInBillingRetry)),
            ("gracePeriodExpiresDate", graceEnds.map { .integer($0 * 1_000) }),
            ("signedDate", .integer(signed * 1_000)),
        ])
        return SignedSubscription(transaction: sign(transaction), renewalInfo: sign(renewal))
    }

    func notice(of signed: SignedSubscription) -> String {
        sign(
            .object(of: [
                (
                    "data",
                    .object(of: [
                        ("signedTransactionInfo", .string(signed.transaction)),
                        ("signedRenewalInfo", signed.renewalInfo.map(JSON.string)),
                    ])
                )
            ])
        )
    }

    private func sign(_ payload: JSON) -> String {
        let parts = [#"{"alg":"ES256"}"#, payload.text].map { Base64URL.encode(Array($0.utf8)) }
        let text = parts.joined(separator: ".")
        let signature = try? key.signature(for: Array(text.utf8)).rawRepresentation
        return text + "." + Base64URL.encode(signature.map { Array($0) } ?? [])
    }
}
