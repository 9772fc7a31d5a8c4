import Evidence
import PeerTransport
import SansIO
public import Scenarios
public import SimulatedWorld
import Speech

extension SingleRun {
    /// Runs to the end and keeps what can be heard of it.
    ///
    /// - Returns: What each phone's speaker plays, what is said at each, and the handovers.
    /// - Throws: What kept the world from being built or run.
    public func sounds() throws(WorldError) -> RunSounds {
        let recordings = plan.soundingPhones.map { ($0.name, SpeakerRecording()) }
        var handovers = HandoverWatch()
        try run(into: &handovers, taps: Dictionary(recordings) { first, _ in first })
        var phones: [RunSounds.Phone] = []
        for (name, recording) in recordings {
            let spoken = try SpokenSound(
                at: name,
                in: plan,
                seed: seed,
                fork: fork,
                material: material
            )
            phones.append(RunSounds.Phone(name: name, heard: recording.samples, spoken: spoken))
        }
        return RunSounds(phones: phones, handovers: handovers.found, duration: plan.duration)
    }
}

/// What can be heard of a run, at 48 kHz and by one clock: all begin with the run.
public struct RunSounds {
    /// What there is of one phone.
    struct Phone {
        let name: String
        let heard: [Int16]
        let spoken: SpokenSound
    }

    /// A handover between two phones.
    struct Handover: Equatable {
        let instant: Instant
        let phones: [String]
    }

    private let phones: [Phone]
    private let handovers: [Handover]
    private let duration: Duration

    /// How much is heard before and after a handover, and between two sounds.
    private static let before = Duration.seconds(2)
    private static let length = Duration.seconds(5)
    private static let pauseSamples = 24_000
    /// Of more than these nobody would listen to all.
    private static let handoversMax = 20

    init(phones: [Phone], handovers: [Handover], duration: Duration) {
        self.phones = phones
        self.handovers = handovers
        self.duration = duration
    }

    /// The phones, in the plan's order.
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

    /// What is said at a phone, with what is around its people.
    public func said(at place: Int) -> WaveFile {
        let samples = phones[place].spoken.samples(from: .zero, lasting: duration)
        return WaveFile(sampleRateHertz: 48_000, samples: samples)
    }

    /// Each handover of the first twenty, one side after the other: what is said at the one phone and
    /// heard at the other, then what is said there and heard here; `nil` if there is none.
    ///
    /// Of each 2 s before and 3 s after; half a second of silence parts two sounds.
    public func handoverSides() -> WaveFile? {
        var samples: [Int16] = []
        for (handover, one, other) in heardHandovers {
            let start = handover.instant.advanced(by: .zero - Self.before)
            for (talker, listener) in [(one, other), (other, one)] {
                samples += talker.spoken.samples(from: start, lasting: Self.length)
                samples += Array(repeating: 0, count: Self.pauseSamples)
                samples += Self.stretch(of: listener.heard, from: start)
                samples += Array(repeating: 0, count: Self.pauseSamples)
            }
        }
        return samples.isEmpty ? nil : WaveFile(sampleRateHertz: 48_000, samples: samples)
    }

    /// What lies where in `handoverSides()`: a line for each handover, and how many are left out.
    public var handoverRemarks: [String] {
        // To the millisecond: three digits would be half a second off from the fifth handover on.
        func seconds(_ nanoseconds: Int64) -> String {
            PlotNumber.text(Int(nanoseconds / 1_000_000), over: 1_000) + " s"
        }
        // All is at 48 kHz.
        let step = Self.length.wholeNanoseconds + Int64(Self.pauseSamples) * 62_500 / 3
        var start: Int64 = 0
        var remarks = heardHandovers.map { handover, one, other -> String in
            let sides = [
                "said at \(one.name)", "played at \(other.name)",
                "said at \(other.name)", "played at \(one.name)",
            ].map { side -> String in
                defer { start += step }
                return "at \(seconds(start)) \(side)"
            }
            let instant = seconds(handover.instant.nanoseconds)
            return "the handover at \(instant) of the run: \(sides.joined(separator: ", "))"
        }
        let rest = handovers.count - Self.handoversMax
        if rest > 0 { remarks.append("\(counted(rest, "later handover")) left out") }
        return remarks
    }

    /// The handovers that can be heard, with their two phones.
    private var heardHandovers: [(Handover, Phone, Phone)] {
        handovers.prefix(Self.handoversMax).compactMap { handover in
            let ends = handover.phones.compactMap { name in phones.first { $0.name == name } }
            return ends.count == 2 ? (handover, ends[0], ends[1]) : nil
        }
    }

    private static func stretch(of sound: [Int16], from start: Instant) -> [Int16] {
        let first = Int(MicrophoneTime.sampleIndex(at: start))
        let count = Int(MicrophoneTime.sampleIndex(at: .zero.advanced(by: length)))
        return (first..<first + count).map { sound.indices.contains($0) ? sound[$0] : 0 }
    }
}

extension WorldPlan {
    /// The phones whose speakers can be heard: those with the intercom.
    public var soundingPhones: [PhonePlan] {
        phones.filter { $0.settings(of: IntercomAppPlan.self) != nil }
    }
}

/// Keeps everything that a speaker plays, where it belongs by the world's clock.
final class SpeakerRecording: SpeakerTap {
    private(set) var samples: [Int16] = []

    /// What begins so much later than the last ended follows a time in which none was made.
    ///
    /// What begins so much earlier breaks the last off.
    private static let gapSamples = 48
    /// So far a clock may be off: what is rounded differs by one.
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

    /// Samples in so many places, by linear interpolation; the first and the last stay the ends.
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

/// Notes when pairs of phones change their path, and drops everything else.
struct HandoverWatch: TraceSink {
    private(set) var found: [RunSounds.Handover] = []
    private var names: [String] = []
    private var owners: [ComponentIndex] = []

    /// Both phones change within so long, and one of them step by step.
    private static let oneHandover = Duration.seconds(3)

    mutating func begin(_ directory: TraceDirectory) {
        names = directory.names
        owners = directory.owners
    }

    mutating func record(_ record: TraceRecord) {
        guard record.kind == HandoverMoved.kind, record.subject != .none else { return }
        switch HandoverMoved(record).phase.value {
        case .handoverToInternet, .internetConnected, .handoverToLocal: break
        default: return
        }
        let ends = [record.component, record.subject].map { owners[Int($0.index)] }
        let phones = ends.map { names[Int($0.index)] }.sorted()
        let earliest = record.instant.advanced(by: .zero - Self.oneHandover)
        guard !found.contains(where: { $0.phones == phones && $0.instant >= earliest }) else {
            return
        }
        found.append(RunSounds.Handover(instant: record.instant, phones: phones))
    }

    mutating func record(contentsOf records: [TraceRecord]) {
        for record in records { self.record(record) }
    }
}
