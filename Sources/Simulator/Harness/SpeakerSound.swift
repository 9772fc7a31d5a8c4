import Evidence
public import Scenarios
public import SimulatedWorld

extension SingleRun {
    /// Runs to the end and keeps what each phone's speaker plays, at 48 kHz.
    ///
    /// - Returns: The devices in the plan's order; those without a group play nothing and have no
    ///   sample, and so has every device where no sound is made (`voice: sized`).
    /// - Throws: What kept the world from being built or run.
    public func speakerSounds() throws(WorldError) -> [(device: String, sound: WaveFile)] {
        let recordings = plan.soundingPhones.map { ($0.name, SpeakerRecording()) }
        var nowhere = DiscardingSink()
        try run(into: &nowhere, taps: Dictionary(recordings) { first, _ in first })
        return recordings.map { device, recording in
            (device, WaveFile(sampleRateHertz: 48_000, samples: recording.samples))
        }
    }
}

extension WorldPlan {
    /// The phones whose speakers can be heard: those with the intercom.
    public var soundingPhones: [PhonePlan] {
        phones.filter { $0.settings(of: IntercomAppPlan.self) != nil }
    }
}

/// Keeps everything that a speaker plays.
private final class SpeakerRecording: SpeakerTap {
    private(set) var samples: [Int16] = []

    func take(_ samples: UnsafeBufferPointer<Int16>) {
        self.samples.append(contentsOf: samples)
    }
}

/// Takes records and drops them.
private struct DiscardingSink: TraceSink {
    func begin(_ directory: TraceDirectory) {}
    func record(_ record: TraceRecord) {}
    func record(contentsOf records: [TraceRecord]) {}
}
