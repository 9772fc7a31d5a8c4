import KodamaNetwork
import KodamaPhone
import SansIO

/// Checks, keys and voice (livekit/livekit, `pkg/rtc/transport.go`; RFC 8445; RFC 6347).
extension RoomServer {
    mutating func receive(
        _ message: StunMessage,
        from source: SocketAddress,
        in turn: inout Turn<RoomServerEffect>
    ) {
        switch message {
        case .request(let credentials, let transaction, let isNominating):
            guard takeCheck(credentials, isNominating, from: source, at: turn.now) else { return }
            let answer = StunMessage.response(credentials, transaction: transaction)
            sendDatagram(.stun(answer), MediaSizes.bindingResponse, to: source, in: &turn)
            answerEarlyHello(credentials, in: &turn)
        case .response(let credentials, _):
            _ = takeCheck(credentials, false, from: source, at: turn.now)
        }
    }

    private mutating func takeCheck(
        _ credentials: IceCredentials,
        _ isNominating: Bool,
        from source: SocketAddress,
        at now: Instant
    ) -> Bool {
        guard let place = participants.place(of: credentials.participant) else { return false }
        return participants[place][credentials.target].takeCheck(
            credentials.generation,
            isNominating: isNominating,
            from: source,
            at: now
        )
    }

    /// The server's part of the handshake: hello for hello, Finished for Finished.
    mutating func receive(
        _ flight: DtlsFlight,
        from source: SocketAddress,
        in turn: inout Turn<RoomServerEffect>
    ) {
        switch flight {
        case .clientHello(let credentials):
            guard let place = known(credentials, source, at: turn.now),
                participants[place][credentials.target].handshake != .done
            else { return }
            guard participants[place][credentials.target].selected != nil else {
                participants[place][credentials.target].earlyHello = source
                return
            }
            answerHello(credentials, from: source, of: place, in: &turn)
        case .clientFinished(let credentials):
            guard let place = known(credentials, source, at: turn.now),
                participants[place][credentials.target].handshake != .waiting
            else { return }
            participants[place][credentials.target].handshake = .done
            let finished = Packet.Content.dtls(.serverFinished(credentials))
            sendDatagram(finished, MediaSizes.serverFinished, to: source, in: &turn)
            activate(place, in: &turn)
        case .serverHello, .serverFinished:
            break
        }
    }

    private mutating func answerHello(
        _ credentials: IceCredentials,
        from source: SocketAddress,
        of place: Int,
        in turn: inout Turn<RoomServerEffect>
    ) {
        let interval = configuration.dtlsRetransmitInterval
        participants[place][credentials.target].handshake = .answering(
            resendAt: turn.now.advanced(by: interval),
            interval: interval
        )
        let hello = Packet.Content.dtls(.serverHello(credentials))
        sendDatagram(hello, MediaSizes.serverHello, to: source, in: &turn)
    }

    /// Answers a hello that came before a way was nominated, now that one is.
    private mutating func answerEarlyHello(
        _ credentials: IceCredentials,
        in turn: inout Turn<RoomServerEffect>
    ) {
        guard let place = participants.place(of: credentials.participant),
            participants[place][credentials.target].selected != nil,
            let source = participants[place][credentials.target].earlyHello
        else { return }
        participants[place][credentials.target].earlyHello = nil
        guard participants[place][credentials.target].handshake == .waiting else { return }
        answerHello(credentials, from: source, of: place, in: &turn)
    }

    /// The participant that these credentials name, if the packet came by a way that was checked.
    private mutating func known(
        _ credentials: IceCredentials,
        _ source: SocketAddress,
        at now: Instant
    ) -> Int? {
        guard let place = participants.place(of: credentials.participant),
            participants[place][credentials.target].takePacket(from: source, at: now)
        else { return nil }
        return place
    }

    /// The primary transport is connected: the participant is ACTIVE, from the first time on.
    private mutating func activate(_ place: Int, in turn: inout Turn<RoomServerEffect>) {
        guard !participants[place].isActive, participants[place].subscriber.isConnected else {
            return
        }
        participants[place].isActive = true
        participants[place].activeBy = nil
        let (identity, number) = (participants[place].identity, participants[place].number)
        turn.order(.note(.participantActive(identity: identity, participant: number)))
    }

    mutating func sendDatagram(
        _ content: Packet.Content,
        _ wireBytes: Int,
        to destination: SocketAddress,
        in turn: inout Turn<RoomServerEffect>
    ) {
        let source = mediaSource(to: destination)
        guard takesMedia(at: source) else { return }
        let packet = Packet(from: source, to: destination, wireBytes: wireBytes, content)
        turn.order(.transmit(packet))
    }

    /// Takes a frame of voice: it proves that its sender lives, and says who hears it.
    ///
    /// - Parameters:
    ///   - packet: A packet of media for the server's media port.
    ///   - now: The present.
    /// - Returns: Who hears it; `nil` if the way it came is not known, the sender was never active, or
    ///   the track is unknown or muted, or nobody is there to hear it.
    /// - Complexity: O(log n) in the number of participants; nothing is allocated.
    mutating func receive(media packet: Packet, at now: Instant) -> MediaReceiver? {
        guard isUp(at: now), case .media(let frame) = packet.content,
            takesMedia(at: packet.destination),
            let place = participants.place(of: ServerParticipant.number(publishing: frame.track)),
            participants[place].publisher.takePacket(from: packet.source, at: now)
        else { return nil }
        return receiver(of: frame.track, from: place)
    }

    /// Who would hear a frame that came by this route now; the same question without a frame.
    ///
    /// - Parameter route: From the client's end to the server's media port.
    /// - Returns: Who would hear it; `nil` for the reasons of `receive(media:at:)`.
    func mediaReceiver(of route: MediaRoute) -> MediaReceiver? {
        guard takesMedia(at: route.destination),
            let place = participants.place(of: ServerParticipant.number(publishing: route.track)),
            participants[place].publisher.knows(route.source)
        else { return nil }
        return receiver(of: route.track, from: place)
    }

    /// Voice that was not carried as frames came by this route until now: as much a sign of life.
    ///
    /// - Parameters:
    ///   - route: From the client's end to the server's media port.
    ///   - now: When the last frame would have come.
    mutating func noteVoice(by route: MediaRoute, until now: Instant) {
        guard isUp(at: now), takesMedia(at: route.destination),
            let place = participants.place(of: ServerParticipant.number(publishing: route.track))
        else { return }
        _ = participants[place].publisher.takePacket(from: route.source, at: now)
    }

    private func receiver(of track: UInt32, from place: Int) -> MediaReceiver? {
        guard participants[place].isActive, participants[place].publisher.isConnected,
            participants[place].tracks.contains(where: { $0.number == track && !$0.isMuted }),
            let room = rooms.place(of: participants[place].room), rooms[room].agent != nil
        else { return nil }
        return .agent(room: rooms[room].name, identity: participants[place].identity)
    }

    /// Where the voice of a room's agent goes now.
    ///
    /// - Parameter name: The room's name.
    /// - Returns: The way to each participant that has subscribed to the agent by a connected transport;
    ///   empty if there is no agent.
    func mediaRoutes(room name: String) -> [MediaRoute] {
        var routes: [MediaRoute] = []
        forEachMediaRoute(room: name) { route in
            routes.append(route)
            return true
        }
        return routes
    }

    /// The first way of a room's agent's voice that somebody wants.
    ///
    /// - Parameters:
    ///   - name: The room's name.
    ///   - isWanted: Whether a way is the one.
    /// - Returns: That way; `nil` if there is none.
    func mediaRoute(
        room name: String,
        where isWanted: (MediaRoute) -> Bool
    ) -> MediaRoute? {
        var found: MediaRoute?
        forEachMediaRoute(room: name) { route in
            guard isWanted(route) else { return true }
            found = route
            return false
        }
        return found
    }

    /// Calls `body` with the way to each participant that hears the room's agent, until it returns false.
    private func forEachMediaRoute(room name: String, _ body: (MediaRoute) -> Bool) {
        guard let number = roomsByName[name],
            let place = rooms.place(of: number), let agent = rooms[place].agent
        else { return }
        for member in rooms[place].members {
            guard let present = participants.place(of: member),
                participants[present].subscriber.isConnected,
                participants[present].subscribedTracks.contains(agent.track),
                let end = participants[present].subscriber.selected,
                takesMedia(at: mediaSource(to: end))
            else { continue }
            let route = MediaRoute(from: mediaSource(to: end), to: end, track: agent.track)
            guard body(route) else { return }
        }
    }
}

extension MediaSizes {
    /// ServerHello, an ECDSA certificate of some 300 bytes, key exchange, request, done; an assumption.
    static let serverHello = 700
    /// ChangeCipherSpec and Finished, each in its record: 28 + 14 + 53.
    static let serverFinished = 95
}
