import OpusAudio
import PeerTransport
import SansIO
import VoiceActivity

/// What the sender remembers from one datagram to the next.
struct SendingState: Sendable, Equatable {
    /// The number of the next voice frame; unlike the capture index it does not jump in silence.
    var nextSequence = SerialNumber(0)
    /// The capture index of the last voice frame sent.
    var lastCaptureIndex = SerialNumber(0)
    /// Whether a talk spurt is being sent.
    var isTalking = false
    /// What the detector said of the latest frames, by capture index: more than the pre-roll holds.
    private var levels = SIMD32<UInt8>()
    private var speech: UInt32 = 0

    /// Remembers what the detector said of a frame until it is sent.
    mutating func note(_ frame: CapturedFrame) {
        let place = Int(truncatingIfNeeded: frame.captureIndex & 31)
        levels[place] = frame.decision.level.decibelsBelowOverload
        speech = speech & ~(1 << place) | (frame.decision.isSpeech ? 1 << place : 0)
    }

    /// What the detector said of a frame that was captured less than 32 frames ago.
    func decision(on captureIndex: Int64) -> (level: AudioLevel, isSpeech: Bool) {
        let place = Int(truncatingIfNeeded: captureIndex & 31)
        return (AudioLevel(decibelsBelowOverload: levels[place]), speech >> place & 1 == 1)
    }
}

extension IntercomCoordinator {
    mutating func capture(_ frame: CapturedFrame, in turn: inout Turn<Effect>) {
        guard microphone.isOpen(to: turn.now) else {
            turn.order(.discardCaptured(frame.frame))
            return
        }
        sending.note(frame)
        tellGate(.frameCaptured(frame), in: &turn)
    }

    /// Gives the gate a fact, or wakes it, and follows what it orders.
    ///
    /// Frames go to the transport, their sending to the keepalives.
    mutating func tellGate(_ event: TalkGate.Event?, in turn: inout Turn<Effect>) {
        let orders = gate.drive(event, at: turn.now, reusing: &gateMemory)
        for effect in orders {
            switch effect {
            case .send(let frame, let captureIndex, let marks):
                send(frame, captureIndex, marks, in: &turn)
            case .discard(let frame):
                turn.order(.discardCaptured(frame))
            case .sendEndMark:
                sendEndMark(in: &turn)
            case .stateChanged(let state):
                turn.order(.talkStateChanged(state))
            }
        }
        gateMemory.reclaim(orders)
    }

    private mutating func send(
        _ frame: FrameHandle,
        _ captureIndex: Int64,
        _ marks: FrameMarks,
        in turn: inout Turn<Effect>
    ) {
        guard group != nil else {
            turn.order(.discardCaptured(frame))
            return
        }
        let decision = sending.decision(on: captureIndex)
        let header = FrameHeader(
            streamID: streamID,
            sequence: sending.nextSequence,
            captureIndex: SerialNumber(UInt32(truncatingIfNeeded: captureIndex)),
            marks: marks,
            carriesFEC: configuration.codec.usesInBandFEC && followsSent(marks),
            level: decision.level,
            holdsSpeech: decision.isSpeech
        )
        sending.nextSequence = sending.nextSequence.advanced(by: 1)
        sending.lastCaptureIndex = header.captureIndex
        sending.isTalking = true
        turn.order(.transport(.sendAudioFrame(header, frame, path: .local)))
        tellKeepalive(.voiceSent, in: &turn)
        if marks.contains(.talkEnd) {
            sendEndMark(in: &turn)
        }
    }

    /// Whether the frame before the next one was sent as well.
    ///
    /// libopus copies into a packet the frame that it encoded last. In a spurt's first packet that is
    /// the end of the former spurt, from before a silence or a mute, and stands in for nothing.
    private func followsSent(_ marks: FrameMarks) -> Bool {
        sending.isTalking && !marks.contains(.talkStart)
    }

    /// Repeats the end of the spurt in a datagram of its own, so that one loss does not hide it.
    private mutating func sendEndMark(in turn: inout Turn<Effect>) {
        guard group != nil, sending.isTalking else { return }
        sending.isTalking = false
        let mark = EndMark(
            streamID: streamID,
            lastSequence: sending.nextSequence.advanced(by: .max),
            lastCaptureIndex: sending.lastCaptureIndex
        )
        turn.order(.transport(.sendControl(.endMark(mark), to: nil, path: .local)))
    }

    /// Gives the schedule of keepalives a fact, or wakes it, and follows what it orders.
    ///
    /// Every member is sent a keepalive of its own: each echoes what that member sent last, so that
    /// both sides learn the round trip.
    mutating func tellKeepalive(_ event: KeepaliveSchedule.Event?, in turn: inout Turn<Effect>) {
        let orders = keepalive.drive(event, at: turn.now, reusing: &keepaliveMemory)
        for effect in orders {
            switch effect {
            case .sendKeepalive:
                for reception in receptions {
                    let keepalive = Keepalive(
                        streamID: streamID,
                        nextSequence: sending.nextSequence,
                        lastCaptureIndex: sending.lastCaptureIndex,
                        isTalking: sending.isTalking,
                        sentMicroseconds: turn.now.microsecondsOnWire,
                        echo: reception.echo(at: turn.now)
                    )
                    let command = TransportCommand.sendControl(
                        .keepalive(keepalive),
                        to: reception.peer,
                        path: .local
                    )
                    turn.order(.transport(command))
                }
            }
        }
        keepaliveMemory.reclaim(orders)
    }
}
