import Crypto
import Testing

@testable import GroupSecurity

/// What others computed for the same keys and payloads.
struct NoiseVector: Sendable, CustomTestStringConvertible {
    var source: String
    var pattern: NoisePattern
    var prologue: String
    var preSharedKeys: [String] = []
    var initiatorStatic: String
    var initiatorEphemeral: String
    var responderStatic: String
    var responderEphemeral: String
    var handshakeHash: String?
    /// Payload and message, in turn from the initiator and from the responder.
    var messages: [(payload: String, message: String)]

    var testDescription: String { "\(pattern.protocolName) of \(source)" }

    func makeSide(_ role: NoiseHandshake.Role) -> NoiseHandshake {
        let isInitiator = role == .initiator
        func key(_ digits: String) -> AgreementKey {
            AgreementKey(SymmetricKey(data: bytes(digits)))
        }
        return NoiseHandshake(
            pattern: pattern,
            role: role,
            prologue: bytes(prologue),
            staticKey: key(isInitiator ? initiatorStatic : responderStatic),
            ephemeralKey: key(isInitiator ? initiatorEphemeral : responderEphemeral),
            preSharedKeys: preSharedKeys.map { SymmetricKey(data: bytes($0)) }
        )
    }
}

@Suite("Noise, against published vectors")
struct NoiseVectorTests {
    @Test("Every message is the published one, both ways", arguments: NoiseVector.all)
    func messages(vector: NoiseVector) throws {
        var initiator = vector.makeSide(.initiator)
        var responder = vector.makeSide(.responder)
        for (index, (payload, message)) in vector.messages.prefix(3).enumerated() {
            if index.isMultiple(of: 2) {
                #expect(try initiator.write(bytes(payload)) == bytes(message))
                #expect(try responder.read(bytes(message)) == bytes(payload))
            } else {
                #expect(try responder.write(bytes(payload)) == bytes(message))
                #expect(try initiator.read(bytes(message)) == bytes(payload))
            }
        }
        #expect(initiator.isComplete && responder.isComplete)
        #expect(initiator.hash == responder.hash)
        if let hash = vector.handshakeHash { #expect(initiator.hash == bytes(hash)) }
        #expect(initiator.split().sending == responder.split().receiving)
        #expect(initiator.split().receiving == responder.split().sending)
        // The first message behind the handshake is the responder's where three came before.
        var counters: [UInt64] = [0, 0]
        for (index, (payload, message)) in vector.messages.enumerated().dropFirst(3) {
            let isInitiators = index.isMultiple(of: 2)
            let sealed = bytes(payload).withUnsafeBytes { plaintext in
                ChaChaPolyCipher.seal(
                    plaintext,
                    key: (isInitiators ? initiator : responder).split().sending,
                    counter: counters[isInitiators ? 0 : 1],
                    authenticating: .empty
                )
            }
            counters[isInitiators ? 0 : 1] += 1
            #expect(sealed == bytes(message))
        }
    }

    @Test("A changed message is refused, whichever bit changed", arguments: NoiseVector.all)
    func changedMessages(vector: NoiseVector) throws {
        var responder = vector.makeSide(.responder)
        _ = try responder.read(bytes(vector.messages[0].message))
        _ = try responder.write(bytes(vector.messages[1].payload))
        let proof = bytes(vector.messages[2].message)
        for bit in 0..<proof.count * 8 {
            var changed = proof
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            var copy = responder
            #expect(throws: NoiseHandshake.Refusal.notAuthentic) { try copy.read(changed) }
        }
        for count in 0..<proof.count {
            var copy = responder
            #expect(throws: NoiseHandshake.Refusal.self) { try copy.read(Array(proof[..<count])) }
        }
        #expect(try responder.read(proof) == bytes(vector.messages[2].payload))
    }

    @Test("A key of low order is refused: everybody would know the secret")
    func weakKeys() throws {
        let vector = NoiseVector.all[0]
        // RFC 7748 section 6.1 asks for this check; 0 and 1 are points of low order.
        for weak in [[UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31)] {
            var responder = vector.makeSide(.responder)
            _ = try responder.read(weak)
            #expect(throws: NoiseHandshake.Refusal.weakKey) { try responder.write([]) }
        }
    }
}

extension NoiseVector {
    static let all = [
        // cacophony, vectors/cacophony.txt (the Noise wiki's reference vectors).
        NoiseVector(
            source: "cacophony",
            pattern: NoisePattern(
                protocolName: "Noise_XX_25519_ChaChaPoly_SHA256",
                messages: [[.ephemeral], [.ephemeral, .ee, .static, .es], [.static, .se]]
            ),
            prologue: "4a6f686e2047616c74",
            initiatorStatic: "e61ef9919cde45dd5f82166404bd08e38bceb5dfdfded0a34c8df7ed542214d1",
            initiatorEphemeral: "893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a",
            responderStatic: "4a3acbfdb163dec651dfa3194dece676d437029c62a408b4c5ea9114246e4893",
            responderEphemeral: "bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b",
            handshakeHash: "c8e5f64e846193be2a834104c2a009868d6c9f3bd3c186299888b488b2f1f58e",
            messages: [
                (
                    "4c756477696720766f6e204d69736573",
                    """
                    ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c7944
                    4c756477696720766f6e204d69736573
                    """
                ),
                (
                    "4d757272617920526f746862617264",
                    """
                    95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f144808843
                    81cbad1f276e038c48378ffce2b65285e08d6b68aaa3629a5a8639392490e5b9
                    bd5269c2f1e4f488ed8831161f19b7815528f8982ffe09be9b5c412f8a0db50f
                    8814c7194e83f23dbd8d162c9326ad
                    """
                ),
                (
                    "462e20412e20486179656b",
                    """
                    c7195ffacac1307ff99046f219750fc47693e23c3cb08b89c2af808b444850a8
                    0ae475b9df0f169ae80a89be0865b57f58c9fea0d4ec82a286427402f113e4b6
                    ae769a1d95941d49b25030
                    """
                ),
                (
                    "4361726c204d656e676572",
                    "96763ed773f8e47bb3712f0e29b3060ffc956ffc146cee53d5e1df"
                ),
                (
                    "4a65616e2d426170746973746520536179",
                    "3e40f15f6f3a46ae446b253bf8b1d9ffb6ed9b174d272328ff91a7e2e5c79c07f5"
                ),
                (
                    "457567656e2042f6686d20766f6e2042617765726b",
                    "eb3f3515110702e047a6c9da4478b6ead94873c11c0f2d710ddb3f09fce024b3a58502ae3f"
                ),
            ]
        ),
        // snow, tests/vectors/snow-multipsk.txt: the group's own pattern.
        NoiseVector(
            source: "snow",
            pattern: .groupHandshake,
            prologue: """
                5468657265206973206e6f20726967687420616e642077726f6e672e20546865
                72652773206f6e6c792066756e20616e6420626f72696e672e
                """,
            preSharedKeys: [
                "834e4d17b22cc477f206c411a5cdfa46f779503a2fac7a6261a344b867543ac7",
                "a626a1e54f31be6d7f2995ec2ef3466204cdb4f02210688892a1ec15f6e9b1b2",
            ],
            initiatorStatic: "36d312fd09e1537fa0597dd249ff70d9a7285386cd70b8fdb209e2ac4cdab6be",
            initiatorEphemeral: "2fcae75aaa67bacf28574d5f17d7b76932d4a3c2ca8e86686bd45df36df203e2",
            responderStatic: "c93de732e200883dd7bf5b44d8c79a9bcabd41c5949a0944ee01f2b24b28dd09",
            responderEphemeral: "b3b7f685cbc9d579e0064095b8102462e5038d6c0407164fd034e1225639d5d0",
            messages: [
                (
                    "96f8084d60b8ecaa220acdc25ea1312fec32db749018735f01f1394e7edcca95",
                    """
                    e371abcd75a909ad8483f0f26941a102f955b01a21580a362117b810ccf94763
                    f04660dbb92e0620c4faeef11c67d1fbb8f3bc2968c2cfd95ba2710aed6549d9
                    09e27803b3680d7cfaaa3e88cee69cbb
                    """
                ),
                (
                    "5331f9a32d3c84785e592647721914a0ae5b12f5b3d165728d0340eeef4819d3",
                    """
                    5d73b3735408910387e196e6af5b08d47749158721a19a133fc3795310088131
                    b4129aeeb02e1fee678ff76b3e8d19de08b8c8eb6f40906b5dd5c32d37a5f4aa
                    1d316038e4e81318c2218f4f12657135fdef6a19d563482b756b95aa23fac650
                    e1b6573c9d7da2d51ac2350ea4a6cb74b2c6273f30968db1c9a52cffee23fa6d
                    """
                ),
                (
                    "932fa17ebfa88263af0d3284f510938d50582430633085de94d69b2fd6843bdd",
                    """
                    7df7da9cbeeb439962716e5a97b3d65a13056ab5dcf05dd1c0fba921d83e0a4e
                    62a1342bc9a8c227ec1178a7de4607bb945061ed6228053c5caa8d3cca896442
                    f504610c41b153e42fc2303f3c6f90c7d35b31d81c04cf480358658146d53937
                    """
                ),
            ]
        ),
    ]
}
