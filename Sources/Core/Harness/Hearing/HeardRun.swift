import KodamaEvidence
import KodamaLanguage
import KodamaWorld
import SansIO

/// What the listeners of a run hear, with what is wrong with it.
struct HeardRun {
    /// What one phone's speaker plays.
    struct Phone {
        var name: String
        /// From the run's beginning on.
        var samples: [Int16]
        /// What is wrong with it, in the order of time.
        var marks: [HeardPair.Mark]
    }

    /// The phones that can be heard, in the plan's order, and the servers that listen.
    let phones: [Phone]

    /// Recorded voices end at 8 kHz (ITU-T G.722), so that a third of a speaker's samples keeps them.
    static let sampleRateHertz = 16_000
    private static let speakerSamples = 3

    init(_ phones: [Phone]) { self.phones = phones }

    /// Runs to the end, and keeps what is played and what is wrong with it.
    ///
    /// - Parameter run: A run that makes sound.
    /// - Throws: What kept the world from being built or run.
    init(_ run: SingleRun) throws(WorldError) {
        let recordings = run.plan.soundingEars.map { ($0, SpeakerRecording()) }
        let faults = run.plan.systems.evidence.heardFaults
        let scoped = faults.map { ScopedMetric(metric: $0.metric, scope: GateScope()) }
        var sinks = SinkPair(RunMeter(scoped), MomentSink())
        try run.run(into: &sinks, taps: Dictionary(recordings) { first, _ in first })
        let found = faults.map { fault in (fault, sinks.first.samples(of: fault.metric)) }
        phones = recordings.map { name, recording in
            Phone(
                name: name,
                samples: Self.thinned(recording.samples),
                marks: Self.marks(of: name, found, sinks.second.moments)
            )
        }
    }

    private static func marks(
        of phone: String,
        _ found: [(HeardFault, [KeptSample])],
        _ moments: [HeardMoment]
    ) -> [HeardPair.Mark] {
        let faults = found.flatMap { fault, samples in
            samples.compactMap { kept -> HeardPair.Mark? in
                let sample = kept.sample
                let own = sample.component.map(TraceDirectory.phone(of:))
                let other = sample.subject.map(TraceDirectory.phone(of:))
                let talker = fault.isOfTalker ? own : other
                guard kept.amount > fault.harmlessNanoseconds, talker != phone,
                    fault.isOfTalker || own == phone
                else { return nil }
                return HeardPair.Mark(
                    from: sample.from,
                    until: max(sample.until, sample.from + kept.amount),
                    label: talker.map { "\($0): \(fault.noun)" } ?? fault.noun
                )
            }
        }
        let instants = moments.filter { $0.phones.contains(phone) }.map { moment in
            let at = moment.instant.nanoseconds
            let other = moment.phones.first { $0 != phone }
            let label = other.map { "\(moment.noun) with \($0)" } ?? moment.noun
            return HeardPair.Mark(from: at, until: at, label: label)
        }
        return (faults + instants).sorted {
            ($0.from, $0.until, $0.label) < ($1.from, $1.until, $1.label)
        }
    }

    /// Whole means of three samples each.
    private static func thinned(_ samples: [Int16]) -> [Int16] {
        (0..<samples.count / speakerSamples).map { place in
            let first = place * speakerSamples
            let sum = samples[first..<first + speakerSamples].reduce(0) { $0 + Int32($1) }
            return Int16(sum / Int32(speakerSamples))
        }
    }
}

extension TraceDirectory {
    /// The phone that a component is, or that it is an app of.
    fileprivate static func phone(of name: String) -> String { owner(of: name) ?? name }
}
