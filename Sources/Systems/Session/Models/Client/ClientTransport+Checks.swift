import KodamaNetwork
import KodamaPhone
import SansIO

extension ClientTransport {
    /// Begins an ICE session; the pairs of the one before go on until a new one works.
    mutating func negotiate(_ latest: Session) {
        guard session?.credentials != latest.credentials else { return }
        session = latest
        for address in addresses {
            addPair(of: address)
        }
    }

    mutating func change(to addresses: [NetworkAddress], at now: Instant) {
        self.addresses = addresses
        for place in pairs.indices {
            if let rank = addresses.firstIndex(of: pairs[place].local.address) {
                pairs[place].rank = rank
            } else if pairs[place].lostAt == nil {
                pairs[place].lostAt = now
            }
        }
        for address in addresses {
            let isPaired = pairs.contains {
                $0.local.address == address && $0.credentials == session?.credentials
                    && $0.lostAt == nil
            }
            if !isPaired { addPair(of: address) }
        }
    }

    /// Broken sockets stay broken until an ICE restart opens new ones.
    mutating func lose(_ address: NetworkAddress, at now: Instant) {
        for place in pairs.indices
        where pairs[place].local.address == address && pairs[place].lostAt == nil {
            pairs[place].lostAt = now
        }
    }

    private mutating func addPair(of address: NetworkAddress) {
        guard let session, let rank = addresses.firstIndex(of: address) else { return }
        append(
            CandidatePair(
                local: SocketAddress(address: address, port: ports.take()),
                remote: session.remote,
                credentials: session.credentials,
                rank: rank
            )
        )
        guard let stream = session.stream else { return }
        append(
            CandidatePair(
                local: SocketAddress(address: address, port: ports.takeForStream()),
                remote: stream,
                credentials: session.credentials,
                rank: rank
            )
        )
    }

    private mutating func append(_ pair: CandidatePair) {
        if pairs.count == Self.pairsMax {
            let oldest = pairs.firstIndex { $0.local != selected } ?? 0
            pairs.remove(at: oldest)
        }
        pairs.append(pair)
    }

    /// Takes the pair that works best; then the newest session, then the system's favourite decides.
    mutating func select() {
        guard var best = pairs.indices.first(where: { pairs[$0].usability > 0 }) else { return }
        for place in pairs.indices.dropFirst(best + 1)
        where pairs[place].isBetter(than: pairs[best]) {
            best = place
        }
        hasBeenWritable = true
        if selected != pairs[best].local { pairChanges += 1 }
        selected = pairs[best].local
        let credentials = pairs[best].credentials
        guard pairs[best].usability == 2, credentials == session?.credentials else { return }
        let (local, isStream) = (pairs[best].local, pairs[best].isStream)
        pairs.removeAll { pair in
            // Of one network only the best way is kept (libwebrtc, `p2p/base/p2p_transport_channel.cc`,
            // `PruneConnections`).
            pair.credentials != credentials || pair.writeState == .timedOut
                || pair.isStream && !isStream && pair.local.address == local.address
        }
    }

    /// Sends the checks that are due.
    ///
    /// - Returns: Whether there were any.
    mutating func check(in turn: inout Turn<Effect>) -> Bool {
        let isWeak = isWeak
        var hasSent = false
        for place in pairs.indices {
            let isSelected = pairs[place].local == selected
            let due = pairs[place].nextCheck(isSelected: isSelected, isWeak: isWeak, timing)
            guard let due, due <= turn.now else { continue }
            hasSent = true
            transaction &+= 1
            pairs[place].noteCheck(transaction, at: turn.now)
            pairs[place].update(at: turn.now, timing)
            let request = StunMessage.request(
                pairs[place].credentials,
                transaction: transaction,
                isNominating: isSelected
            )
            transmit(.stun(request), MediaSizes.bindingRequest, by: pairs[place], in: &turn)
        }
        return hasSent
    }

    mutating func receive(_ packet: Packet, in turn: inout Turn<Effect>) {
        guard let place = pairs.firstIndex(where: { $0.local == packet.destination }) else {
            return
        }
        switch packet.content {
        case .stream, .datagram, .message:
            break
        case .stun(.request(let credentials, let transaction, _)):
            guard credentials == pairs[place].credentials else { return }
            serverChecks += 1
            pairs[place].noteReceived(at: turn.now)
            let answer = StunMessage.response(credentials, transaction: transaction)
            transmit(.stun(answer), MediaSizes.bindingResponse, by: pairs[place], in: &turn)
        case .stun(.response(let credentials, let transaction)):
            guard credentials == pairs[place].credentials, pairs[place].writeState != .timedOut
            else { return }
            consentResponses += 1
            roundTrip = pairs[place].noteAnswer(transaction, at: turn.now) ?? roundTrip
        case .dtls(let flight):
            pairs[place].noteReceived(at: turn.now)
            receive(flight, in: &turn)
        case .media:
            pairs[place].noteReceived(at: turn.now)
        }
    }

    func transmit(
        _ content: Packet.Content,
        _ wireBytes: Int,
        by pair: CandidatePair,
        in turn: inout Turn<Effect>
    ) {
        let packet = Packet(from: pair.local, to: pair.remote, wireBytes: wireBytes, content)
        turn.order(.transmit(packet))
    }

    /// The state of the peer connection as its parts make it (W3C WebRTC §4.3.3).
    var currentState: TransportState {
        guard session != nil else { return .new }
        if selectedPair?.writeState == .writable {
            return handshake == .done ? .connected : .connecting
        }
        if pairs.contains(where: { $0.writeState == .unreliable }) { return .disconnected }
        let isDead = pairs.allSatisfy { $0.writeState == .timedOut }
        return isDead && (hasBeenWritable || !pairs.isEmpty) ? .failed : .connecting
    }
}
