import SansIO

extension StreamConnection {
    mutating func receive(
        _ segment: StreamSegment,
        at now: Instant,
        into effects: inout EffectBuffer<StreamEffect>
    ) {
        guard phase != .idle else { return receiveFirst(segment, at: now, into: &effects) }
        switch segment.kind {
        case .reset:
            // Whoever said farewell does not mind that the other side is gone.
            end(phase == .closing ? .finished : .reset, into: &effects)
        case .lookup:
            answerLookup(into: &effects)
        case .lookupAnswer:
            guard phase == .lookingUp else { return }
            timer.acknowledge()
            retransmitAt = nil
            synchronize(at: now, into: &effects)
        case .synchronize, .synchronizeAcknowledge, .clientHello, .serverHello, .data, .finish:
            receiveNumbered(segment, at: now, into: &effects)
        case .acknowledge:
            guard phase != .lookingUp else { return }
            acknowledged(by: segment, at: now, into: &effects)
            endIfAllIsSaid(into: &effects)
        }
    }

    /// A server's side is opened by a SYN.
    private mutating func receiveFirst(
        _ segment: StreamSegment,
        at now: Instant,
        into effects: inout EffectBuffer<StreamEffect>
    ) {
        guard role == .server else { return }
        switch segment.kind {
        case .lookup:
            answerLookup(into: &effects)
        case .synchronize:
            phase = .handshaking
            openBy = now.advanced(by: Self.openTimeout)
            receiveNumbered(segment, at: now, into: &effects)
        case .lookupAnswer, .synchronizeAcknowledge, .clientHello, .serverHello, .data,
            .acknowledge, .finish, .reset:
            break
        }
    }

    private func answerLookup(into effects: inout EffectBuffer<StreamEffect>) {
        effects.append(
            .transmit(
                StreamSegment(.lookupAnswer, sequence: 0, acknowledgement: 0),
                wireBytes: StreamSizes.lookupAnswer
            )
        )
    }

    private mutating func receiveNumbered(
        _ segment: StreamSegment,
        at now: Instant,
        into effects: inout EffectBuffer<StreamEffect>
    ) {
        guard phase != .lookingUp else { return }
        acknowledged(by: segment, at: now, into: &effects)
        owesAcknowledgement = true
        keep(segment)
        var isOver = false
        while let next = early.first, next.sequence == expected, !isOver {
            early.removeFirst()
            expected += 1
            isOver = take(next.kind, into: &effects)
        }
        pump(at: now, into: &effects)
        if owesAcknowledgement {
            acknowledge(into: &effects)
        }
        if isOver, phase != .closing {
            end(.finished, into: &effects)
        } else {
            endIfAllIsSaid(into: &effects)
        }
    }

    /// Keeps a segment that is new and within the window, in order of its number.
    private mutating func keep(_ segment: StreamSegment) {
        let ahead = Int64(segment.sequence) - Int64(expected)
        guard ahead >= 0, ahead < Int64(Self.windowMax) else { return }
        let place = early.firstIndex { $0.sequence >= segment.sequence } ?? early.endIndex
        guard place == early.endIndex || early[place].sequence != segment.sequence else { return }
        early.insert(segment, at: place)
    }

    /// Takes the next segment in order and says whether the other side has said its last word.
    private mutating func take(
        _ kind: StreamSegment.Kind,
        into effects: inout EffectBuffer<StreamEffect>
    ) -> Bool {
        switch kind {
        case .synchronize:
            pieces.append(
                Piece(kind: .synchronizeAcknowledge, wireBytes: StreamSizes.synchronize)
            )
        case .synchronizeAcknowledge:
            append(.clientHello, payload: StreamSizes.clientHello)
        case .clientHello:
            answerClientHello()
        case .serverHello:
            serverHellos += 1
            if serverHellos == StreamSizes.serverFlightSegments, phase == .handshaking {
                append(.data(nil), payload: StreamSizes.clientFinished)
                becomeOpen(into: &effects)
            }
        case .data(let message):
            if phase == .handshaking {
                becomeOpen(into: &effects)
            }
            if let message, phase == .open {
                effects.append(.delivered(message))
            }
        case .finish:
            return true
        case .lookup, .lookupAnswer, .acknowledge, .reset:
            break
        }
        return false
    }

    private mutating func answerClientHello() {
        var rest = StreamSizes.serverFlight
        while rest > 0 {
            append(.serverHello, payload: min(rest, StreamSizes.segmentPayload))
            rest -= StreamSizes.segmentPayload
        }
    }

    private mutating func acknowledge(into effects: inout EffectBuffer<StreamEffect>) {
        owesAcknowledgement = false
        let segment = StreamSegment(
            .acknowledge,
            sequence: 0,
            acknowledgement: expected,
            selective: selective
        )
        let wireBytes = StreamSizes.headers + StreamSizes.blocks(selective)
        effects.append(.transmit(segment, wireBytes: wireBytes))
    }

    /// Which segments have come before their turn.
    var selective: UInt64 {
        early.reduce(0) { bits, segment in
            let ahead = Int64(segment.sequence) - Int64(expected) - 1
            return (0..<64).contains(ahead) ? bits | 1 << UInt64(ahead) : bits
        }
    }

    private mutating func endIfAllIsSaid(into effects: inout EffectBuffer<StreamEffect>) {
        guard phase == .closing, pieces.isEmpty else { return }
        end(.finished, into: &effects)
    }
}
