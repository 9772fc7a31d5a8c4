public import CoachExchange
public import SansIO

/// Makes the clone of the user's voice and deletes it (AN-17, AN-04, AN-10).
///
/// A recording is sealed before it is written, its key goes to secure storage before the file is
/// there, and the store knows of it when both are. From then on a kill costs nothing: the next
/// launch reads it and asks the server which parts it lacks. The profile counts as registered when
/// the store has the voice's id, which it gets from the server alone; then file and key are
/// destroyed, at each launch anew. A deletion is kept first, then destroys all keys, and is told to
/// the server until that confirms it; what the server deleted once it never takes again.
public struct VoiceProfiles: StateMachine {
    /// A fact for the voice profiles.
    public enum Event: Sendable, Equatable {
        /// The store is open: how far it had come.
        case opened(VoiceProgress)
        /// The user consented to the text of this version.
        case consented(version: Int64, at: WallTime)
        /// The user has spoken: 16-bit samples, and fresh bytes of the system's generator.
        case recorded([UInt8], VoiceEntropy)
        /// The user wants the voice deleted, here or on another phone.
        case deletionRequested
        /// Secure storage has the keys, or has not.
        case keysKept(OperationID, isKept: Bool)
        /// The disk has the sealed file, or has not.
        case recordingKept(OperationID, isKept: Bool)
        /// The store has the progress, or has not.
        case progressKept(OperationID, isKept: Bool)
        /// Secure storage and the disk answered a read.
        case recordingRead(OperationID, RecordingAnswer)
        /// The server answered.
        case serverAnswered(OperationID, CoachAnswer)
        /// There is a network again, or another one; or the app came to the front.
        case pathRestored
        /// The user has signed in.
        case signedIn
    }

    /// An order from the voice profiles.
    public enum Effect: Sendable, Equatable, CoachOrder {
        /// Keeps both keys in secure storage: the recording's, and the one that will seal what the
        /// voice says.
        case keepKeys(OperationID, recording: AudioKey, voice: AudioKey)
        /// Writes the sealed recording to the disk.
        case keepRecording(OperationID, [UInt8])
        /// Keeps the progress in the store, and what the user's other phones are to know of it.
        case keepProgress(OperationID, VoiceProgress)
        /// Reads the recording's key and the sealed file.
        case readRecording(OperationID)
        /// Destroys the recording's key and the sealed file, in this order.
        case destroyRecording
        /// Destroys the key that seals what the voice says.
        case destroyVoiceKey
        /// Makes a request.
        case callServer(OperationID, CoachRequest)
        /// Cancels a call; its answer is no longer needed.
        case cancelCall(OperationID)
        /// Shows how the profile stands, which is new.
        case show(VoiceStatus)
    }

    /// What is being done.
    enum State: Sendable, Equatable {
        /// The store is not open yet.
        case closed
        /// There is nothing to do: there is no profile, or a registered one.
        case resting
        case keepingKeys(OperationID)
        case keepingRecording(OperationID)
        case keepingProgress(OperationID, VoiceProgress)
        /// The store refused; it is tried again.
        case retryingProgress(at: Instant, VoiceProgress)
        case reading(OperationID)
        /// Secure storage is locked; it is tried again.
        case locked(until: Instant)
        case asking
    }

    /// A recording that is on its way.
    struct Upload: Sendable, Equatable {
        let offer: CloneOffer
        let key: AudioKey
        let sealed: SealedAudio
        /// The parts that the server lacks, as far as is known.
        var missing: [Int] = []
    }

    private struct Consent: Sendable, Equatable {
        let version: Int64
        let at: WallTime
    }

    /// How long after the store or secure storage failed it is tried again: 30 s, an assumption.
    static let storageWait = Duration.seconds(30)

    /// Three requests given up, what is destroyed, one order and the status.
    public static var effectsPerCallMax: Int { 8 }
    /// There may always be another recording.
    public var isFinished: Bool { false }

    private let rules: RecordingRules
    var server: PersistentRequest
    private(set) var state = State.closed
    /// What the store has.
    private(set) var progress = VoiceProgress.none
    private var consent: Consent?
    private(set) var upload: Upload?
    /// Why the profile that is being deleted came to nothing.
    private var refusal: VoiceRefusal?
    private var shown: VoiceStatus?

    /// Makes one of a store that is not open yet.
    ///
    /// - Parameters:
    ///   - rules: How a recording has to be.
    ///   - patience: How patient its requests are.
    ///   - seed: The seed of its waits' jitter.
    ///   - operations: The numbers its operations get.
    public init(
        rules: RecordingRules = RecordingRules(),
        patience: CoachPatience = CoachPatience(),
        seed: UInt64,
        operations: OperationCounter = OperationCounter()
    ) {
        self.rules = rules
        server = PersistentRequest(patience, seed: seed, operations: operations)
    }

    /// What the app shows; `nil` before the store is open.
    public var status: VoiceStatus? { shown }

    /// The profile and voice that can be used; `nil` if there is none, or it is deleted.
    public var usable: (profile: String, voice: String)? {
        guard case .registered(let profile, let voice) = progress else { return nil }
        // A deletion that is being kept counts from the moment that the user asked for it.
        if case .keepingProgress(_, .deleting) = state { return nil }
        if case .retryingProgress(_, .deleting) = state { return nil }
        return (profile, voice)
    }

    /// When something is tried again or has taken too long.
    public var deadline: Deadline? {
        switch state {
        case .closed, .resting, .keepingKeys, .keepingRecording, .keepingProgress, .reading: nil
        case .retryingProgress(let at, _): Deadline(at, "voice progress retry")
        case .locked(let until): Deadline(until, "voice key retry")
        case .asking: server.deadline
        }
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .opened(let progress):
            guard state == .closed else { return }
            open(progress, in: &turn)
        case .consented(let version, let time):
            guard state == .resting, progress == .none else { return }
            consent = Consent(version: version, at: time)
        case .recorded(let audio, let entropy): record(audio, entropy, in: &turn)
        case .deletionRequested: delete(in: &turn)
        case .keysKept(let operation, let isKept):
            guard state == .keepingKeys(operation), let upload else { return }
            guard isKept else { return abandon(.notKept, in: &turn) }
            let next = server.nextOperation()
            turn.order(.keepRecording(next, upload.sealed.file))
            state = .keepingRecording(next)
        case .recordingKept(let operation, let isKept):
            guard state == .keepingRecording(operation), let upload else { return }
            guard isKept else { return abandon(.notKept, in: &turn) }
            keep(.sealed(upload.offer), in: &turn)
        case .progressKept(let operation, let isKept):
            guard case .keepingProgress(operation, let next) = state else { return }
            kept(next, isKept, in: &turn)
        case .recordingRead(let operation, let answer):
            guard state == .reading(operation) else { return }
            read(answer, in: &turn)
        case .serverAnswered(let operation, let answer):
            answered(operation, answer, in: &turn)
        case .pathRestored, .signedIn:
            if case .locked = state { return readRecording(in: &turn) }
            if state == .asking {
                server.hurry(event == .signedIn ? .session : .path, in: &turn)
            }
        }
    }

    /// Tries again what failed or has taken too long.
    public mutating func wake(in turn: inout Turn<Effect>) {
        guard let deadline, deadline.instant <= turn.now else { return }
        switch state {
        case .retryingProgress(_, let next): keep(next, in: &turn)
        case .locked: readRecording(in: &turn)
        case .asking: server.wake(in: &turn)
        default: return
        }
    }

    // MARK: Recording

    private mutating func record(
        _ audio: [UInt8],
        _ entropy: VoiceEntropy,
        in turn: inout Turn<Effect>
    ) {
        guard state == .resting, progress == .none else { return }
        guard let consent else { return show(.none(.noConsent), in: &turn) }
        if let refusal = rules.refusal(of: audio) { return show(.none(refusal), in: &turn) }
        let sealed = SealedAudio(
            sealing: audio,
            as: entropy.profile,
            with: entropy.recordingKey,
            salt: entropy.salt,
            partByteCount: rules.partByteCount
        )
        let offer = CloneOffer(
            profile: entropy.profile,
            consentVersion: consent.version,
            consented: consent.at,
            salt: entropy.salt,
            partCount: sealed.parts.count
        )
        upload = Upload(offer: offer, key: entropy.recordingKey, sealed: sealed)
        let operation = server.nextOperation()
        let (recording, voice) = (entropy.recordingKey, entropy.voiceKey)
        turn.order(.keepKeys(operation, recording: recording, voice: voice))
        state = .keepingKeys(operation)
        show(.keeping, in: &turn)
    }

    /// Leaves a recording that the store does not know.
    private mutating func abandon(_ refusal: VoiceRefusal?, in turn: inout Turn<Effect>) {
        upload = nil
        consent = nil
        turn.order(.destroyRecording)
        turn.order(.destroyVoiceKey)
        state = .resting
        show(.none(refusal), in: &turn)
    }

    /// Leaves a recording that is good for nothing.
    ///
    /// Its completion may have reached the server and the answer not this phone: the server is told
    /// to forget it, so that it has no voice of which the phone knows nothing.
    private mutating func giveUp(
        _ profile: String,
        _ refusal: VoiceRefusal?,
        in turn: inout Turn<Effect>
    ) {
        server.drop(in: &turn)
        self.refusal = refusal
        keep(.deleting(profile: profile), in: &turn)
    }

    // MARK: Progress

    private mutating func open(_ progress: VoiceProgress, in turn: inout Turn<Effect>) {
        self.progress = progress
        switch progress {
        case .none:
            // What a kill left behind before the store knew of it.
            turn.order(.destroyRecording)
            turn.order(.destroyVoiceKey)
            state = .resting
            show(.none(nil), in: &turn)
        case .sealed: readRecording(in: &turn)
        case .registered, .deleting: entered(in: &turn)
        }
    }

    mutating func keep(_ next: VoiceProgress, in turn: inout Turn<Effect>) {
        let operation = server.nextOperation()
        turn.order(.keepProgress(operation, next))
        state = .keepingProgress(operation, next)
    }

    private mutating func kept(
        _ next: VoiceProgress,
        _ isKept: Bool,
        in turn: inout Turn<Effect>
    ) {
        guard isKept else {
            if case .sealed = next { return abandon(.notKept, in: &turn) }
            state = .retryingProgress(at: turn.now.advanced(by: Self.storageWait), next)
            return
        }
        progress = next
        entered(in: &turn)
    }

    /// Does what the progress that the store has calls for.
    private mutating func entered(in turn: inout Turn<Effect>) {
        switch progress {
        case .none:
            state = .resting
            show(.none(refusal), in: &turn)
            refusal = nil
        case .sealed(let offer):
            ask(.cloneBegin(offer), in: &turn)
            show(.uploading(sent: 0, of: offer.partCount), in: &turn)
        case .registered:
            upload = nil
            turn.order(.destroyRecording)
            state = .resting
            show(.registered, in: &turn)
        case .deleting(let profile):
            upload = nil
            turn.order(.destroyRecording)
            turn.order(.destroyVoiceKey)
            show(.deleting, in: &turn)
            ask(.deleteVoice(profile: profile), in: &turn)
        }
    }

    private mutating func delete(in turn: inout Turn<Effect>) {
        consent = nil
        switch state {
        case .closed: return
        case .keepingKeys, .keepingRecording: return abandon(nil, in: &turn)
        case .keepingProgress(_, .none), .retryingProgress(_, .none): return
        case .keepingProgress(_, .deleting), .retryingProgress(_, .deleting): return
        case .keepingProgress(_, let next), .retryingProgress(_, let next):
            return forget(next, in: &turn)
        case .resting, .reading, .locked, .asking: forget(progress, in: &turn)
        }
    }

    private mutating func forget(_ present: VoiceProgress, in turn: inout Turn<Effect>) {
        switch present {
        case .none, .deleting: return
        case .sealed(let offer): giveUp(offer.profile, nil, in: &turn)
        case .registered(let profile, _): giveUp(profile, nil, in: &turn)
        }
    }

    // MARK: Reading

    private mutating func readRecording(in turn: inout Turn<Effect>) {
        let operation = server.nextOperation()
        turn.order(.readRecording(operation))
        state = .reading(operation)
    }

    private mutating func read(_ answer: RecordingAnswer, in turn: inout Turn<Effect>) {
        guard case .sealed(let offer) = progress else { return }
        switch answer {
        case .unavailable:
            state = .locked(until: turn.now.advanced(by: Self.storageWait))
        case .missing: giveUp(offer.profile, .recordingDamaged, in: &turn)
        case .found(let bytes, let file):
            guard let key = AudioKey(bytes), let sealed = try? SealedAudio(file: file),
                sealed.name == offer.profile, sealed.salt == offer.salt,
                sealed.parts.count == offer.partCount, (try? sealed.open(with: key)) != nil
            else { return giveUp(offer.profile, .recordingDamaged, in: &turn) }
            upload = Upload(offer: offer, key: key, sealed: sealed)
            entered(in: &turn)
        }
    }

    // MARK: The server

    private mutating func ask(_ request: CoachRequest, in turn: inout Turn<Effect>) {
        state = .asking
        server.begin(request, in: &turn)
    }

    private mutating func answered(
        _ operation: OperationID,
        _ answer: CoachAnswer,
        in turn: inout Turn<Effect>
    ) {
        guard state == .asking else { return }
        switch server.answered(operation, answer, in: &turn) {
        case .none: return
        case .limited(let limit): if upload != nil { show(.limited(limit), in: &turn) }
        case .signInRequired: if upload != nil { show(.signInRequired, in: &turn) }
        case .settled(let request, let answer):
            guard let upload else { return keep(.none, in: &turn) }
            settled(request, answer, of: upload, in: &turn)
        }
    }

    private mutating func settled(
        _ request: CoachRequest,
        _ answer: CoachAnswer,
        of upload: Upload,
        in turn: inout Turn<Effect>
    ) {
        let profile = upload.offer.profile
        switch answer {
        case .uploading(let missing): lacks(missing, of: upload, in: &turn)
        case .partsMissing(let missing): lacks(missing, of: upload, in: &turn)
        case .beginFirst: ask(.cloneBegin(upload.offer), in: &turn)
        case .accepted:
            guard case .clonePart(_, let index, _) = request else { return }
            lacks(upload.missing.filter { $0 != index }, of: upload, in: &turn)
        case .registered(let voice):
            keep(.registered(profile: profile, voice: voice), in: &turn)
        case .gone: giveUp(profile, nil, in: &turn)
        case .rejected(let why): giveUp(profile, .rejected(why), in: &turn)
        default: return
        }
    }

    /// Sends the next part that the server lacks, or says that it has all.
    private mutating func lacks(
        _ missing: [Int],
        of upload: Upload,
        in turn: inout Turn<Effect>
    ) {
        let missing = missing.filter(upload.sealed.parts.indices.contains)
        self.upload?.missing = missing
        let profile = upload.offer.profile
        let count = upload.sealed.parts.count
        show(.uploading(sent: count - missing.count, of: count), in: &turn)
        guard let index = missing.first else {
            return ask(.cloneComplete(profile: profile, key: upload.key), in: &turn)
        }
        let part = upload.sealed.parts[index]
        ask(.clonePart(profile: profile, index: index, part), in: &turn)
    }

    private mutating func show(_ status: VoiceStatus, in turn: inout Turn<Effect>) {
        guard status != shown else { return }
        shown = status
        turn.order(.show(status))
    }
}
