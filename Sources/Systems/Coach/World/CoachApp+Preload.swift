import AppCoordination
import AppServer
import CoachAccount
import CoachExchange
import CoachStore
import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaWorld
import SansIO
import WakeFlow

/// What the app has under way for the next morning, and what lies in its sounds folder.
struct Preloading {
    /// The preloaded files; they stay when the process ends.
    var files: [SoundFile] = []
    /// The fetch whose link was asked for last, and the download under way.
    var asked: OperationID?
    var fetch: (operation: OperationID, link: String)?
    /// Counts downloads, so that an old one's end is told from a new one's: each process numbers its own from 1.
    var downloadCount: UInt32 = 0
    /// How many files were ever fetched, which names them.
    var count = 0
}

// The evening's preload: what the phone does for the account's fetch of the wake audio (AN-01, AN-20).

extension CoachApp {
    /// How long the audio lasts, and how long its download takes, for 200 kB over half a megabit a second.
    ///
    /// Both are assumptions. The download is no traffic of the phone's links, which only have to be there.
    private static let audioLength = Duration.seconds(25)
    private static let downloadTime = Duration.seconds(3)

    func download(_ operation: OperationID, from link: String, on stage: inout Stage) {
        preloading.fetch = (operation, link)
        carryBurst(on: &stage)
        preloading.downloadCount &+= 1
        schedule(.downloads, preloading.downloadCount, after: Self.downloadTime, on: &stage)
    }

    /// The download is over, if the phone has stayed in the network and the link is good.
    func downloads(_ count: UInt32, on stage: inout Stage) {
        guard let fetch = preloading.fetch, count == preloading.downloadCount,
            let user = account.ledger?.user, phase == .running
        else { return }
        preloading.fetch = nil
        let now = api.wallTime(at: stage.now)
        let voice = api.server.voice(opened: fetch.link, of: user, at: now)
        var answer = WakeFlow.AudioAnswer.failed
        if isReachable(on: stage), voice != nil {
            preloading.count += 1
            carryBurst(on: &stage)
            let file = SoundFile("wake-\(preloading.count).caf", length: Self.audioLength)
            preloading.files.append(file)
            soundsChanged(on: &stage)
            answer = .stored(name: file.name, length: file.length)
        }
        tellAccount(.errand(.audioDownloaded(fetch.operation, answer)), on: &stage)
    }

    /// Writes down what came of a fetch, if a link was asked for at all.
    func noteFetched(
        _ operation: OperationID,
        _ answer: WakeFlow.AudioAnswer,
        on stage: inout Stage
    ) {
        guard preloading.asked == operation else { return }
        preloading.asked = nil
        note(AudioFetched(isThere: TraceFlag(answer != .failed)), on: &stage)
    }

    func clearCaches(keeping sound: WakeSound, on stage: inout Stage) {
        preloading.files.removeAll { WakeSound.preloaded(name: $0.name) != sound }
        soundsChanged(on: &stage)
    }

    private func soundsChanged(on stage: inout Stage) {
        let files = [CoachAppPlan.bundledSound] + preloading.files
        alarms.tell(.soundsChanged(Self.own, files), on: &stage)
        center.tell(.soundsChanged(Self.own, files), on: &stage)
    }

    /// What the system plays for a sound that the app has armed.
    func shown(_ sound: WakeSound) -> FiredSound {
        guard case .preloaded(let name) = sound else { return .bundled }
        return preloading.files.contains { $0.name == name } ? .preloaded : .missing
    }
}

extension WakeSound {
    /// The file's name.
    var fileName: String {
        switch self {
        case .bundled: CoachAppPlan.bundledSound.name
        case .preloaded(let name): name
        }
    }
}
