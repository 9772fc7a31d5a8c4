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
    mutating func capture(
        _ frame: CapturedFrame,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard microphone.isOpen(to: now) else {
            effects.append(.discardCaptured(frame.frame))
            return
        }
        sending.note(frame)
        tellGate(.frameCaptured(frame), at: now, into: &effects)
    }

    /// Gives the gate a fact, or wakes it, and follows what it orders.
    ///
    /// Frames go to the transport, their sending to the keepalives.
    mutating func tellGate(
        _ event: TalkGate.Event?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        gate.drive(event, at: now, into: &gateEffects)
        for effect in gateEffects.effects {
            switch effect {
            case .send(let frame, let captureIndex, let marks):
                send(frame, captureIndex, marks, at: now, into: &effects)
            case .discard(let frame):
                effects.append(.discardCaptured(frame))
            case .sendEndMark:
                sendEndMark(into: &effects)
            case .stateChanged(let state):
                effects.append(.talkStateChanged(state))
            }
        }
        gateEffects.removeAll()
    }

    private mutating func send(
        _ frame: FrameHandle,
        _ captureIndex: Int64,
        _ marks: FrameMarks,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard group != nil else {
            effects.append(.discardCaptured(frame))
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
        effects.append(.transport(.sendAudioFrame(header, frame, path: .local)))
        tellKeepalive(.voiceSent, at: now, into: &effects)
        if marks.contains(.talkEnd) {
            sendEndMark(into: &effects)
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
    private mutating func sendEndMark(into effects: inout EffectBuffer<Effect>) {
        guard group != nil, sending.isTalking else { return }
        sending.isTalking = false
        let mark = EndMark(
            streamID: streamID,
            lastSequence: sending.nextSequence.advanced(by: .max),
            lastCaptureIndex: sending.lastCaptureIndex
        )
        effects.append(.transport(.sendControl(.endMark(mark), to: nil, path: .local)))
    }

    /// Gives the schedule of keepalives a fact, or wakes it, and follows what it orders.
    ///
    /// Every member is sent a keepalive of its own: each echoes what that member sent last, so that
    /// both sides learn the round trip.
    mutating func tellKeepalive(
        _ event: KeepaliveSchedule.Event?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        keepalive.drive(event, at: now, into: &keepaliveEffects)
        for effect in keepaliveEffects.effects {
            switch effect {
            case .sendKeepalive:
                for reception in receptions {
                    let keepalive = Keepalive(
                        streamID: streamID,
                        nextSequence: sending.nextSequence,
                        lastCaptureIndex: sending.lastCaptureIndex,
                        isTalking: sending.isTalking,
                        sentMicroseconds: now.microsecondsOnWire,
                        echo: reception.echo(at: now)
                    )
                    let command = TransportCommand.sendControl(
                        .keepalive(keepalive),
                        to: reception.peer,
                        path: .local
                    )
                    effects.append(.transport(command))
                }
            }
        }
        keepaliveEffects.removeAll()
    }
}
