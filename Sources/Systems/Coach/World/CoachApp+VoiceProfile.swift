import AppCoordination
import CoachAccount
import CoachExchange
import CoachStore
import KodamaEvidence
import KodamaLanguage
import KodamaPhone
import KodamaSession
import KodamaSimulation
import KodamaWorld
import SansIO
import WakeFlow

/// What a phone keeps of a cloned voice outside the store, and what its user wants.
struct VoiceVault {
    /// The keys in secure storage.
    var recordingKey: AudioKey?
    var voiceKey: AudioKey?
    /// The sealed file on the disk.
    var recording: [UInt8]?
    /// Whether the user wants a clone and not its deletion; `nil` if they never said.
    ///
    /// Where a kill has lost what they said, they say it again in the evening.
    var isWanted: Bool?
    /// How often they have recorded.
    var recordings: UInt32 = 0
    /// What storage has done and not yet answered.
    var answers: [(number: UInt32, event: VoiceProfiles.Event)] = []
    var answerCount: UInt32 = 0
    /// What the trace has of it.
    var noted: VaultHeld?
}

// The cloned voice: secure storage, disk and store do what its machine orders, the server has the voice.

extension CoachApp {
    /// How long secure storage, the disk and the store take to answer; an assumption.
    private static let storageTime = Duration.milliseconds(20)
    /// 16 kHz with 16 bits, for half a minute and a second: what the user says into it is silence.
    private static let recordingByteCount = 31 * 32_000

    /// The user wants a clone, opens the app and speaks into it.
    func cloneVoice(on stage: inout Stage) {
        guard let ledger = account.ledger, isPowered else { return }
        vault.isWanted = true
        note(VoiceWish(account: ledger.account, isWanted: TraceFlag(true)), on: &stage)
        opensForAWhile(on: &stage)
        schedule(.records, after: .seconds(40), on: &stage)
    }

    /// The user has spoken, if there is nothing yet.
    func recordVoice(on stage: inout Stage) {
        guard vault.isWanted == true, phase == .running, let store = account.store,
            stored({ try store.voiceProgress() }) == .none
        else { return }
        let draws = draws("coach.recording")
        let bytes = (0..<12).flatMap { index in
            let bits = draws.bits(at: UInt64(vault.recordings) << 8 | UInt64(index))
            return (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
        }
        guard let entropy = VoiceEntropy(bytes) else { return }
        vault.recordings += 1
        let time = wallTime(on: stage)
        tellAccount(.voice(.consented(version: 1, at: time)), on: &stage)
        let audio = [UInt8](repeating: 0, count: Self.recordingByteCount)
        tellAccount(.voice(.recorded(audio, entropy)), on: &stage)
    }

    /// The user wants the voice deleted.
    func deleteVoice(on stage: inout Stage) {
        guard let ledger = account.ledger, isPowered else { return }
        vault.isWanted = false
        note(VoiceWish(account: ledger.account, isWanted: TraceFlag(false)), on: &stage)
        opensForAWhile(on: &stage)
        schedule(.deletesVoice, after: .seconds(5), on: &stage)
    }

    func deletesVoice(on stage: inout Stage) {
        guard phase == .running, vault.isWanted == false else { return }
        tellAccount(.voice(.deletionRequested), on: &stage)
    }

    /// The user unlocks the phone, opens the app, and puts it down after five minutes.
    func opensForAWhile(on stage: inout Stage) {
        let isLocked = phone.seat.ask { $0.isLocked }
        if isLocked { phone.undergo(PhoneAct.unlock, on: &stage) }
        phone.undergo(PhoneAct.openApp(CoachAppPlan.system), on: &stage)
        schedule(.putsDown, after: .seconds(300), on: &stage)
    }

    // MARK: What the machine orders

    func perform(_ effect: VoiceProfiles.Effect, on stage: inout Stage) {
        guard let ledger = account.ledger, let store = account.store else { return }
        if let step = VoiceStep.Step(effect) { noteStep(step, on: &stage) }
        switch effect {
        case .keepKeys(let operation, let recording, let voice):
            let isKept = !armory.isBeforeFirstUnlock
            if isKept { (vault.recordingKey, vault.voiceKey) = (recording, voice) }
            answer(.keysKept(operation, isKept: isKept), on: &stage)
        case .keepRecording(let operation, let file):
            vault.recording = file
            answer(.recordingKept(operation, isKept: true), on: &stage)
        case .keepProgress(let operation, let progress):
            let time = wallTime(on: stage)
            stored { try store.keep(progress, at: time) }
            let form = VoiceKept(
                account: ledger.account,
                state: TraceWord(VoiceState(progress))
            )
            note(form, on: &stage)
            if mirroring != nil { wantsMirroring(on: &stage) }
            answer(.progressKept(operation, isKept: true), on: &stage)
        case .readRecording(let operation):
            answer(.recordingRead(operation, recording), on: &stage)
        case .destroyRecording: (vault.recordingKey, vault.recording) = (nil, nil)
        case .destroyVoiceKey: vault.voiceKey = nil
        case .callServer, .cancelCall, .show: break
        }
        noteVault(on: &stage)
    }

    /// Whether the store has a voice that is registered; `nil` without a store.
    var hasClone: Bool? {
        guard let store = account.store else { return nil }
        return VoiceState(stored { try store.voiceProgress() }) == .registered
    }

    private var recording: RecordingAnswer {
        if armory.isBeforeFirstUnlock { return .unavailable }
        guard let key = vault.recordingKey, let file = vault.recording else { return .missing }
        return .found(key: key.bytes, file: file)
    }

    private func answer(_ event: VoiceProfiles.Event, on stage: inout Stage) {
        vault.answerCount &+= 1
        vault.answers.append((vault.answerCount, event))
        schedule(.storageAnswers, vault.answerCount, after: Self.storageTime, on: &stage)
    }

    func storageAnswers(_ number: UInt32, on stage: inout Stage) {
        let index = vault.answers.firstIndex { $0.number == number }
        guard let index else { return }
        let event = vault.answers.remove(at: index).event
        tellAccount(.voice(event), on: &stage)
    }

    func noteStep(_ step: VoiceStep.Step, on stage: inout Stage) {
        guard let ledger = account.ledger, vault.isWanted != nil else { return }
        note(VoiceStep(account: ledger.account, step: TraceWord(step)), on: &stage)
    }

    private func noteVault(on stage: inout Stage) {
        guard let ledger = account.ledger, vault.isWanted != nil else { return }
        let held = VaultHeld(
            account: ledger.account,
            hasRecording: TraceFlag(vault.recording != nil || vault.recordingKey != nil),
            hasVoiceKey: TraceFlag(vault.voiceKey != nil)
        )
        guard held != vault.noted else { return }
        vault.noted = held
        note(held, on: &stage)
    }
}

extension VoiceState {
    fileprivate init(_ progress: VoiceProgress) {
        switch progress {
        case .none: self = .none
        case .sealed: self = .sealed
        case .registered: self = .registered
        case .deleting: self = .deleting
        }
    }
}

extension VoiceStep.Step {
    fileprivate init?(_ effect: VoiceProfiles.Effect) {
        switch effect {
        case .keepKeys: self = .keepsKeys
        case .keepRecording: self = .keepsRecording
        case .keepProgress: self = .keepsProgress
        case .readRecording: self = .readsRecording
        case .destroyRecording: self = .destroysRecording
        case .destroyVoiceKey: self = .destroysKey
        case .callServer, .cancelCall, .show: return nil
        }
    }
}
