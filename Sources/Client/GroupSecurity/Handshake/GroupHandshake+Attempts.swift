import SansIO

extension GroupHandshake {
    /// A packet that is sent again until something comes or time is over.
    struct Retry: Sendable, Equatable {
        var packet: [UInt8]
        let expiresNanoseconds: Int64
        private var dueNanoseconds: Int64
        private var delayNanoseconds: Int64

        /// Begins when the packet is sent for the first time.
        init(_ packet: [UInt8], at now: Instant, _ limits: Limits) {
            self.packet = packet
            expiresNanoseconds = now.nanoseconds + limits.attemptNanoseconds
            dueNanoseconds = now.nanoseconds + limits.retryNanoseconds
            delayNanoseconds = limits.retryNanoseconds
        }

        /// When the packet is next sent or given up.
        func deadline(resending reason: StaticString) -> Deadline {
            dueNanoseconds < expiresNanoseconds
                ? Deadline(Instant(nanoseconds: dueNanoseconds), reason)
                : Deadline(Instant(nanoseconds: expiresNanoseconds), "give up")
        }

        /// The packet, if it is time to send it again.
        mutating func packetDue(at now: Instant, _ limits: Limits) -> [UInt8]? {
            guard dueNanoseconds <= now.nanoseconds else { return nil }
            delayNanoseconds = min(2 * delayNanoseconds, limits.retryMaxNanoseconds)
            dueNanoseconds = now.nanoseconds + delayNanoseconds
            return packet
        }
    }

    /// What this side offered, and waits for an answer to.
    struct Initiation: Sendable, Equatable {
        let noise: NoiseHandshake
        let ephemeral: [UInt8]
        var retry: Retry
    }

    /// What this side answered, and waits for proof of.
    struct HalfOpen: Sendable, Equatable {
        let noise: NoiseHandshake
        /// The offer's Noise message.
        let offer: [UInt8]
        var retry: Retry

        var ephemeral: [UInt8] { Array(offer.prefix(AgreementKey.publicByteCount)) }
        var attempt: UInt32 { HandshakePacket.attempt(of: offer) }
    }

    /// The proof that this side sent, and the answer that it was sent for.
    struct Proof: Sendable, Equatable {
        let attempt: UInt32
        let answer: [UInt8]
        let packet: [UInt8]
        let expiresNanoseconds: Int64
    }

    func makeNoise(_ role: NoiseHandshake.Role, ephemeral: AgreementKey?) -> NoiseHandshake {
        NoiseHandshake(
            pattern: .groupHandshake,
            role: role,
            prologue: Array("kodama handshake 1".utf8) + group.hash.bytes,
            staticKey: identity.agreementKey,
            ephemeralKey: ephemeral,
            preSharedKeys: group.preSharedKeys
        )
    }

    mutating func offer(in turn: inout Turn<Effect>) {
        guard initiation == nil else { return }
        let ephemeral = AgreementKey(entropy.draw())
        var noise = makeNoise(.initiator, ephemeral: ephemeral)
        guard let message = try? noise.write([]) else {
            preconditionFailure("an offer mixes in no key of the other side")
        }
        let sign = group.hash.sign(of: ephemeral.publicKey)
        let packet = HandshakePacket.offer(sign: sign, message: message, echo: []).bytes
        initiation = Initiation(
            noise: noise,
            ephemeral: ephemeral.publicKey,
            retry: Retry(packet, at: turn.now, limits)
        )
        turn.order(.send(packet))
    }

    mutating func answer(
        _ message: [UInt8],
        showing sign: [UInt8],
        echoing echo: [UInt8],
        in turn: inout Turn<Effect>
    ) throws(PacketRefusal) {
        guard group.hash.recognizes(sign) else {
            throw knowsSecret(message) ? .forged : .foreignGroup
        }
        let remote = Array(message.prefix(AgreementKey.publicByteCount))
        guard remote != initiation?.ephemeral else { throw .reflected }
        if let known = halfOpen.first(where: { $0.ephemeral == remote }) {
            // The answer is on its way; its own clock sends it again.
            guard known.offer == message else { throw .forged }
            return
        }
        let isNew = isNew(echo, of: remote, at: turn.now)
        guard isNew || mayRead(at: turn.now) else { throw .tooManyHandshakes }
        var noise = makeNoise(.responder, ephemeral: nil)
        _ = try read(message, with: &noise)
        guard !answered.contains(remote) else { throw .replayed }
        if let own = initiation?.ephemeral, own.lexicographicallyPrecedes(remote) { return }
        guard halfOpen.count < Self.freeMax || isNew else {
            return challenge(remote, in: &turn)
        }
        try makeRoom(at: turn.now)

        noise.ephemeralKey = AgreementKey(entropy.draw())
        let reply = try write(with: &noise)
        let attempt = HandshakePacket.attempt(of: remote)
        let packet = HandshakePacket.answer(attempt: attempt, message: reply).bytes
        halfOpen.append(
            HalfOpen(noise: noise, offer: message, retry: Retry(packet, at: turn.now, limits))
        )
        answered.append(remote)
        if answered.count > Self.answeredMax { answered.removeFirst() }
        turn.order(.send(packet))
    }

    /// Whether the source may have another offer read: a virtual schedule (GCRA, ITU-T I.371 annex A).
    private mutating func mayRead(at now: Instant) -> Bool {
        let step = 1_000_000_000 / Self.offersPerSecondMax
        let until = max(offersUntilNanoseconds, now.nanoseconds) + step
        guard until - now.nanoseconds <= step * Self.offersPerSecondMax else { return false }
        offersUntilNanoseconds = until
        return true
    }

    /// Makes room for another answer: the oldest that has had the time for its proof gives way.
    private mutating func makeRoom(at now: Instant) throws(PacketRefusal) {
        guard halfOpen.count >= limits.halfOpenMax else { return }
        let answeredAt = halfOpen[0].retry.expiresNanoseconds - limits.attemptNanoseconds
        guard now.nanoseconds - answeredAt >= limits.retryNanoseconds else {
            throw .tooManyHandshakes
        }
        halfOpen.removeFirst()
    }

    mutating func prove(
        _ attempt: UInt32,
        packet: [UInt8],
        _ message: [UInt8],
        in turn: inout Turn<Effect>
    ) throws(PacketRefusal) {
        if let proof, proof.attempt == attempt {
            guard proof.answer == packet else { throw .forged }
            turn.order(.send(proof.packet))
            return
        }
        guard let initiation, HandshakePacket.attempt(of: initiation.ephemeral) == attempt else {
            throw .unknownAttempt
        }
        var noise = initiation.noise
        let peer = try peer(signing: try read(message, with: &noise), noise)
        // An offer of the other side that was answered here and leads over this side's.
        let rival = halfOpen.last { $0.ephemeral.lexicographicallyPrecedes(initiation.ephemeral) }
        let last = try write(rival: rival?.attempt ?? HandshakePacket.noAttempt, with: &noise)
        let proof = Proof(
            attempt: attempt,
            answer: packet,
            packet: HandshakePacket.proof(attempt: attempt, message: last).bytes,
            expiresNanoseconds: turn.now.nanoseconds + limits.attemptNanoseconds
        )
        turn.order(.send(proof.packet))
        self.proof = proof
        self.initiation = nil
        halfOpen.removeAll { !$0.ephemeral.lexicographicallyPrecedes(initiation.ephemeral) }
        turn.order(.established(SessionKeys(peer: peer, handshake: noise)))
    }

    mutating func accept(
        _ attempt: UInt32,
        _ message: [UInt8],
        in turn: inout Turn<Effect>
    ) throws(PacketRefusal) {
        guard let open = halfOpen.first(where: { $0.attempt == attempt }) else {
            let wasAnswered = answered.contains { HandshakePacket.attempt(of: $0) == attempt }
            throw wasAnswered ? .replayed : .unknownAttempt
        }
        var noise = open.noise
        let payload = try read(message, with: &noise)
        let peer = try peer(signing: Array(payload.prefix(HandshakePacket.keyByteCount)), noise)
        let rival = UInt32(bigEndianBytes: payload.dropFirst(HandshakePacket.keyByteCount))
        guard rival != proof?.attempt else {
            // The other side goes over to the session that this side began, once its proof comes.
            halfOpen.removeAll { $0.attempt == attempt }
            return
        }
        (initiation, proof) = (nil, nil)
        halfOpen.removeAll()
        turn.order(.established(SessionKeys(peer: peer, handshake: noise)))
    }

    /// Whether whoever made an offer knows the group's secret: then the hash before it was changed on the
    /// way, and says nothing of them.
    private func knowsSecret(_ offer: [UInt8]) -> Bool {
        var noise = makeNoise(.responder, ephemeral: nil)
        return (try? read(offer, with: &noise)) != nil
    }

    /// Who the other side is, from the keys that it proved.
    private func peer(
        signing: [UInt8],
        _ noise: NoiseHandshake
    ) throws(PacketRefusal) -> MemberPublicKey {
        guard let agreement = noise.remoteStatic, let peer = MemberPublicKey(signing + agreement)
        else { throw .malformed }
        guard agreement != identity.agreementKey.publicKey else { throw .reflected }
        guard expected == nil || expected == peer.memberID else { throw .foreignMember }
        return peer
    }

    private func read(
        _ message: [UInt8],
        with noise: inout NoiseHandshake
    ) throws(PacketRefusal) -> [UInt8] {
        do throws(NoiseHandshake.Refusal) {
            return try noise.read(message)
        } catch {
            throw error == .tooShort ? .malformed : .forged
        }
    }

    private func write(
        rival: UInt32? = nil,
        with noise: inout NoiseHandshake
    ) throws(PacketRefusal) -> [UInt8] {
        do throws(NoiseHandshake.Refusal) {
            return try noise.write(identity.publicKey.signing + (rival?.bigEndianBytes ?? []))
        } catch {
            throw .forged
        }
    }
}
