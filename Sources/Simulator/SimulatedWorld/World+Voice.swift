import AppCoordination
import Evidence
import PeerTransport
import SansIO
import Simulation
import VoiceActivity

extension World {
    mutating func scheduleMicrophone(of device: Device) {
        let samples = (device.capturedFrames + 1) * Int64(Device.samplesPerFrame)
        let ready = device.microphoneClock.instant(ofSample: samples)
        let instant = Instant(nanoseconds: ready.nanoseconds + Device.inputLatency)
        queue.push(
            .microphone(device: device.place),
            at: device.microphoneSource.key(at: instant)
        )
    }

    mutating func scheduleSpeaker(of device: Device) {
        let samples = device.renderedCallbacks * Int64(Device.samplesPerRender)
        let instant = device.speakerClock.instant(ofSample: samples)
        queue.push(.speaker(device: device.place), at: device.speakerSource.key(at: instant))
    }

    /// The microphone delivers a frame; the app hears of it with the detector's judgement.
    mutating func captureFrame(of device: Device, at now: Instant) {
        let index = device.capturedFrames
        device.capturedFrames += 1
        let samples = Int64(Device.samplesPerFrame)
        let start = device.microphoneClock.instant(ofSample: index * samples)
        let end = device.microphoneClock.instant(ofSample: (index + 1) * samples)
        let provenance = Provenance(
            device: device.place,
            captureIndex: index,
            capturedNanoseconds: start.nanoseconds
        )
        let slot = device.frames.take(provenance, size: Device.samplesPerFrame * 2)
        let values = SIMD4(index, start.nanoseconds, end.nanoseconds - start.nanoseconds, 0)
        log.write(TraceRecord(.frameCaptured, at: now, of: device.component, values))

        let bytes = device.frames.bytes(of: slot)
        let decision = device.sound.capture(from: start, to: end, into: bytes)
        let captured = CapturedFrame(
            captureIndex: index,
            frame: FrameHandle(slot: slot),
            decision: decision
        )
        send(.frameCaptured(captured), to: Int(device.place), at: now)
        scheduleMicrophone(of: device)
    }

    /// The speaker asks for sound; the app decides which, the device makes it.
    mutating func renderSound(of device: Device, at now: Instant) {
        device.renderedCallbacks += 1
        send(.renderRequested(samples: Device.samplesPerRender), to: Int(device.place), at: now)
        device.sound.render()
        for place in device.queuedSamples.indices {
            device.queuedSamples[place] = max(
                0,
                device.queuedSamples[place] - Device.samplesPerRender
            )
        }
        scheduleSpeaker(of: device)
    }

    /// The binding of what the jitter buffer orders.
    mutating func perform(
        _ order: JitterBuffer.Effect,
        of peer: PeerID,
        _ device: Device,
        at now: Instant
    ) {
        guard let place = device.place(of: peer) else { return }
        switch order {
        case .play(let frame, let captureIndex, let samples):
            play(frame, captureIndex, samples, of: place, device, at: now)
        case .recover(let captureIndex, let next, let samples):
            device.sound.recover(
                from: device.frames.bytes(of: next.slot),
                of: place,
                samples: samples
            )
            conceal(captureIndex, samples, .repaired, of: place, device, at: now)
        case .conceal(let captureIndex, let samples):
            device.sound.conceal(of: place, samples: samples)
            conceal(captureIndex, samples, .extrapolated, of: place, device, at: now)
        case .silence(let samples):
            device.sound.pause(of: place, samples: samples)
            device.queuedSamples[place] += samples
        case .discard(let frame, _, let reason):
            discard(frame, of: peer, reason, device, at: now)
        case .targetChanged(let target):
            log.write(
                TraceRecord(
                    .targetChanged,
                    at: now,
                    of: device.component,
                    subject: device.neighbours[place].component,
                    SIMD4(target.wholeNanoseconds, 0, 0, 0)
                )
            )
        }
    }

    private mutating func play(
        _ frame: FrameHandle,
        _ captureIndex: Int64,
        _ samples: Int,
        of place: Int,
        _ device: Device,
        at now: Instant
    ) {
        let provenance = device.frames.label(of: frame.slot)
        let values = SIMD4(
            provenance.captureIndex,
            Int64(samples),
            heard(place, device, at: now),
            provenance.capturedNanoseconds
        )
        device.sound.play(device.frames.bytes(of: frame.slot), of: place, samples: samples)
        log.write(
            TraceRecord(
                .framePlayed,
                at: now,
                of: device.component,
                subject: ComponentIndex(place: provenance.device),
                values
            )
        )
        device.frames.release(frame.slot)
        device.queuedSamples[place] += samples
    }

    private mutating func conceal(
        _ captureIndex: Int64,
        _ samples: Int,
        _ means: ConcealmentMeans,
        of place: Int,
        _ device: Device,
        at now: Instant
    ) {
        let values = SIMD4(
            captureIndex,
            Int64(samples),
            heard(place, device, at: now),
            means.rawValue
        )
        log.write(
            TraceRecord(
                .frameConcealed,
                at: now,
                of: device.component,
                subject: device.neighbours[place].component,
                values
            )
        )
        device.queuedSamples[place] += samples
    }

    /// When sound that is queued now leaves the speaker: after what is queued and held back already,
    /// the output's buffers and the codec's look-ahead.
    private func heard(_ place: Int, _ device: Device, at now: Instant) -> Int64 {
        let before = device.queuedSamples[place] + device.sound.pendingSamples(of: place)
        return now.nanoseconds + AudioClock.duration(ofSamples: before)
            + Device.outputLatency + device.sound.codecDelayNanoseconds
    }

    mutating func discard(
        _ frame: FrameHandle,
        of peer: PeerID,
        _ reason: JitterBuffer.DiscardReason,
        _ device: Device,
        at now: Instant
    ) {
        let provenance = device.frames.label(of: frame.slot)
        let values = SIMD4(provenance.captureIndex, Int64(reason.rawValue), 0, 0)
        log.write(
            TraceRecord(
                .frameDiscarded,
                at: now,
                of: device.component,
                subject: ComponentIndex(place: provenance.device),
                values
            )
        )
        device.frames.release(frame.slot)
    }
}
