import Foundation
import Harness
import Scenarios
import Speech

/// Lets people hear runs: one WAV file for each phone of each scenario that makes sound.
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
                let values = point.values.map { $0.text.replacing("/", with: "-") }
                let name = ([scenario.name] + values).joined(separator: "-")
                for device in point.plan.soundingPhones {
                    let sound = Self.fileName(name, device.name)
                    let other = sources.updateValue(file, forKey: sound)
                    if let other { throw Self.clash(of: other, and: file, over: sound) }
                }
                runs.append((name, point.plan, seed))
            }
        }
        guard !runs.isEmpty else {
            throw Failure(
                .usage,
                "--wav: no scenario makes sound; choose one with voice: real, or run an "
                    + "intercom's with --sweep voice=real"
            )
        }
        try Outputs.makeFolder(folder, option: "--wav")
    }

    private static func fileName(_ run: String, _ device: String) -> String {
        "\(run)-\(device).wav"
    }

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
        var sounds: [SoundsPage.Sound] = []
        for (name, plan, seed) in runs {
            let run = SingleRun(plan: plan, seed: seed, material: material)
            for (device, sound) in try Failure.describing({ try run.speakerSounds() }) {
                let file = Self.fileName(name, device)
                let path = Outputs.path(file, in: folder)
                try Outputs.write(sound.data, to: path)
                sounds.append(
                    SoundsPage.Sound(run: name, seed: seed, device: device, file: file)
                )
                if !isQuiet { Terminal.remark("wrote \(path) (seed \(seed))") }
            }
        }
        try Outputs.write(Data(SoundsPage(sounds).text.utf8), to: page)
        if !isQuiet { Terminal.remark("wrote \(page), which plays them") }
    }
}
