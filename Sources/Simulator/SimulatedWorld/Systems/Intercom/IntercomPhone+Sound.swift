import AppCoordination
import Evidence
import PeerTransport
import SansIO
import Simulation
import VoiceActivity

extension Device {
    func scheduleMicrophone(on stage: inout Stage) {
        let samples = (capturedFrames + 1) * Int64(Device.samplesPerFrame)
        let ready = microphoneClock.instant(ofSample: samples)
        let instant = Instant(nanoseconds: ready.nanoseconds + Device.inputLatency)
        schedule(.microphone, at: instant, by: &microphoneSource, on: &stage)
    }

    func scheduleSpeaker(on stage: inout Stage) {
        let samples = renderedCallbacks * Int64(Device.samplesPerRender)
        let instant = speakerClock.instant(ofSample: samples)
        schedule(.speaker, at: instant, by: &speakerSource, on: &stage)
    }

    /// The microphone delivers a frame; the app hears of it with the detector's judgement.
    func captureFrame(on stage: inout Stage) {
        let number = capturedFrames
        capturedFrames += 1
        let samples = Int64(Device.samplesPerFrame)
        let start = microphoneClock.instant(ofSample: number * samples)
        let end = microphoneClock.instant(ofSample: (number + 1) * samples)
        let provenance = Provenance(
            device: index,
            captureIndex: number,
            capturedNanoseconds: start.nanoseconds
        )
        let slot = frames.take(provenance, size: Device.samplesPerFrame * 2)
        let values = SIMD4(number, start.nanoseconds, end.nanoseconds - start.nanoseconds, 0)
        stage.write(.frameCaptured, of: index, values)

        let bytes = frames.bytes(of: slot)
        let decision = sound.capture(from: start, to: end, into: bytes)
        let captured = CapturedFrame(
            captureIndex: number,
            frame: FrameHandle(slot: slot),
            decision: decision
        )
        hear(.frameCaptured(captured), on: &stage)
        scheduleMicrophone(on: &stage)
    }

    /// The speaker asks for sound; the app decides which, the device makes it.
    func renderSound(on stage: inout Stage) {
        renderedCallbacks += 1
        hear(.renderRequested(samples: Device.samplesPerRender), on: &stage)
        sound.render()
        for neighbour in queuedSamples.indices {
            queuedSamples[neighbour] = max(
                0,
                queuedSamples[neighbour] - Device.samplesPerRender
            )
        }
        scheduleSpeaker(on: &stage)
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
            stage.write(
                .targetChanged,
                of: index,
                about: neighbours[neighbour].component,
                SIMD4(target.wholeNanoseconds, 0, 0, 0)
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
        let values = SIMD4(
            provenance.captureIndex,
            Int64(samples),
            heard(neighbour, at: stage.now),
            provenance.capturedNanoseconds
        )
        sound.play(frames.bytes(of: frame.slot), of: neighbour, samples: samples)
        stage.write(.framePlayed, of: index, about: provenance.device, values)
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
        let values = SIMD4(
            captureIndex,
            Int64(samples),
            heard(neighbour, at: stage.now),
            means.rawValue
        )
        stage.write(.frameConcealed, of: index, about: neighbours[neighbour].component, values)
        queuedSamples[neighbour] += samples
    }

    /// When sound that is queued now leaves the speaker: after what is queued and held back already,
    /// the output's buffers and the codec's look-ahead.
    private func heard(_ neighbour: Int, at now: Instant) -> Int64 {
        let before = queuedSamples[neighbour] + sound.pendingSamples(of: neighbour)
        return now.nanoseconds + AudioClock.duration(ofSamples: before)
            + Device.outputLatency + sound.codecDelayNanoseconds
    }

    func discard(
        _ frame: FrameHandle,
        of peer: PeerID,
        _ reason: JitterBuffer.DiscardReason,
        on stage: inout Stage
    ) {
        let provenance = frames.label(of: frame.slot)
        let values = SIMD4(provenance.captureIndex, Int64(reason.rawValue), 0, 0)
        stage.write(.frameDiscarded, of: index, about: provenance.device, values)
        frames.release(frame.slot)
    }
}
