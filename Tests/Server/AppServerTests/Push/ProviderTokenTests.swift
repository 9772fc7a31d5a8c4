import AppServer
import Crypto
import SansIO
import SansIOTesting
import Testing

@Suite("Provider tokens (VP-07)")
struct ProviderTokenTests {
    private let issuedAt = WallTime(secondsSince1970: 1_800_000_000)

    private func key() throws -> P256.Signing.PrivateKey {
        try P256.Signing.PrivateKey(rawRepresentation: Array(repeating: 7, count: 32))
    }

    private func bytes(_ part: Substring) -> [UInt8]? {
        var text = part.replacing("-", with: "+").replacing("_", with: "/")
        while text.utf8.count % 4 != 0 { text += "=" }
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
        )
        var bits = 0
        var count = 0
        var bytes: [UInt8] = []
        for character in text.utf8 where character != UInt8(ascii: "=") {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(bits >> count & 0xFF))
            }
        }
        return bytes
    }

    @Test("A token is a JWT with the claims that Apple asks for, signed with ES256")
    func signed() throws {
        let key = try key()
        let signer = try ProviderTokenSigner(
            pem: key.pemRepresentation,
            keyID: "ABC123DEFG",
            teamID: "TEAM456789"
        )
        let token = try signer.sign(issuedAt: issuedAt)
        let parts = token.split(separator: ".")
        #expect(parts.count == 3)
        let header = try #require(bytes(parts[0]))
        let claims = try #require(bytes(parts[1]))
        #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"ES256","kid":"ABC123DEFG"}"#)
        #expect(
            String(decoding: claims, as: UTF8.self) == #"{"iss":"TEAM456789","iat":1800000000}"#
        )
        let raw = try #require(bytes(parts[2]))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: raw)
        let text = Array((parts[0] + "." + parts[1]).utf8)
        #expect(key.publicKey.isValidSignature(signature, for: text))
    }

    @Test("Two tokens of the same claims are equally long, though their signatures differ")
    func length() throws {
        let signer = try ProviderTokenSigner(
            pem: key().pemRepresentation,
            keyID: "ABC123DEFG",
            teamID: "TEAM456789"
        )
        let tokens = try (0..<50).map { _ in try signer.sign(issuedAt: issuedAt) }
        #expect(Set(tokens.map(\.utf8.count)).count == 1)
        #expect(Set(tokens).count > 1)
    }

    @Test("A key or a name that cannot be right is refused before anything is sent")
    func faults() throws {
        let pem = try key().pemRepresentation
        #expect(throws: ProviderTokenSigner.Fault.unreadableKey) {
            try ProviderTokenSigner(pem: "key", keyID: "ABC123DEFG", teamID: "TEAM456789")
        }
        for name in ["", "short", "ABC-23DEFG", "ABC123DEFG1"] {
            #expect(throws: ProviderTokenSigner.Fault.malformedIdentifier(name)) {
                try ProviderTokenSigner(pem: pem, keyID: name, teamID: "TEAM456789")
            }
        }
    }

    @Test("However pushes and refusals fall, tokens are minted no more often than every 20 minutes")
    func spacing() {
        for seed in 0..<20 as Range<UInt64> {
            var random = LawRandom(seed: seed)
            var provider = PushProvider(clock: WallClock(showing: issuedAt), seed: seed)
            var mintedAt: [Instant] = []
            var now = Instant.zero
            var number = 0
            var waiting: [PushProvider.Event] = []
            while now < Instant(nanoseconds: 6 * 3_600 * 1_000_000_000) {
                var effects: [PushProvider.Effect] = []
                if let event = waiting.popLast() {
                    effects += provider.handle(event, at: now)
                } else if random.chance(percent: 60) {
                    number += 1
                    let order = PushOrder(
                        callId: "c-\(number)",
                        deviceToken: "ab",
                        topic: "t",
                        expiresAt: issuedAt.advanced(
                            by: .seconds(now.nanoseconds / 1_000_000_000 + 45)
                        ),
                        payload: "{}"
                    )
                    effects += provider.handle(.commanded(.send(order)), at: now)
                } else {
                    now = now.advanced(by: .seconds(random.below(200)))
                    effects += provider.wake(at: now)
                }
                for effect in effects {
                    switch effect {
                    case .mintToken: mintedAt.append(now)
                    case .openConnection(let id): waiting.append(.connectionOpened(id))
                    case .send(let operation, _, _, _, _):
                        let isExpired = random.chance(percent: 50)
                        let response = PushResponse(
                            statusCode: isExpired ? 403 : 200,
                            reason: isExpired ? "ExpiredProviderToken" : nil
                        )
                        waiting.append(.answered(operation, response))
                    default: break
                    }
                }
            }
            let gaps = zip(mintedAt, mintedAt.dropFirst()).map { $0.duration(to: $1) }
            #expect(gaps.allSatisfy { $0 >= .seconds(1_200) }, "seed \(seed): \(gaps)")
            #expect(mintedAt.count > 5)
        }
    }
}
