import CoachExchange
import Crypto
import SansIO
import Testing
import TextFormats

@Suite("Only what the App Store has signed is a subscription (AN-13, D-27)")
struct SubscriptionVerifierTests {
    private let key = P256.Signing.PrivateKey()

    private func jws(_ payload: String, header: String = #"{"alg":"ES256"}"#) throws -> String {
        let parts = [header, payload].map { Base64URL.encode(Array($0.utf8)) }
        let signed = parts.joined(separator: ".")
        let signature = try key.signature(for: Array(signed.utf8)).rawRepresentation
        return signed + "." + Base64URL.encode(Array(signature))
    }

    private func verifier() throws -> SubscriptionVerifier {
        try #require(SubscriptionVerifier(publicKey: Array(key.publicKey.rawRepresentation)))
    }

    private static let transaction =
        #"{"originalTransactionId":"7","expiresDate":2000,"signedDate":1000,"#
        + #""offerDiscountType":"FREE_TRIAL"}"#

    @Test("Both texts are read")
    func genuine() throws {
        let renewal =
            #"{"originalTransactionId":"7","autoRenewStatus":0,"signedDate":1500,"#
            + #""isInBillingRetryPeriod":true,"gracePeriodExpiresDate":3000}"#
        let signed = SignedSubscription(
            transaction: try jws(Self.transaction),
            renewalInfo: try jws(renewal)
        )
        #expect(
            try verifier().verify(signed)
                == Subscription(
                    originalID: "7",
                    isTrial: true,
                    expires: WallTime(secondsSince1970: 2),
                    renews: false,
                    isInBillingRetry: true,
                    graceEnds: WallTime(secondsSince1970: 3),
                    signed: WallTime(nanosecondsSince1970: 1_500_000_000)
                )
        )
    }

    @Test("A changed character, another key and another algorithm are refused")
    func forged() throws {
        let text = try jws(Self.transaction)
        let verifier = try verifier()
        #expect(verifier.verify(SignedSubscription(transaction: text)) != nil)
        for index in text.indices {
            var changed = text
            let other: Character = text[index] == "A" ? "B" : "A"
            changed.replaceSubrange(index...index, with: String(other))
            #expect(verifier.verify(SignedSubscription(transaction: changed)) == nil, "\(index)")
        }
        let stranger = P256.Signing.PrivateKey().publicKey.rawRepresentation
        let other = try #require(SubscriptionVerifier(publicKey: Array(stranger)))
        #expect(other.verify(SignedSubscription(transaction: text)) == nil)
        let odd = try jws(Self.transaction, header: #"{"alg":"none"}"#)
        #expect(verifier.verify(SignedSubscription(transaction: odd)) == nil)
    }

    @Test("Renewal information of another subscription is refused")
    func mixed() throws {
        let renewal = #"{"originalTransactionId":"8","autoRenewStatus":1,"signedDate":1500}"#
        let signed = SignedSubscription(
            transaction: try jws(Self.transaction),
            renewalInfo: try jws(renewal)
        )
        #expect(try verifier().verify(signed) == nil)
    }
}
