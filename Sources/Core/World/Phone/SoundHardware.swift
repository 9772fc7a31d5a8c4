package import KodamaEvidence
package import KodamaLanguage
package import KodamaSimulation
import SansIO

/// A phone's microphone and speaker: two clocks that run while an app's engine runs.
package struct SoundHardware {
    /// The delay that the hardware adds to every sound, by assumption: input and output buffers of a phone's
    /// voice-processing unit, at the lower end of the 10 to 20 ms that reference terminals spend on
    /// output (ITU-T G.114 appendix II).
    package static let inputLatency = Duration.milliseconds(5).wholeNanoseconds
    package static let outputLatency = Duration.milliseconds(10).wholeNanoseconds
    /// Samples per microphone frame: 20 ms, Opus's default choice (RFC 6716 §2.1.4).
    package static let samplesPerFrame = 960
    /// Samples per speaker callback: 10 ms.
    package static let samplesPerRender = 480

    package let microphoneClock: AudioClock
    package let speakerClock: AudioClock
    /// The next microphone frame, and the next speaker callback.
    package var nextFrame: Int64 = 0
    package var nextCallback: Int64 = 0
    /// Whether their deliveries are pending.
    package var isCapturing = false
    package var isRendering = false
    package var microphoneSource: EventSource
    package var speakerSource: EventSource

    package init(of plan: PhonePlan, index: ComponentIndex, seed: UInt64) {
        let drift = Int64(plan.clockDriftPartsPerMillion)
        microphoneClock = Self.clock(plan.name, "microphone-phase", seed, 20_000_000, drift)
        speakerClock = Self.clock(plan.name, "speaker-phase", seed, 10_000_000, drift)
        microphoneSource = EventSource(rank: DeliveryRank.microphone, component: Int(index.index))
        speakerSource = EventSource(rank: DeliveryRank.speaker, component: Int(index.index))
    }

    /// A sound clock that starts somewhere within its first period, as hardware does.
    private static func clock(
        _ name: String,
        _ purpose: StaticString,
        _ seed: UInt64,
        _ period: Int64,
        _ drift: Int64
    ) -> AudioClock {
        let stream = RandomStream(seed: seed, purpose: purpose, entity: name)
        let phase = Int64(stream.bits(at: 0).multipliedFullWidth(by: UInt64(period)).high)
        return AudioClock(origin: Instant(nanoseconds: phase), driftPartsPerMillion: drift)
    }
}

extension Phone: Listener {
    /// A person at the phone begins or ends a talk spurt.
    package func personSpoke(begins: Bool, on stage: inout Stage) {
        for app in apps { app.personSpoke(begins: begins, on: &stage) }
    }

    /// Starts microphone and speaker.
    package func startSound(on stage: inout Stage) {
        if !sound.isCapturing {
            sound.isCapturing = true
            let samples = Int64(SoundHardware.samplesPerFrame)
            sound.nextFrame = sound.microphoneClock.firstPeriod(of: samples, from: stage.now)
            scheduleFrame(on: &stage)
        }
        if !sound.isRendering {
            sound.isRendering = true
            let samples = Int64(SoundHardware.samplesPerRender)
            sound.nextCallback = sound.speakerClock.firstPeriod(of: samples, from: stage.now)
            scheduleCallback(on: &stage)
        }
    }

    private func scheduleFrame(on stage: inout Stage) {
        let end = (sound.nextFrame + 1) * Int64(SoundHardware.samplesPerFrame)
        let ready = sound.microphoneClock.instant(ofSample: end).nanoseconds
        schedule(
            .microphone,
            at: Instant(nanoseconds: ready + SoundHardware.inputLatency),
            by: &sound.microphoneSource,
            on: &stage
        )
    }

    private func scheduleCallback(on stage: inout Stage) {
        let first = sound.nextCallback * Int64(SoundHardware.samplesPerRender)
        let instant = sound.speakerClock.instant(ofSample: first)
        schedule(.speaker, at: instant, by: &sound.speakerSource, on: &stage)
    }

    /// Hands the microphone's frame to the app that has the microphone.
    package func captureFrame(on stage: inout Stage) {
        let number = sound.nextFrame
        sound.nextFrame += 1
        guard let owner = soundOwner else {
            sound.isCapturing = false
            return
        }
        owner.captureFrame(number, on: &stage)
        scheduleFrame(on: &stage)
    }

    /// The speaker asks for sound.
    package func renderSound(on stage: inout Stage) {
        sound.nextCallback += 1
        guard let owner = soundOwner else {
            sound.isRendering = false
            return
        }
        owner.renderSound(on: &stage)
        scheduleCallback(on: &stage)
    }
}
