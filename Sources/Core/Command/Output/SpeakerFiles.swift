import Foundation
import KodamaHarness
import KodamaLanguage
import KodamaSpeech

/// Lets people hear runs that make sound: for each phone a WAV file of what its speaker plays and one of
/// what is said there, for each run one of its handovers, and one of what a session's agents hear.
struct SpeakerFiles {
    private let folder: String
    private var runs: [(name: String, plan: WorldPlan, seed: UInt64)] = []

    /// The longest run that is kept as sound: 350 MB for each phone.
    private static let longest: Duration = .seconds(3_600)

    /// Makes the folder and sees what there is to write, before anything is run.
    init(folder: String, of loaded: LoadedScenarios) throws {
        self.folder = folder
        var sources: [String: String] = [:]
        for (file, scenario) in loaded.scenarios {
            for point in scenario.points where point.plan.voice == .real {
                guard point.plan.duration <= Self.longest else {
                    throw Failure(.usage, "--wav: \(file) is longer than an hour")
                }
                guard let seed = loaded.seeds(of: point).first else { continue }
                // What is swept may be the path of a trace.
                let values = point.values.map { $0.text.replacingScalars { $0 == "/" ? "-" : nil } }
                let name = ([scenario.name] + values).joined(separator: "-")
                let phones = point.plan.soundingPhones.map { Self.said($0.name) }
                let parts = point.plan.soundingEars + phones + [Self.handovers]
                for part in parts {
                    let sound = Self.fileName(name, part)
                    let other = sources.updateValue(file, forKey: sound)
                    if let other { throw Self.clash(of: other, and: file, over: sound) }
                }
                runs.append((name, point.plan, seed))
            }
        }
        guard !runs.isEmpty else {
            throw Failure(
                .usage,
                "--wav: no scenario makes sound; choose one with voice: real, or run one "
                    + "whose apps carry sound with --sweep voice=real"
            )
        }
        try Outputs.makeFolder(folder, option: "--wav")
    }

    /// What a file is called; of a run's long name the end is cut.
    private static func fileName(_ run: String, _ part: String) -> String {
        let ending = "-\(part).wav"
        var start = run
        while start.utf8.count + ending.utf8.count > nameLengthMax, !start.isEmpty {
            start.removeLast()
        }
        return start + ending
    }

    /// A file's name has 255 bytes at most, a few of which its draft needs.
    private static let nameLengthMax = 240

    /// The part of a file's name that says what it holds.
    private static func said(_ phone: String) -> String { "\(phone)-said" }
    private static let handovers = "handovers"

    private static func clash(of one: String, and other: String, over sound: String) -> Failure {
        let fault =
            one == other
            ? "two points of \(one) would both write \(sound); choose one of them with --only"
            : "\(one) and \(other) would both write \(sound); run them into two folders"
        return Failure(.usage, "--wav: \(fault)")
    }

    /// The page that plays what is written.
    var page: String { Outputs.path(SoundsPage.fileName, in: folder) }

    func write(_ material: SpeechMaterial?, isQuiet: Bool) throws {
        var listed: [SoundsPage.Sound] = []
        for (name, plan, seed) in runs {
            let run = SingleRun(plan: plan, seed: seed, material: material)
            let sounds = try Failure.describing { try run.sounds() }
            func write(
                _ sound: WaveFile,
                _ part: String,
                _ title: String,
                _ remarks: [String] = []
            ) throws {
                let file = Self.fileName(name, part)
                let path = Outputs.path(file, in: folder)
                try Outputs.write(sound.data, to: path)
                listed.append(
                    SoundsPage.Sound(
                        run: name,
                        seed: seed,
                        title: title,
                        file: file,
                        remarks: remarks
                    )
                )
                if !isQuiet { Terminal.remark("wrote \(path) (seed \(seed))") }
            }
            for (place, phone) in sounds.names.enumerated() {
                try write(sounds.heard(at: place), phone, phone)
                guard let said = sounds.said(at: place) else { continue }
                try write(said, Self.said(phone), "what is said at \(phone)")
            }
            if let sides = sounds.momentSides() {
                let title = "each handover from both sides: what was said, then what was heard"
                try write(sides, Self.handovers, title, sounds.momentRemarks)
            }
        }
        try Outputs.write(Data(SoundsPage(listed).text.utf8), to: page)
        if !isQuiet { Terminal.remark("wrote \(page), which plays them") }
    }
}
