import KodamaNetwork
import KodamaPhone
import RealtimeVoice
import SansIO

/// An order to publish, mute or unmute the microphone's track.
struct MicrophoneOrder: Sendable, Equatable {
    let operation: OperationID
    let isEnabled: Bool
}

/// The microphone's track as the local participant holds it (client-sdk-swift,
/// `Participant/LocalParticipant.swift`).
struct LocalMicrophone: Sendable, Equatable {
    enum Publication: Sendable, Equatable {
        /// There is no track.
        case none
        /// The server was asked for one; `operation` is the app's, or none when it is republished.
        case publishing(cid: UInt32, operation: OperationID?, until: Instant)
        /// There is one; without a number the server has forgotten it.
        case published(track: UInt32?, isMuted: Bool)
    }

    var publication = Publication.none
    /// Orders that wait for a publication to end, one after the other.
    var waiting: [MicrophoneOrder] = []
    var lastCid: UInt32 = 0

    var deadline: Deadline? {
        guard case .publishing(_, _, let until) = publication else { return nil }
        return Deadline(until, "publication time-out")
    }

    /// The tracks that the server is told of after a resume.
    var publishedTracks: [UInt32] {
        guard case .published(let track?, _) = publication else { return [] }
        return [track]
    }

    /// The session that knew the track is thrown away.
    mutating func becomeStale() {
        guard case .published(_, let isMuted) = publication else { return }
        publication = .published(track: nil, isMuted: isMuted)
    }
}

extension RoomClient {
    mutating func setMicrophone(_ order: MicrophoneOrder, in turn: inout Turn<RoomClientEffect>) {
        switch microphone.publication {
        case .none:
            guard order.isEnabled else { return finish(order.operation, nil, in: &turn) }
            publish(for: order.operation, in: &turn)
        case .publishing:
            microphone.waiting.append(order)
        case .published(let track, let isMuted):
            let error = isMuted == order.isEnabled ? mute(track, !isMuted, at: turn.now) : nil
            finish(order.operation, error, in: &turn)
        }
    }

    private func finish(
        _ operation: OperationID?,
        _ error: RoomError?,
        in turn: inout Turn<RoomClientEffect>
    ) {
        guard let operation else { return }
        turn.order(.callback(.microphoneFinished(operation, error)))
    }

    /// Asks the server for a track; its offer needs no further round trip with fast publish.
    private mutating func publish(
        for operation: OperationID?,
        in turn: inout Turn<RoomClientEffect>
    ) {
        guard publisher != nil, signal.state != .disconnected else {
            return finish(operation, .invalidState, in: &turn)
        }
        microphone.lastCid &+= 1
        let cid = microphone.lastCid
        let until = turn.now.advanced(by: configuration.publishTimeout)
        microphone.publication = .publishing(cid: cid, operation: operation, until: until)
        signalEffects += signal.drive(.send(.addTrack(cid: cid, isMuted: false)), at: turn.now)
    }

    /// Mutes or unmutes here, and tells the server if it can be told.
    private mutating func mute(_ track: UInt32?, _ isMuted: Bool, at now: Instant) -> RoomError? {
        let isHeard = signal.state != .disconnected
        guard isHeard || configuration.defects.losesMutesWhileSignalIsDown else {
            return .invalidState
        }
        microphone.publication = .published(track: track, isMuted: isMuted)
        if let track {
            let request = SignalRequest.mute(track: track, isMuted: isMuted)
            signalEffects += signal.drive(.send(request), at: now)
        }
        return nil
    }

    mutating func finishPublication(
        _ cid: UInt32,
        _ track: UInt32,
        in turn: inout Turn<RoomClientEffect>
    ) {
        guard case .publishing(cid, let operation, _) = microphone.publication else { return }
        microphone.publication = .published(track: track, isMuted: false)
        finish(operation, nil, in: &turn)
        let waiting = microphone.waiting
        microphone.waiting = []
        for order in waiting {
            setMicrophone(order, in: &turn)
        }
    }

    /// A publication that was under way fails, and with it the orders that waited for it.
    mutating func failPublication(_ error: RoomError, in turn: inout Turn<RoomClientEffect>) {
        guard case .publishing(_, let operation, _) = microphone.publication else { return }
        microphone.publication = .none
        finish(operation, error, in: &turn)
        for order in microphone.waiting {
            finish(order.operation, error, in: &turn)
        }
        microphone.waiting = []
    }

    mutating func expirePublication(in turn: inout Turn<RoomClientEffect>) {
        guard let deadline = microphone.deadline, turn.now >= deadline.instant else { return }
        failPublication(.timedOut, in: &turn)
    }

    /// Publishes the track again after a full reconnect; a muted one is forgotten (client-sdk-swift,
    /// `Participant/LocalParticipant.swift`, `republishAllTracks`; pull request 111).
    mutating func republish(in turn: inout Turn<RoomClientEffect>) {
        guard case .published(let track, let isMuted) = microphone.publication, track == nil else {
            return
        }
        microphone.publication = .none
        if !isMuted { publish(for: nil, in: &turn) }
    }
}
