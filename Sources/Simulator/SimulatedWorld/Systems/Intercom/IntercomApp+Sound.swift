import AppCoordination
import Evidence
import PeerTransport
import SansIO
import Simulation
import VoiceActivity

extension IntercomApp {
    /// The microphone delivers a frame; the app hears of it with the detector's judgement.
    func captureFrame(_ number: Int64, on stage: inout Stage) {
        let clock = phone.sound.microphoneClock
        let samples = Int64(SoundHardware.samplesPerFrame)
        let start = clock.instant(ofSample: number * samples)
        let end = clock.instant(ofSample: (number + 1) * samples)
        let provenance = Provenance(
            device: index,
            captureIndex: number,
            capturedNanoseconds: start.nanoseconds
        )
        let slot = frames.take(provenance, size: SoundHardware.samplesPerFrame * 2)
        stage.note(
            FrameCaptured(
                index: number,
                start: start,
                durationNanoseconds: end.nanoseconds - start.nanoseconds
            ),
            of: index
        )

        let bytes = frames.bytes(of: slot)
        let decision = sound.capture(from: start, to: end, into: bytes)
        let captured = CapturedFrame(
            captureIndex: number,
            frame: FrameHandle(slot: slot),
            decision: decision
        )
        hear(.frameCaptured(captured), on: &stage)
    }

    /// The speaker asks for sound; the app decides which, the device makes it.
    func renderSound(on stage: inout Stage) {
        hear(.renderRequested(samples: SoundHardware.samplesPerRender), on: &stage)
        sound.render()
        for neighbour in queuedSamples.indices {
            queuedSamples[neighbour] = max(
                0,
                queuedSamples[neighbour] - SoundHardware.samplesPerRender
            )
        }
    }

    /// The binding of what the jitter buffer orders.
    func perform(
        _ order: JitterBuffer.Effect,
        of peer: PeerID,
        on stage: inout Stage
    ) {
        guard let neighbour = neighbour(of: peer) else { return }
        switch order {
        case .play(let frame, let captureIndex, let samples):
            play(frame, captureIndex, samples, of: neighbour, on: &stage)
        case .recover(let captureIndex, let next, let samples):
            sound.recover(
                from: frames.bytes(of: next.slot),
                of: neighbour,
                samples: samples
            )
            conceal(captureIndex, samples, .repaired, of: neighbour, on: &stage)
        case .conceal(let captureIndex, let samples):
            sound.conceal(of: neighbour, samples: samples)
            conceal(captureIndex, samples, .extrapolated, of: neighbour, on: &stage)
        case .silence(let samples):
            sound.pause(of: neighbour, samples: samples)
            queuedSamples[neighbour] += samples
        case .discard(let frame, _, let reason):
            discard(frame, of: peer, reason, on: &stage)
        case .targetChanged(let target):
            stage.note(
                TargetChanged(targetNanoseconds: target.wholeNanoseconds),
                of: index,
                about: neighbours[neighbour].subject
            )
        }
    }

    private func play(
        _ frame: FrameHandle,
        _ captureIndex: Int64,
        _ samples: Int,
        of neighbour: Int,
        on stage: inout Stage
    ) {
        let provenance = frames.label(of: frame.slot)
        let played = FramePlayed(
            index: provenance.captureIndex,
            samples: Int64(samples),
            heard: heard(neighbour, at: stage.now),
            captured: Instant(nanoseconds: provenance.capturedNanoseconds)
        )
        sound.play(frames.bytes(of: frame.slot), of: neighbour, samples: samples)
        stage.note(played, of: index, about: provenance.device)
        frames.release(frame.slot)
        queuedSamples[neighbour] += samples
    }

    private func conceal(
        _ captureIndex: Int64,
        _ samples: Int,
        _ means: ConcealmentMeans,
        of neighbour: Int,
        on stage: inout Stage
    ) {
        let concealed = FrameConcealed(
            index: captureIndex,
            samples: Int64(samples),
            heard: heard(neighbour, at: stage.now),
            means: means
        )
        stage.note(concealed, of: index, about: neighbours[neighbour].subject)
        queuedSamples[neighbour] += samples
    }

    /// When sound that is queued now leaves the speaker: after what is queued and held back already,
    /// the output's buffers and the codec's look-ahead.
    private func heard(_ neighbour: Int, at now: Instant) -> Instant {
        let before = queuedSamples[neighbour] + sound.pendingSamples(of: neighbour)
        return Instant(
            nanoseconds: now.nanoseconds + AudioClock.duration(ofSamples: before)
                + SoundHardware.outputLatency + sound.codecDelayNanoseconds
        )
    }

    func discard(
        _ frame: FrameHandle,
        of peer: PeerID,
        _ reason: JitterBuffer.DiscardReason,
        on stage: inout Stage
    ) {
        let provenance = frames.label(of: frame.slot)
        let discarded = FrameDiscarded(index: provenance.captureIndex, reason: reason)
        stage.note(discarded, of: index, about: provenance.device)
        frames.release(frame.slot)
    }
}
