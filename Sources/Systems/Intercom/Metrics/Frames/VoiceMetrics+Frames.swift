import KodamaEvidence
import SansIO

// Frames of sound: captured, played, made up, discarded.

extension VoiceMetrics {
    /// A frame of one member was heard by another.
    mutating func framePlayed(_ record: TraceRecord) {
        guard let (origin, listener) = cast.members(record.subject, record.component) else {
            return
        }
        let pair = pairs.number(origin, listener)
        let frame = FramePlayed(record)
        let (heard, captured) = (frame.heard.nanoseconds, frame.captured.nanoseconds)
        playout.played(frame, record, pair: &pairs.values[pair].playout)
        mutes.played(
            frameFrom: captured,
            lasting: cast.devices[origin].frameDuration,
            of: record.subject
        )
        let onset = cast.devices[origin].truth.onset(
            ofSpeechFrom: captured,
            to: captured + cast.devices[origin].frameDuration
        )
        handover.sounded(
            frame.index,
            heard: (heard, frame.samples),
            captured: captured,
            onset: onset,
            between: (record.subject, record.component),
            gaps: (cast.devices[origin].soundGap, cast.devices[listener].soundGap),
            truth: cast.devices[origin].truth,
            pair: &pairs.values[pair].handover
        )
        if !pairs.values[pair].group.hasHeard { groups.met(origin, listener) }
        groups.played(
            heard: heard,
            captured: captured,
            onset: onset,
            by: origin,
            to: listener,
            cast.devices,
            record,
            pair: &pairs.values[pair].group
        )
        pairs.values[pair].stream.dueSamples += HeardStream.samplesPerFrame
        guard let onset else { return }
        speechPlayed(record, heard: heard, captured: captured, onset: onset, pair)
    }

    /// A frame was heard that carries speech, which began at `onset`.
    private mutating func speechPlayed(
        _ record: TraceRecord,
        heard: Int64,
        captured: Int64,
        onset: Int64,
        _ pair: Int
    ) {
        pairs.values[pair].stream.played(at: heard, after: heard - captured)
        mouthToEar.played(
            heard: heard,
            captured: captured,
            onset: onset,
            record,
            pair: &pairs.values[pair].mouthToEar
        )
        guard captured - onset > MouthToEarMeter.settlingTime else { return }
        stalls.played(heard: heard, captured: captured, record, pair: &pairs.values[pair].stalls)
    }

    /// Sound was made up or repaired.
    mutating func frameConcealed(_ record: TraceRecord) {
        guard let (origin, listener) = cast.members(record.subject, record.component) else {
            return
        }
        let pair = pairs.number(origin, listener)
        let frame = FrameConcealed(record)
        let isGoingOn = pairs.values[pair].playout.isExtrapolating
        playout.concealed(
            frame,
            record,
            truth: cast.devices[origin].truth,
            frameDuration: cast.devices[origin].frameDuration,
            pair: &pairs.values[pair].playout
        )
        switch frame.means.value {
        case .extrapolated:
            pairs.values[pair].stream.dueSamples += frame.samples
            pairs.values[pair].stream.lostSamples += frame.samples
            pairs.values[pair].stream.burstCount += isGoingOn ? 0 : 1
        case .repaired:
            pairs.values[pair].stream.dueSamples += frame.samples
            repaired(frame, record, (origin, listener), pair)
        case nil:
            break
        }
    }

    /// A repaired frame is sound like one that came, captured a frame after the last one heard.
    private mutating func repaired(
        _ frame: FrameConcealed,
        _ record: TraceRecord,
        _ devices: (origin: Int, listener: Int),
        _ pair: Int
    ) {
        let (origin, listener) = devices
        let duration = cast.devices[origin].frameDuration
        guard let captured = pairs.values[pair].playout.captured(frame.index, duration) else {
            return
        }
        mutes.played(frameFrom: captured, lasting: duration, of: record.subject)
        handover.sounded(
            frame.index,
            heard: (frame.heard.nanoseconds, frame.samples),
            captured: captured,
            onset: cast.devices[origin].truth.onset(
                ofSpeechFrom: captured,
                to: captured + duration
            ),
            between: (record.subject, record.component),
            gaps: (cast.devices[origin].soundGap, cast.devices[listener].soundGap),
            truth: cast.devices[origin].truth,
            pair: &pairs.values[pair].handover
        )
    }

    /// A frame came and was thrown away.
    mutating func frameDiscarded(_ record: TraceRecord) {
        guard cast.members(record.subject, record.component) != nil else { return }
        playout.discarded(FrameDiscarded(record), record)
    }

    /// A microphone gave a frame.
    mutating func frameCaptured(_ record: TraceRecord) {
        guard let device = cast.slot(of: record.component) else { return }
        let captured = FrameCaptured(record)
        cast.devices[device].frameDuration = captured.durationNanoseconds
        guard cast.devices[device].hasJoined else { return }
        let now = record.instant.nanoseconds
        groups.captured(by: device, cast.devices, at: now)
        lookAtOnset(of: device, at: now)
        let start = captured.start.nanoseconds
        let frame = CoverageFrame(
            index: captured.index,
            start: start,
            end: start + captured.durationNanoseconds
        )
        cast.devices[device].soundGap.captured(frame)
        coverage.observe(.init(instant: now, device: device, content: .captured(frame)))
    }

    /// Somebody did something to a phone that may take the sound from its app.
    mutating func soundTouched(_ record: TraceRecord) {
        guard let device = cast.slot(of: record.component) else { return }
        let act = record.kind == UserActed.kind ? acts[UserActed(record).action] : nil
        guard act?.takesSound ?? true else { return }
        cast.devices[device].soundGap.touched(at: record.instant.nanoseconds)
    }

    /// The first of what a device began to say has gone, or will not.
    private mutating func lookAtOnset(of speaker: Int, at now: Int64) {
        guard let onset = cast.devices[speaker].freshOnset,
            now - onset >= HandoverMeter.firstFrameTime
        else { return }
        cast.devices[speaker].freshOnset = nil
        for listener in pairs.partners(of: speaker) where listener != speaker {
            guard let pair = pairs.existing(speaker, listener) else { continue }
            let ends = (cast.devices[speaker].phone, cast.devices[listener].phone)
            handover.began(onset, between: ends, pair: &pairs.values[pair].handover)
        }
    }
}
