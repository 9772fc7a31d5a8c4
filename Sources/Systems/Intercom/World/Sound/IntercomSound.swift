import AppCoordination
import KodamaEvidence
package import KodamaWorld
import PeerTransport
import SansIO
import VoiceActivity

/// The driver's half of an intercom app's sound: the frames that the app holds handles of, what is
/// made of its orders, and their records.
///
/// A class because it owns what cannot be copied (codec states, sample memory); it belongs to one
/// world and is never shared.
package final class IntercomSound {
    /// The app as the trace knows it.
    let index: ComponentIndex
    /// What records about each member name.
    let members: [ComponentIndex]
    /// Whether frames have bytes, or only sizes.
    let keepsBytes: Bool
    private let device: any DeviceSound
    /// The frames that the app holds handles of.
    @exclusivity(unchecked) package private(set) var frames: Slab<Provenance>
    /// Samples that wait for the speaker, by member.
    @exclusivity(unchecked) private var queuedSamples: [Int]
    /// What was last heard of each member.
    @exclusivity(unchecked) private var sounded: [Sounded]

    /// The last frame of a member that sounded, and what was made up after it.
    private struct Sounded {
        /// Nothing sounded yet.
        static let nothing = Sounded(index: -1)

        var index: Int64
        var madeUpSamples = 0

        /// The frame that made-up sound stands for now.
        var due: Int64 { index + 1 + Int64(madeUpSamples / SoundHardware.samplesPerFrame) }
    }

    init(
        of index: ComponentIndex,
        members: [ComponentIndex],
        device: any DeviceSound,
        keepsBytes: Bool
    ) {
        self.index = index
        self.members = members
        self.device = device
        self.keepsBytes = keepsBytes
        frames = Self.slab(keepsBytes)
        queuedSamples = Array(repeating: 0, count: members.count)
        sounded = Array(repeating: .nothing, count: members.count)
    }

    private static func slab(_ keepsBytes: Bool) -> Slab<Provenance> {
        Slab(bytesPerSlot: keepsBytes ? SoundHardware.samplesPerFrame * 2 : 0)
    }

    /// The process that held the frames is gone.
    func clear() {
        frames = Self.slab(keepsBytes)
        device.restart()
        for member in queuedSamples.indices {
            (queuedSamples[member], sounded[member]) = (0, .nothing)
        }
    }

    // MARK: The microphone

    /// Reads a frame from the microphone and judges it.
    func capture(
        _ number: Int64,
        by clock: AudioClock,
        on stage: inout Stage
    ) -> CapturedFrame {
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
        let decision = device.capture(from: start, to: end, into: frames.bytes(of: slot))
        return CapturedFrame(
            captureIndex: number,
            frame: FrameHandle(slot: slot),
            decision: decision
        )
    }

    /// Makes a voice message of a captured frame.
    ///
    /// Of a sized payload one byte is kept: a voice message without any is no message.
    ///
    /// - Returns: How many of its bytes lie in `message`, and how many it really has.
    func encode(
        _ frame: FrameHandle,
        under header: FrameHeader,
        by clock: AudioClock,
        using payload: UnsafeMutableRawBufferPointer,
        into message: UnsafeMutableRawBufferPointer
    ) -> (keptBytes: Int, bytes: Int) {
        let size = encode(frame, by: clock, into: payload)
        let kept = keepsBytes ? size : 1
        let count = PeerMessage.voice(header).encode(
            into: message,
            payload: UnsafeRawBufferPointer(rebasing: payload[..<kept])
        )
        return (count, count - kept + size)
    }

    /// Encodes a captured frame; returns the payload's size in bytes.
    private func encode(
        _ frame: FrameHandle,
        by clock: AudioClock,
        into payload: UnsafeMutableRawBufferPointer
    ) -> Int {
        let captureIndex = provenance(of: frame).captureIndex
        let first = captureIndex * Int64(SoundHardware.samplesPerFrame)
        return device.encode(
            frames.bytes(of: frame.slot),
            captureIndex: captureIndex,
            from: clock.instant(ofSample: first),
            to: clock.instant(ofSample: first + Int64(SoundHardware.samplesPerFrame)),
            into: payload
        )
    }

    /// Where a frame came from.
    func provenance(of frame: FrameHandle) -> Provenance { frames.label(of: frame.slot) }

    /// Keeps the payload of a frame that came.
    func keep(
        _ payload: Slice<UnsafeMutableRawBufferPointer>,
        _ provenance: Provenance
    )
        -> FrameHandle
    {
        let slot = frames.take(provenance, size: payload.count)
        if keepsBytes {
            frames.bytes(of: slot).copyMemory(from: UnsafeRawBufferPointer(rebasing: payload))
        }
        return FrameHandle(slot: slot)
    }

    /// Forgets a frame.
    func release(_ frame: FrameHandle) { frames.release(frame.slot) }

    /// Forgets a received frame that is not played.
    func discard(
        _ frame: FrameHandle,
        _ reason: JitterBuffer.DiscardReason,
        on stage: inout Stage
    ) {
        let provenance = provenance(of: frame)
        let discarded = FrameDiscarded(index: provenance.captureIndex, reason: TraceWord(reason))
        stage.note(discarded, of: index, about: provenance.device)
        release(frame)
    }

    // MARK: The speaker

    /// Makes the sound that was asked for.
    func render(on stage: inout Stage) {
        device.render(at: stage.now) { edge in
            let sounded = EdgeSounded(
                step: Int64(edge.step),
                usualStep: Int64(edge.usualStep),
                levelBefore: Int64(edge.levelBefore),
                levelAfter: Int64(edge.levelAfter)
            )
            stage.note(sounded, of: index, about: members[edge.peer])
        }
        for member in queuedSamples.indices {
            queuedSamples[member] = max(
                0,
                queuedSamples[member] - SoundHardware.samplesPerRender
            )
        }
    }

    /// The binding of what the jitter buffer orders of a member's voice.
    func perform(_ order: JitterBuffer.Effect, of member: Int, on stage: inout Stage) {
        switch order {
        case .play(let frame, _, let samples):
            play(frame, samples, of: member, on: &stage)
        case .recover(_, let next, let samples):
            device.recover(from: frames.bytes(of: next.slot), of: member, samples: samples)
            // A packet carries the frame before its own, whatever the app takes it for.
            let repaired = provenance(of: next).captureIndex - 1
            conceal(repaired, samples, .repaired, of: member, on: &stage)
            sounded[member] = Sounded(index: repaired)
        case .conceal(_, let samples):
            device.conceal(of: member, samples: samples)
            conceal(sounded[member].due, samples, .extrapolated, of: member, on: &stage)
            sounded[member].madeUpSamples += samples
        case .silence(let samples):
            device.pause(of: member, samples: samples)
            queuedSamples[member] += samples
        case .discard(let frame, _, let reason):
            discard(frame, reason, on: &stage)
        case .targetChanged(let target):
            stage.note(
                TargetChanged(targetNanoseconds: target.wholeNanoseconds),
                of: index,
                about: members[member]
            )
        }
    }

    private func play(
        _ frame: FrameHandle,
        _ samples: Int,
        of member: Int,
        on stage: inout Stage
    ) {
        let provenance = provenance(of: frame)
        let played = FramePlayed(
            index: provenance.captureIndex,
            samples: Int64(samples),
            heard: heard(member, at: stage.now),
            captured: Instant(nanoseconds: provenance.capturedNanoseconds)
        )
        device.play(frames.bytes(of: frame.slot), of: member, samples: samples)
        stage.note(played, of: index, about: provenance.device)
        sounded[member] = Sounded(index: provenance.captureIndex)
        release(frame)
        queuedSamples[member] += samples
    }

    private func conceal(
        _ captureIndex: Int64,
        _ samples: Int,
        _ means: ConcealmentMeans,
        of member: Int,
        on stage: inout Stage
    ) {
        let concealed = FrameConcealed(
            index: captureIndex,
            samples: Int64(samples),
            heard: heard(member, at: stage.now),
            means: TraceWord(means)
        )
        stage.note(concealed, of: index, about: members[member])
        queuedSamples[member] += samples
    }

    /// When sound that is queued now leaves the speaker: after what is queued and held back already,
    /// the output's buffers and the codec's look-ahead.
    private func heard(_ member: Int, at now: Instant) -> Instant {
        let before = queuedSamples[member] + device.pendingSamples(of: member)
        return Instant(
            nanoseconds: now.nanoseconds + AudioClock.duration(ofSamples: before)
                + SoundHardware.outputLatency + device.codecDelayNanoseconds
        )
    }
}

extension JitterBuffer.DiscardReason {
    /// The trace's word for what the replay window said of a frame; without a verdict the frame came
    /// from nobody whose voice is played.
    init(_ verdict: ReplayWindow.Verdict?) {
        switch verdict {
        case .duplicate, .first: self = .duplicate
        case .stale: self = .stale
        case nil: self = .stopped
        }
    }
}
