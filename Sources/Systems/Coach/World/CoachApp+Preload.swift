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
    /// The fetch under way: the machine's operation, and the link once there is one.
    var fetch: (operation: OperationID, link: String?)?
    /// The sync under way.
    var sync: OperationID?
    /// How many files were ever fetched, which names them.
    var count = 0
}

// The evening's preload: the wake audio in the user's own voice, and what the server lacks of the last
// conversation (AN-01, AN-20).

extension CoachApp {
    /// How long the audio lasts, and how long its download takes, for 200 kB over half a megabit a second.
    ///
    /// Both are assumptions. The download is no traffic of the phone's links, which only have to be there.
    private static let audioLength = Duration.seconds(25)
    private static let downloadTime = Duration.seconds(3)
    /// How long after an order for it the outboxes are looked at; an assumption.
    private static let syncTime = Duration.seconds(4)

    /// Asks for a link to the audio; without a cloned voice there is none, and the bundled sound stays.
    func fetchAudio(_ operation: OperationID, on stage: inout Stage) {
        guard let store = account.store,
            case .registered(let profile, _) = stored({ try store.voiceProgress() })
        else { return tell(.audioFetched(operation, .failed), on: &stage) }
        preloading.fetch = (operation, nil)
        callServer(operation, .presignWake(profile: profile), from: .preload, on: &stage)
    }

    /// The server has answered.
    func linkAnswered(_ operation: OperationID, _ answer: CoachAnswer, on stage: inout Stage) {
        guard preloading.fetch?.operation == operation else { return }
        guard case .link(let url, _) = answer else {
            return fetched(operation, .failed, on: &stage)
        }
        preloading.fetch?.link = url
        carryBurst(on: &stage)
        schedule(.downloads, operation.number, after: Self.downloadTime, on: &stage)
    }

    /// The download is over, if the phone has stayed in the network and the link is good.
    func downloads(_ number: UInt32, on stage: inout Stage) {
        guard let fetch = preloading.fetch, fetch.operation.number == number,
            let link = fetch.link, let user = account.ledger?.user, phase == .running
        else { return }
        let voice = api.server.voice(opened: link, of: user, at: api.wallTime(at: stage.now))
        guard isReachable(on: stage), voice != nil else {
            return fetched(fetch.operation, .failed, on: &stage)
        }
        preloading.count += 1
        carryBurst(on: &stage)
        let file = SoundFile("wake-\(preloading.count).caf", length: Self.audioLength)
        preloading.files.append(file)
        soundsChanged(on: &stage)
        let answer = WakeFlow.AudioAnswer.stored(name: file.name, length: file.length)
        fetched(fetch.operation, answer, on: &stage)
    }

    private func fetched(
        _ operation: OperationID,
        _ answer: WakeFlow.AudioAnswer,
        on stage: inout Stage
    ) {
        preloading.fetch = nil
        note(AudioFetched(isThere: TraceFlag(answer != .failed)), on: &stage)
        tell(.audioFetched(operation, answer), on: &stage)
    }

    /// Hands the outboxes to the server, where what the last conversation came to lies.
    func syncConversation(_ operation: OperationID, on stage: inout Stage) {
        guard account.store != nil else {
            return tell(.conversationSynced(operation, accepted: false), on: &stage)
        }
        preloading.sync = operation
        tellAccount(.deliveryRequested, on: &stage)
        schedule(.syncs, operation.number, after: Self.syncTime, on: &stage)
    }

    func syncs(_ number: UInt32, on stage: inout Stage) {
        guard let operation = preloading.sync, operation.number == number, phase == .running else {
            return
        }
        preloading.sync = nil
        let isDelivered = account.coordinator?.seat.ask { $0.isDelivered } ?? false
        let isDone = disk.guide.unsent.isEmpty && isDelivered
        tell(.conversationSynced(operation, accepted: isDone), on: &stage)
    }

    func cancelPreload(_ operation: OperationID) {
        if preloading.sync == operation { preloading.sync = nil }
        guard preloading.fetch?.operation == operation else { return }
        preloading.fetch = nil
        endCall(CoachCall.operation(operation, of: .preload))
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
