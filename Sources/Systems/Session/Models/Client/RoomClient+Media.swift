package import KodamaNetwork
import KodamaPhone
package import RealtimeVoice
package import SansIO

extension RoomClient {
    /// Where the phone's voice goes now, if anywhere: its track is published and not muted, and the
    /// publisher's transport has a pair that is not given up.
    package var mediaRoute: MediaRoute? {
        guard case .published(let track?, isMuted: false) = microphone.publication,
            let ends = publisher?.mediaEnds
        else { return nil }
        return MediaRoute(from: ends.local, to: ends.remote, track: track)
    }

    /// The way by which others' voice comes in, if it can be heard: from the server to the pair that
    /// the subscriber's transport uses, with the first subscribed track.
    package var audibleRoute: MediaRoute? {
        guard let track = remotes.subscribed.first, let ends = subscriber?.mediaEnds else {
            return nil
        }
        return MediaRoute(from: ends.remote, to: ends.local, track: track)
    }

    /// Whether a frame that has come in can be decrypted and belongs to a subscribed track.
    package func hears(_ packet: Packet) -> Bool {
        guard case .media(let frame) = packet.content,
            remotes.subscribed.contains(frame.track)
        else { return false }
        return subscriber?.receives(at: packet.destination) ?? false
    }

    /// Whether what is heard is played: the renderer is on.
    package var isPlaying: Bool { isRendering && !isReleased }

    /// The connection's state as the app was told it.
    package var connectionState: ConnectionState { state.connection }

    /// Counts a frame of voice that was sent along `mediaRoute`.
    mutating func noteMediaSent() {
        sentVoice.add()
    }

    /// Counts the payload of a frame that was sent.
    mutating func noteSent(bytes: Int) {
        sentBytes += Int64(bytes)
    }

    /// Voice flows without frames, or does not: what is counted, and what proves life, is as if one
    /// came every 20 ms.
    ///
    /// - Parameters:
    ///   - isSending: Whether frames would go out along `mediaRoute`.
    ///   - route: The way by which frames would come in that `hears` accepts; `nil` for none.
    ///   - now: The present.
    package mutating func noteVoice(
        isSending: Bool,
        comingInBy route: MediaRoute?,
        at now: Instant
    ) {
        feelVoice(at: now)
        sentVoice.set(isFlowing: isSending, at: now)
        receivedVoice.set(isFlowing: route != nil, at: now)
        voiceDestination = route?.destination
    }

    /// The frames that would have come in since the last look.
    mutating func feelVoice(at now: Instant) {
        guard let voiceDestination else { return }
        _ = subscriber?.noteMedia(at: voiceDestination, now)
    }

    mutating func act(
        on effect: ClientTransport.Effect,
        of target: TransportTarget,
        in turn: inout Turn<RoomClientEffect>
    ) {
        switch effect {
        case .transmit(let packet):
            turn.order(.transmit(packet))
        case .stateChanged(let transportState):
            follow(transportState, of: target, in: &turn)
        }
    }

    /// A change of a transport carries an attempt on, ends it, or begins a reconnect.
    private mutating func follow(
        _ transportState: TransportState,
        of target: TransportTarget,
        in turn: inout Turn<RoomClientEffect>
    ) {
        switch transportState {
        case .new, .connecting:
            break
        case .connected:
            advance(in: &turn)
        case .disconnected, .failed:
            hasBroken = true
            if activity.attempt?.step.awaited == target {
                fail(.transportTimeout, in: &turn)
            } else if configuration.curve.isLoss(transportState),
                target == .subscriber || session.hasPublished
            {
                startReconnect(.transport, in: &turn)
            }
        }
    }

    /// The statistics as they stand now, over this and all earlier transports.
    func currentStatistics(at now: Instant) -> RoomStatistics {
        var current = checkStatistics
        current.packetsSent = sentVoice.total(at: now)
        // Where no frames are made, as if each had the mean payload.
        current.bytesSent = sentBytes > 0 ? sentBytes : current.packetsSent * VoiceCount.meanBytes
        current.packetsReceived = receivedVoice.total(at: now)
        current.othersPresent = remotes.participants.count
        current.audibleTracks = remotes.audibleTracks
        return current
    }

    /// The packets of voice that have come in.
    package func packetsReceived(at now: Instant) -> Int64 { receivedVoice.total(at: now) }

    /// What checks show, over this and all earlier transports.
    var checkStatistics: RoomStatistics {
        var current = statistics
        current.consentResponses += publisher?.consentResponses ?? 0
        current.consentResponses += subscriber?.consentResponses ?? 0
        current.serverChecks = (statistics.serverChecks ?? 0) + (subscriber?.serverChecks ?? 0)
        let changes = (publisher?.pairChanges ?? 0) + (subscriber?.pairChanges ?? 0)
        current.pairChanges = (statistics.pairChanges ?? 0) + changes
        current.roundTrip = subscriber?.roundTrip ?? publisher?.roundTrip ?? statistics.roundTrip
        return current
    }

    mutating func reportStatistics(in turn: inout Turn<RoomClientEffect>) {
        guard let due = nextStatistics, turn.now >= due else { return }
        nextStatistics = turn.now.advanced(by: .seconds(1))
        turn.order(.callback(.statistics(currentStatistics(at: turn.now))))
    }
}
