import SansIO

extension StreamConnection {
    mutating func receive(_ segment: StreamSegment, in turn: inout Turn<StreamEffect>) {
        guard phase != .idle else { return receiveFirst(segment, in: &turn) }
        switch segment.kind {
        case .reset:
            // Whoever said farewell does not mind that the other side is gone.
            end(phase == .closing ? .finished : .reset, in: &turn)
        case .lookup:
            answerLookup(in: &turn)
        case .lookupAnswer:
            guard phase == .lookingUp else { return }
            timer.acknowledge()
            retransmitAt = nil
            synchronize(in: &turn)
        case .synchronize, .synchronizeAcknowledge, .clientHello, .serverHello, .data, .finish:
            receiveNumbered(segment, in: &turn)
        case .acknowledge:
            guard phase != .lookingUp else { return }
            acknowledged(by: segment, in: &turn)
            endIfAllIsSaid(in: &turn)
        }
    }

    /// A server's side is opened by a SYN.
    private mutating func receiveFirst(
        _ segment: StreamSegment,
        in turn: inout Turn<StreamEffect>
    ) {
        guard role == .server else { return }
        switch segment.kind {
        case .lookup:
            answerLookup(in: &turn)
        case .synchronize:
            phase = .handshaking
            openBy = turn.now.advanced(by: Self.openTimeout)
            receiveNumbered(segment, in: &turn)
        case .lookupAnswer, .synchronizeAcknowledge, .clientHello, .serverHello, .data,
            .acknowledge, .finish, .reset:
            break
        }
    }

    private func answerLookup(in turn: inout Turn<StreamEffect>) {
        turn.order(
            .transmit(
                StreamSegment(.lookupAnswer, sequence: 0, acknowledgement: 0),
                wireBytes: StreamSizes.lookupAnswer
            )
        )
    }

    private mutating func receiveNumbered(
        _ segment: StreamSegment,
        in turn: inout Turn<StreamEffect>
    ) {
        guard phase != .lookingUp else { return }
        acknowledged(by: segment, in: &turn)
        owesAcknowledgement = true
        keep(segment)
        var isOver = false
        while let next = early.first, next.sequence == expected, !isOver {
            early.removeFirst()
            expected += 1
            isOver = take(next.kind, in: &turn)
        }
        pump(in: &turn)
        if owesAcknowledgement {
            acknowledge(in: &turn)
        }
        if isOver, phase != .closing {
            end(.finished, in: &turn)
        } else {
            endIfAllIsSaid(in: &turn)
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
        in turn: inout Turn<StreamEffect>
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
                if delaysFirstMessage {
                    heldBehind = firstUnacknowledged + UInt32(pieces.count)
                }
                append(.data(nil), payload: StreamSizes.clientFinished)
                becomeOpen(in: &turn)
            }
        case .data(let message):
            if phase == .handshaking {
                becomeOpen(in: &turn)
            }
            if let message, phase == .open {
                turn.order(.delivered(message))
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

    private mutating func acknowledge(in turn: inout Turn<StreamEffect>) {
        owesAcknowledgement = false
        let segment = StreamSegment(
            .acknowledge,
            sequence: 0,
            acknowledgement: expected,
            selective: selective
        )
        let wireBytes = StreamSizes.headers + StreamSizes.blocks(selective)
        turn.order(.transmit(segment, wireBytes: wireBytes))
    }

    /// Which segments have come before their turn.
    var selective: UInt64 {
        early.reduce(0) { bits, segment in
            let ahead = Int64(segment.sequence) - Int64(expected) - 1
            return (0..<64).contains(ahead) ? bits | 1 << UInt64(ahead) : bits
        }
    }

    private mutating func endIfAllIsSaid(in turn: inout Turn<StreamEffect>) {
        guard phase == .closing, pieces.isEmpty else { return }
        end(.finished, in: &turn)
    }
}
