import KodamaNetwork
import KodamaPhone
import SansIO

/// What participants say and are told (livekit/livekit, `pkg/rtc/signalhandler.go` and
/// `pkg/rtc/participant.go`).
extension RoomServer {
    mutating func take(
        _ request: SignalRequest,
        from number: UInt32,
        on connection: UInt32,
        in turn: inout Turn<RoomServerEffect>
    ) {
        guard let place = participants.place(of: number) else { return }
        participants[place].signalledAt = turn.now
        switch request {
        case .join:
            break
        case .offer(let id, let credentials, _):
            takeOffer(id, credentials, from: place, on: connection, in: &turn)
        case .answer(let id, let credentials):
            takeAnswer(id, credentials, from: place, in: &turn)
        case .addTrack(let clientID, let isMuted):
            addTrack(clientID, isMuted: isMuted, of: place, in: &turn)
        case .mute(let track, let isMuted):
            mute(track, isMuted, of: place, in: &turn)
        case .syncState(let tracks):
            let known = participants[place].tracks
            guard !tracks.allSatisfy({ track in known.contains { $0.number == track } }) else {
                return
            }
            remove(number, leave: .init(.reconnect, .stateMismatch), in: &turn)
        case .leave(let reason):
            remove(number, leave: nil, reason: reason, in: &turn)
        case .ping(let ping):
            send(.pong(number: ping), on: connection, in: &turn)
        }
    }

    /// The client's offer for its own tracks; answered at once, an older one not at all.
    private mutating func takeOffer(
        _ id: UInt32,
        _ credentials: IceCredentials,
        from place: Int,
        on connection: UInt32,
        in turn: inout Turn<RoomServerEffect>
    ) {
        guard credentials.participant == participants[place].number,
            credentials.target == .publisher, id >= participants[place].publisherOffer
        else { return }
        participants[place].publisherOffer = id
        participants[place].publisher.agree(on: credentials.generation, at: turn.now)
        send(.answer(id: id, credentials), on: connection, in: &turn)
    }

    /// The answer to the latest offer; one to an older offer is rejected (client-sdk-swift, PR 845).
    private mutating func takeAnswer(
        _ id: UInt32,
        _ credentials: IceCredentials,
        from place: Int,
        in turn: inout Turn<RoomServerEffect>
    ) {
        let number = participants[place].number
        guard let offer = participants[place].offer, offer.id == id,
            credentials.participant == number, credentials.target == .subscriber,
            credentials.generation == offer.generation
        else { return }
        participants[place].offer = nil
        participants[place].subscribedTracks = offer.tracks
        participants[place].subscriber.agree(on: offer.generation, at: turn.now)
        guard participants[place].owesOffer else { return }
        renegotiate(number, in: &turn)
    }

    private mutating func addTrack(
        _ clientID: UInt32,
        isMuted: Bool,
        of place: Int,
        in turn: inout Turn<RoomServerEffect>
    ) {
        let participant = participants[place]
        guard participant.mayPublish, let connection = participant.connection
        else { return }
        let answer: SignalResponse
        if let track = participant.tracks.first(where: { $0.clientID == clientID }) {
            answer = .trackPublished(cid: clientID, track: track.number)
        } else {
            guard participant.tracksMade < ServerParticipant.tracksMax else { return }
            let track = ServerParticipant.track(participant.tracksMade, of: participant.number)
            participants[place].tracksMade += 1
            participants[place].tracks.append(
                .init(number: track, clientID: clientID, isMuted: isMuted)
            )
            answer = .trackPublished(cid: clientID, track: track)
        }
        send(answer, on: connection, in: &turn)
        tellOthers(of: info(of: place), in: participant.room, in: &turn)
    }

    private mutating func mute(
        _ track: UInt32,
        _ isMuted: Bool,
        of place: Int,
        in turn: inout Turn<RoomServerEffect>
    ) {
        guard let index = participants[place].tracks.firstIndex(where: { $0.number == track })
        else { return }
        participants[place].tracks[index].isMuted = isMuted
        let (number, room) = (participants[place].number, participants[place].room)
        for other in othersNumbers(of: number, in: room) {
            guard
                let connection = participants.place(of: other).flatMap({
                    participants[$0].connection
                })
            else { continue }
            send(.mute(track: track, isMuted: isMuted), on: connection, in: &turn)
        }
    }

    /// Offers a participant what there is to hear, if that has changed and it can be told.
    mutating func renegotiate(_ number: UInt32, in turn: inout Turn<RoomServerEffect>) {
        guard let place = participants.place(of: number) else { return }
        guard participants[place].connection != nil, participants[place].offer == nil else {
            participants[place].owesOffer = true
            return
        }
        participants[place].owesOffer = false
        guard audibleTracks(for: place) != participants[place].subscribedTracks else { return }
        makeOffer(to: number, restartsIce: false, in: &turn)
    }

    /// The tracks that a participant would subscribe to.
    private func audibleTracks(for place: Int) -> [UInt32] {
        let participant = participants[place]
        guard participant.maySubscribe else { return [] }
        return others(of: participant.number, in: participant.room).flatMap(\.tracks)
    }

    /// Sends an offer for the subscriber's transport; it takes the place of one without an answer.
    mutating func makeOffer(
        to number: UInt32,
        restartsIce: Bool,
        in turn: inout Turn<RoomServerEffect>
    ) {
        guard let place = participants.place(of: number),
            let connection = participants[place].connection,
            participants[place].subscriber.connectivity != .closed
        else { return }
        if restartsIce {
            participants[place].offeredGeneration &+= 1
            participants[place].subscriber.expectRestart(at: turn.now)
        }
        participants[place].offersMade += 1
        participants[place].owesOffer = false
        let offer = ServerParticipant.Offer(
            id: participants[place].offersMade,
            generation: participants[place].offeredGeneration,
            tracks: audibleTracks(for: place),
            answerBy: turn.now.advanced(by: configuration.negotiationTimeout)
        )
        participants[place].offer = offer
        let credentials = IceCredentials(
            participant: number,
            target: .subscriber,
            generation: offer.generation
        )
        let message = SignalResponse.offer(
            id: offer.id,
            credentials,
            restartsIce: restartsIce,
            tracks: offer.tracks
        )
        send(message, on: connection, in: &turn)
    }

    /// Tells a participant to resume, and closes its signal connection.
    mutating func askToResume(
        _ number: UInt32,
        reason: DisconnectReason,
        in turn: inout Turn<RoomServerEffect>
    ) {
        guard let place = participants.place(of: number),
            let connection = participants[place].connection
        else { return }
        send(.leave(.init(.resume, reason)), on: connection, in: &turn)
        hangUp(connection, in: &turn)
        loseSignal(of: number, by: connection, in: &turn)
    }

    /// The signal connection is gone: whoever was never connected is closed, whoever was stays for as
    /// long as ICE is well (`ParticipantImpl.HandleSignalSourceClose`).
    mutating func loseSignal(
        of number: UInt32,
        by connection: UInt32,
        in turn: inout Turn<RoomServerEffect>
    ) {
        guard let place = participants.place(of: number),
            participants[place].connection == connection
        else { return }
        participants[place].connection = nil
        guard !participants[place].hasConnected else { return }
        remove(number, leave: nil, reason: .signalClose, in: &turn)
    }
}
