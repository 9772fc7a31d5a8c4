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
    mutating func setMicrophone(
        _ order: MicrophoneOrder,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        switch microphone.publication {
        case .none:
            guard order.isEnabled else { return finish(order.operation, nil, into: &effects) }
            publish(for: order.operation, at: now, into: &effects)
        case .publishing:
            microphone.waiting.append(order)
        case .published(let track, let isMuted):
            let error = isMuted == order.isEnabled ? mute(track, !isMuted, at: now) : nil
            finish(order.operation, error, into: &effects)
        }
    }

    private func finish(
        _ operation: OperationID?,
        _ error: RoomError?,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        guard let operation else { return }
        effects.append(.callback(.microphoneFinished(operation, error)))
    }

    /// Asks the server for a track; its offer needs no further round trip with fast publish.
    private mutating func publish(
        for operation: OperationID?,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        guard publisher != nil, signal.state != .disconnected else {
            return finish(operation, .invalidState, into: &effects)
        }
        microphone.lastCid &+= 1
        let cid = microphone.lastCid
        let until = now.advanced(by: configuration.publishTimeout)
        microphone.publication = .publishing(cid: cid, operation: operation, until: until)
        signal.handle(.send(.addTrack(cid: cid, isMuted: false)), at: now, into: &signalEffects)
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
            signal.handle(.send(request), at: now, into: &signalEffects)
        }
        return nil
    }

    mutating func finishPublication(
        _ cid: UInt32,
        _ track: UInt32,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        guard case .publishing(cid, let operation, _) = microphone.publication else { return }
        microphone.publication = .published(track: track, isMuted: false)
        finish(operation, nil, into: &effects)
        let waiting = microphone.waiting
        microphone.waiting = []
        for order in waiting {
            setMicrophone(order, at: now, into: &effects)
        }
    }

    /// A publication that was under way fails, and with it the orders that waited for it.
    mutating func failPublication(
        _ error: RoomError,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        guard case .publishing(_, let operation, _) = microphone.publication else { return }
        microphone.publication = .none
        finish(operation, error, into: &effects)
        for order in microphone.waiting {
            finish(order.operation, error, into: &effects)
        }
        microphone.waiting = []
    }

    mutating func expirePublication(
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        guard let deadline = microphone.deadline, now >= deadline.instant else { return }
        failPublication(.timedOut, into: &effects)
    }

    /// Publishes the track again after a full reconnect; a muted one is forgotten (client-sdk-swift,
    /// `Participant/LocalParticipant.swift`, `republishAllTracks`; pull request 111).
    mutating func republish(
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        guard case .published(let track, let isMuted) = microphone.publication, track == nil else {
            return
        }
        microphone.publication = .none
        if !isMuted { publish(for: nil, at: now, into: &effects) }
    }
}
