import Crypto

/// One side of a Noise handshake: Noise's HandshakeState (revision 34, section 5.3).
///
/// A message that is refused leaves the value in a state that MUST NOT be used: work on a copy, and
/// keep the copy only when all went well.
struct NoiseHandshake: Sendable, Equatable {
    /// Who speaks first.
    enum Role: Sendable, Equatable {
        case initiator
        case responder
    }

    /// Why a message was not accepted.
    enum Refusal: Error, Sendable, Equatable {
        /// It is shorter than its tokens.
        case tooShort
        /// It was not made with the same keys, or changed on the way.
        case notAuthentic
        /// It carries a public key of low order.
        case weakKey
    }

    let role: Role
    private let pattern: NoisePattern
    private let staticKey: AgreementKey
    /// This side's key for this handshake alone; needed from the first message on that it writes.
    var ephemeralKey: AgreementKey?
    private var preSharedKeys: ArraySlice<SymmetricKey>
    private var symmetric: NoiseSymmetricState
    private var nextMessage = 0
    /// The other side's ephemeral public key, once it came.
    private(set) var remoteEphemeral: [UInt8]?
    /// The other side's static public key, once it came; proven when the handshake is complete.
    private(set) var remoteStatic: [UInt8]?

    /// Begins a handshake.
    ///
    /// - Parameters:
    ///   - pattern: The messages.
    ///   - role: Which side this is.
    ///   - prologue: What both sides must agree on without saying it.
    ///   - staticKey: This side's lasting key.
    ///   - ephemeralKey: A key that is used in this handshake only, if it is known by now.
    ///   - preSharedKeys: One for each such token of the pattern, 32 bytes each.
    init(
        pattern: NoisePattern,
        role: Role,
        prologue: [UInt8],
        staticKey: AgreementKey,
        ephemeralKey: AgreementKey?,
        preSharedKeys: [SymmetricKey]
    ) {
        self.pattern = pattern
        self.role = role
        self.staticKey = staticKey
        self.ephemeralKey = ephemeralKey
        self.preSharedKeys = preSharedKeys[...]
        symmetric = NoiseSymmetricState(protocolName: pattern.protocolName, prologue: prologue)
    }

    /// Whether all messages have been written and read.
    var isComplete: Bool { nextMessage == pattern.messages.count }

    /// The hash of the whole handshake, which names it (section 11.2).
    var hash: [UInt8] { symmetric.hash }

    /// The keys with which this side sends and receives, once the handshake is complete.
    func split() -> (sending: SymmetricKey, receiving: SymmetricKey) {
        precondition(isComplete, "a handshake is split when its last message has passed")
        let keys = symmetric.split()
        return role == .initiator
            ? (keys.initiatorSends, keys.responderSends)
            : (keys.responderSends, keys.initiatorSends)
    }

    /// Writes the next message.
    ///
    /// - Parameter payload: What it carries beside the keys.
    /// - Returns: The message.
    /// - Throws: `weakKey`, if the other side's key makes no secret.
    mutating func write(_ payload: [UInt8]) throws(Refusal) -> [UInt8] {
        var message: [UInt8] = []
        for token in turn(of: role) {
            switch token {
            case .ephemeral:
                guard let key = ephemeralKey?.publicKey else {
                    preconditionFailure("an ephemeral key is set before a message is written")
                }
                message += key
                mixEphemeral(key)
            case .static:
                message += symmetric.encryptAndHash(staticKey.publicKey)
            case .ee, .es, .se, .preSharedKey:
                try mix(token)
            }
        }
        return message + symmetric.encryptAndHash(payload)
    }

    /// Reads the next message.
    ///
    /// - Parameter message: As it came.
    /// - Returns: The payload.
    /// - Throws: Why the message is not accepted.
    mutating func read(_ message: [UInt8]) throws(Refusal) -> [UInt8] {
        var rest = message[...]
        for token in turn(of: role == .initiator ? .responder : .initiator) {
            switch token {
            case .ephemeral:
                let key = try Self.part(AgreementKey.publicByteCount, of: &rest)
                remoteEphemeral = key
                mixEphemeral(key)
            case .static:
                let sealed = try Self.part(
                    AgreementKey.publicByteCount + symmetric.tagByteCount,
                    of: &rest
                )
                guard let key = symmetric.decryptAndHash(sealed) else { throw .notAuthentic }
                remoteStatic = key
            case .ee, .es, .se, .preSharedKey:
                try mix(token)
            }
        }
        guard rest.count >= symmetric.tagByteCount else { throw .tooShort }
        guard let payload = symmetric.decryptAndHash(Array(rest)) else { throw .notAuthentic }
        return payload
    }

    private mutating func turn(of writer: Role) -> [NoisePattern.Token] {
        precondition(!isComplete, "the handshake is complete")
        precondition(
            (writer == .initiator) == nextMessage.isMultiple(of: 2),
            "message \(nextMessage + 1) of the handshake is the other side's"
        )
        nextMessage += 1
        return pattern.messages[nextMessage - 1]
    }

    private static func part(
        _ count: Int,
        of rest: inout ArraySlice<UInt8>
    ) throws(Refusal) -> [UInt8] {
        guard rest.count >= count else { throw .tooShort }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    private mutating func mixEphemeral(_ key: [UInt8]) {
        symmetric.mixHash(key)
        if pattern.usesPreSharedKeys { symmetric.mixKey(SymmetricKey(data: key)) }
    }

    private mutating func mix(_ token: NoisePattern.Token) throws(Refusal) {
        let isInitiator = role == .initiator
        let secret: SymmetricKey?
        switch token {
        case .ee: secret = agree(ephemeralKey, remoteEphemeral)
        case .es:
            secret =
                isInitiator ? agree(ephemeralKey, remoteStatic) : agree(staticKey, remoteEphemeral)
        case .se:
            secret =
                isInitiator ? agree(staticKey, remoteEphemeral) : agree(ephemeralKey, remoteStatic)
        case .preSharedKey:
            guard let key = preSharedKeys.popFirst() else {
                preconditionFailure("\(pattern.protocolName) lacks a pre-shared key")
            }
            return symmetric.mixKeyAndHash(key)
        case .ephemeral, .static:
            return
        }
        guard let secret else { throw .weakKey }
        symmetric.mixKey(secret)
    }

    private func agree(_ key: AgreementKey?, _ remote: [UInt8]?) -> SymmetricKey? {
        guard let key, let remote else {
            preconditionFailure("\(pattern.protocolName) mixes a key before it came")
        }
        return key.sharedSecret(with: remote)
    }
}
