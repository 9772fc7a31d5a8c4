/// The messages of a Noise handshake, token by token (The Noise Protocol Framework, revision 34,
/// sections 7 to 9).
struct NoisePattern: Sendable, Equatable {
    /// What a message carries or mixes in.
    enum Token: Sendable, Equatable {
        /// The sender's ephemeral public key.
        case ephemeral
        /// The sender's static public key.
        case `static`
        /// Diffie–Hellman of both ephemeral keys.
        case ee
        /// Diffie–Hellman of the initiator's ephemeral and the responder's static key.
        case es
        /// Diffie–Hellman of the initiator's static and the responder's ephemeral key.
        case se
        /// The next pre-shared key.
        case preSharedKey
    }

    /// The protocol's full name, the first thing that is hashed.
    let protocolName: String
    /// The messages; the initiator sends the first, and both take turns.
    let messages: [[Token]]

    /// Whether pre-shared keys are mixed in; then ephemeral keys are as well (section 9.2).
    var usesPreSharedKeys: Bool { messages.joined().contains(.preSharedKey) }

    /// The pattern of a group's handshake, `Noise_XXpsk0+psk3_25519_ChaChaPoly_SHA256`.
    ///
    /// - `XX`: neither side knows the other's static key before. An invite names one member, and the
    ///   others come to know a newcomer in this handshake. Static keys travel encrypted.
    /// - `psk0`: the first message already proves knowledge of the group's secret, so a stranger's
    ///   message is refused before any Diffie–Hellman is computed or state is kept for it.
    /// - `psk3`: the position that the specification recommends for `XX` (section 9.4): with it all
    ///   that is sent afterwards depends on the secret, whatever happens to the first message's.
    static let groupHandshake = NoisePattern(
        protocolName: "Noise_XXpsk0+psk3_25519_ChaChaPoly_SHA256",
        messages: [
            [.preSharedKey, .ephemeral],
            [.ephemeral, .ee, .static, .es],
            [.static, .se, .preSharedKey],
        ]
    )
}
