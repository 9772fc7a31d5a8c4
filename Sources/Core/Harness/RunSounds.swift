import KodamaEvidence
public import KodamaLanguage
import KodamaSpeech
public import KodamaWorld
import SansIO

extension SingleRun {
    /// Runs to the end and keeps what can be heard of it.
    ///
    /// - Returns: What each phone's speaker plays, what is said at each, and the handovers.
    /// - Throws: What kept the world from being built or run.
    public func sounds() throws(WorldError) -> RunSounds {
        let recordings = plan.soundingEars.map { ($0, SpeakerRecording()) }
        var sink = MomentSink()
        try run(into: &sink, taps: Dictionary(recordings) { first, _ in first })
        var phones: [RunSounds.Phone] = []
        for (name, recording) in recordings {
            // At a server nobody says anything.
            let spoken =
                plan.phones.contains { $0.name == name }
                ? try SpokenSound(
                    at: name,
                    in: plan,
                    seed: seed,
                    fork: fork,
                    material: material
                ) : nil
            phones.append(RunSounds.Phone(name: name, heard: recording.samples, spoken: spoken))
        }
        return RunSounds(phones: phones, moments: sink.moments, duration: plan.duration)
    }
}

/// What can be heard of a run, at 48 kHz and by one clock: all begin with the run.
public struct RunSounds {
    /// What there is of one phone, or of a server that listens.
    struct Phone {
        let name: String
        let heard: [Int16]
        /// `nil` at a server.
        let spoken: SpokenSound?
    }

    private let phones: [Phone]
    private let moments: [HeardMoment]
    private let duration: Duration

    /// How much is heard before and after a moment, and between two sounds.
    private static let before = Duration.seconds(2)
    private static let length = Duration.seconds(5)
    private static let pauseSamples = 24_000
    /// The most handovers that are written; more would hardly be listened to.
    private static let momentsMax = 20

    init(phones: [Phone], moments: [HeardMoment], duration: Duration) {
        self.phones = phones
        // What happens to one phone has one side, which is all of its sound.
        self.moments = moments.filter { $0.phones.count == 2 }
        self.duration = duration
    }

    /// The phones, in the plan's order, and the servers that listen.
    public var names: [String] { phones.map(\.name) }

    /// What the speaker of a phone plays; silence while its app does not run.
    ///
    /// Without a sample where it never ran, and where no sound is made (`voice: sized`).
    public func heard(at place: Int) -> WaveFile {
        let heard = phones[place].heard
        // The last callback's worth may reach beyond the end, and a slow clock not quite to it.
        let end = Int(MicrophoneTime.sampleIndex(at: .zero.advanced(by: duration)))
        let count = heard.isEmpty ? 0 : end
        let missing = Array(repeating: Int16(0), count: max(0, count - heard.count))
        return WaveFile(sampleRateHertz: 48_000, samples: heard.prefix(count) + missing)
    }

    /// What is said at a phone, with what is around its people; `nil` at a server.
    public func said(at place: Int) -> WaveFile? {
        guard let spoken = phones[place].spoken else { return nil }
        let samples = spoken.samples(from: .zero, lasting: duration)
        return WaveFile(sampleRateHertz: 48_000, samples: samples)
    }

    /// Each moment of the first twenty, one side after the other: what is said at the one phone and
    /// heard at the other, then what is said there and heard here; `nil` if there is none.
    ///
    /// Of each 2 s before and 3 s after; half a second of silence parts two sounds.
    public func momentSides() -> WaveFile? {
        var samples: [Int16] = []
        for (moment, one, other) in heardMoments {
            let start = moment.instant.advanced(by: .zero - Self.before)
            for (talker, listener) in [(one, other), (other, one)] {
                samples += talker.spoken?.samples(from: start, lasting: Self.length) ?? []
                samples += Array(repeating: 0, count: Self.pauseSamples)
                samples += Self.stretch(of: listener.heard, from: start)
                samples += Array(repeating: 0, count: Self.pauseSamples)
            }
        }
        return samples.isEmpty ? nil : WaveFile(sampleRateHertz: 48_000, samples: samples)
    }

    /// What lies where in `momentSides()`: a line for each moment, and how many are left out.
    public var momentRemarks: [String] {
        // To the millisecond: three digits would be half a second off from the fifth handover on.
        func seconds(_ nanoseconds: Int64) -> String {
            PlotNumber.text(Int(nanoseconds / 1_000_000), over: 1_000) + " s"
        }
        // All is at 48 kHz.
        let step = Self.length.wholeNanoseconds + Int64(Self.pauseSamples) * 62_500 / 3
        var start: Int64 = 0
        var remarks = heardMoments.map { moment, one, other -> String in
            let sides = [
                "said at \(one.name)", "played at \(other.name)",
                "said at \(other.name)", "played at \(one.name)",
            ].map { side -> String in
                defer { start += step }
                return "at \(seconds(start)) \(side)"
            }
            let instant = seconds(moment.instant.nanoseconds)
            return "the \(moment.noun) at \(instant) of the run: \(sides.joined(separator: ", "))"
        }
        let rest = moments.count - Self.momentsMax
        guard rest > 0 else { return remarks }
        let nouns = Set(moments.map(\.noun))
        let noun = nouns.count == 1 ? moments[0].noun : "moment"
        remarks.append("\(counted(rest, "later \(noun)")) left out")
        return remarks
    }

    /// The moments that can be heard, with their two phones.
    private var heardMoments: [(HeardMoment, Phone, Phone)] {
        moments.prefix(Self.momentsMax).compactMap { moment in
            let ends = moment.phones.compactMap { name in phones.first { $0.name == name } }
            return ends.count == 2 ? (moment, ends[0], ends[1]) : nil
        }
    }

    private static func stretch(of sound: [Int16], from start: Instant) -> [Int16] {
        let first = Int(MicrophoneTime.sampleIndex(at: start))
        let count = Int(MicrophoneTime.sampleIndex(at: .zero.advanced(by: length)))
        return (first..<first + count).map { sound.indices.contains($0) ? sound[$0] : 0 }
    }
}

extension WorldPlan {
    /// Whether samples are made that can be heard.
    var makesSound: Bool { voice == .real && !soundingPhones.isEmpty }

    /// The phones whose speakers can be heard: those with an app that plays samples.
    public var soundingPhones: [PhonePlan] {
        phones.filter { $0.apps.contains(where: \.settings.carriesSamples) }
    }

    /// The names of all that can be heard: of those phones, and of the servers that listen to one user.
    ///
    /// What is heard of several at once is nobody's.
    public var soundingEars: [String] {
        let servers = phones.flatMap(\.apps).compactMap(\.settings.listeningServer)
        let lone = servers.filter { name in servers.count { $0 == name } == 1 }
        return soundingPhones.map(\.name) + lone
    }
}

/// Records everything that a speaker plays, by the world's clock.
final class SpeakerRecording: SpeakerTap {
    private(set) var samples: [Int16] = []

    /// What begins so much later than the last ended follows a time in which none was made.
    ///
    /// What begins so much earlier breaks the last off.
    private static let gapSamples = 48
    /// The tolerated offset of a clock: rounding differs by one.
    private static let toleranceSamples = 1

    func take(_ samples: UnsafeBufferPointer<Int16>, at instant: Instant) {
        let missing = Int(MicrophoneTime.sampleIndex(at: instant)) - self.samples.count
        if self.samples.isEmpty || missing >= Self.gapSamples {
            self.samples += Array(repeating: 0, count: max(0, missing))
            self.samples.append(contentsOf: samples)
        } else if missing <= -Self.gapSamples {
            self.samples.removeLast(-missing)
            self.samples.append(contentsOf: samples)
        } else if abs(missing) > Self.toleranceSamples {
            // A clock that drifts by 500 ppm moves a sample in four callbacks.
            self.samples += Self.spread(samples, over: samples.count + missing)
        } else {
            self.samples.append(contentsOf: samples)
        }
    }

    /// Samples at this number of places, by linear interpolation; the first and the last stay the ends.
    private static func spread(_ samples: UnsafeBufferPointer<Int16>, over count: Int) -> [Int16] {
        let (last, steps) = (samples.count - 1, count - 1)
        guard last > 0, steps > 0 else { return Array(samples) }
        return (0...steps).map { step -> Int16 in
            let (place, rest) = (step * last).quotientAndRemainder(dividingBy: steps)
            guard rest > 0 else { return samples[place] }
            let (before, after) = (Int(samples[place]), Int(samples[place + 1]))
            return Int16(before + (after - before) * rest / steps)
        }
    }
}

/// Gathers the moments that systems find worth listening to, and drops the records.
struct MomentSink: TraceSink {
    private var finders: [any MomentFinder] = []

    /// The moments of all systems, in the order of time.
    var moments: [HeardMoment] {
        finders.flatMap(\.moments).sorted {
            ($0.instant, $0.phones.joined(separator: " "), $0.noun)
                < ($1.instant, $1.phones.joined(separator: " "), $1.noun)
        }
    }

    mutating func begin(_ directory: TraceDirectory) {
        finders = directory.systems.momentFinders(directory)
    }

    mutating func record(_ record: TraceRecord) {
        for index in finders.indices { finders[index].follow(record) }
    }
}
