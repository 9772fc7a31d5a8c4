import AppCoordination
import CoachStore
import KodamaEvidence
import KodamaLanguage
import KodamaPhone
import KodamaSession
import KodamaSimulation
import KodamaWorld
import SansIO

/// What a phone's system does to mirror the app's records.
struct Mirroring {
    /// What a request to the mirror is for.
    enum Request {
        case save(MirrorBatch)
        case fetch
    }

    var draws: RandomStream
    /// Whether a synchronisation is wanted, and has its time come.
    var isScheduled = false
    var isDue = false
    var waitsForUnlock = false
    /// The request that is under way, and its number.
    var request: Request?
    var number: UInt32 = 0
    /// Whether the mirror was reached, as noted last.
    var wasReachable: Bool?
    /// The edit that each field shows on this phone.
    var held: [Int64: Int64] = [:]
}

/// A field of the account's records that its user changes.
enum EditedField: Int64, CaseIterable {
    case name = 1
    case language, voiceMode
    case wakeMinute, timeZone, script

    /// Whether it belongs to the profile, and not to the routine.
    var isProfile: Bool { rawValue <= EditedField.voiceMode.rawValue }
    /// The number of a report, which counts as a field that is set once.
    static func number(ofReport report: Int64) -> Int64 { 1_000 + report }
}

/// An edit of a field, as the world knows it.
struct MadeEdit {
    let number: Int64
    let clock: Int64
}

// The mirror between the account's phones: the system picks the time, the app's store gives and takes.

extension CoachApp {
    private var mirror: MirrorConfiguration { plan.mirror }

    /// The phone joins the mirror, before the first day begins.
    func beginMirroring(on stage: inout Stage) {
        guard mirror.isOn, hasAccount else { return }
        mirroring = Mirroring(draws: draws("coach.mirror"))
        account.first?.phones.append(self)
        reviewMirroring(on: &stage)
        scheduleEdit(on: &stage)
        scheduleLook(on: &stage)
    }

    /// The phone stands otherwise, perhaps: a synchronisation that waits may begin.
    func reviewMirroring(on stage: inout Stage) {
        guard let ledger = account.first, mirroring != nil else { return }
        // It is a mirror of the owner's, whose store is closed while another user's is open.
        let isOpen = isPowered && isOwnersTurn && isReachable(on: stage)
        if mirroring?.wasReachable != isOpen {
            mirroring?.wasReachable = isOpen
            note(MirrorReach(account: ledger.account, isReachable: TraceFlag(isOpen)), on: &stage)
        }
        synchronise(on: &stage)
    }

    /// Something has changed here or at the mirror: the system synchronises when it sees fit.
    func wantsMirroring(on stage: inout Stage) {
        guard mirroring?.isScheduled == false else { return }
        mirroring?.isScheduled = true
        let delay = mirroring?.draws.latency(mirror.delay) ?? .zero
        schedule(.mirrors, after: delay, on: &stage)
    }

    /// The time for it has come.
    func mirrors(on stage: inout Stage) {
        mirroring?.isScheduled = false
        mirroring?.isDue = true
        mirroring?.waitsForUnlock = mirroring?.draws.bernoulli(mirror.waitsForUnlock) ?? false
        synchronise(on: &stage)
    }

    private func synchronise(on stage: inout Stage) {
        guard let state = mirroring, state.isDue, state.request == nil, isPowered, isOwnersTurn,
            isReachable(on: stage)
        else { return }
        let isLocked = phone.seat.ask { $0.isLocked }
        guard !isLocked || !state.waitsForUnlock else { return }
        guard phase == .running, account.store != nil else {
            // A push without a sound runs the app in the background.
            guard phase != .running, armory.hasWoken != stage.now else { return }
            armory.hasWoken = stage.now
            return phone.tell(.ranInBackground(id), on: &stage)
        }
        mirroring?.isDue = false
        save(on: &stage)
    }

    /// Gives the mirror the next records that it lacks, or goes on to fetch.
    private func save(on stage: inout Stage) {
        guard let store = account.store else { return }
        let batch = stored { try store.unmirrored(MirrorDatabase.recordsPerRequestMax) }
        ask(batch.records.isEmpty ? .fetch : .save(batch), on: &stage)
    }

    private func ask(_ request: Mirroring.Request, on stage: inout Stage) {
        mirroring?.request = request
        mirroring?.number &+= 1
        // Half a second each way; an assumption.
        schedule(
            .mirrorHears,
            mirroring?.number ?? 0,
            after: .milliseconds(500),
            on: &stage
        )
    }

    /// A request reaches the mirror, which does what it says before the phone hears of it.
    func mirrorHears(_ number: UInt32, on stage: inout Stage) {
        guard let ledger = account.first, number == mirroring?.number,
            let request = mirroring?.request
        else { return }
        guard isReachable(on: stage) else { return mirrorFails(after: .seconds(60), on: &stage) }
        if mirroring?.draws.bernoulli(mirror.isLimited) ?? false {
            noteSynced(given: 0, taken: 0, isLimited: true, on: &stage)
            return mirrorFails(after: mirror.retryAfter, on: &stage)
        }
        if case .save(let batch) = request {
            ledger.mirror.save(batch.records)
            for other in ledger.phones where other !== self {
                other.wantsMirroring(on: &stage)
            }
        }
        schedule(.mirrorAnswers, number, after: .milliseconds(500), on: &stage)
    }

    private func mirrorFails(after wait: Duration, on stage: inout Stage) {
        mirroring?.request = nil
        guard mirroring?.isScheduled == false else { return }
        mirroring?.isScheduled = true
        schedule(.mirrors, after: wait, on: &stage)
    }

    /// The answer reaches the app.
    func mirrorAnswers(_ number: UInt32, on stage: inout Stage) {
        guard let ledger = account.first, let store = account.store,
            number == mirroring?.number, let request = mirroring?.request
        else { return }
        guard phase == .running, isReachable(on: stage) else {
            return mirrorFails(after: .seconds(60), on: &stage)
        }
        mirroring?.request = nil
        switch request {
        case .save(let batch):
            stored { try store.noteMirrored(batch, saved: batch.records) }
            let given = Int64(batch.records.count)
            noteSynced(given: given, taken: 0, isLimited: false, on: &stage)
            save(on: &stage)
        case .fetch:
            let known = stored { try store.mirrorToken() }
            let (records, token) = ledger.mirror.records(since: known)
            let outcome = stored { try store.take(records, token: token) }
            let taken = Int64(records.count)
            noteSynced(given: 0, taken: taken, isLimited: false, on: &stage)
            reviewFields(on: &stage)
            // What came from the mirror may be in the outboxes, too.
            if outcome.changed > 0 { tellAccount(.deliveryRequested, on: &stage) }
            if outcome.queuedAgain > 0 { wantsMirroring(on: &stage) }
        }
    }

    private func noteSynced(given: Int64, taken: Int64, isLimited: Bool, on stage: inout Stage) {
        guard let ledger = account.first else { return }
        let form = MirrorSynced(
            account: ledger.account,
            given: given,
            taken: taken,
            isLimited: TraceFlag(isLimited)
        )
        note(form, on: &stage)
    }

    /// The process is gone, and with it what it would have heard.
    func endMirroring(on stage: inout Stage) {
        guard mirroring?.request != nil else { return }
        mirrorFails(after: .seconds(60), on: &stage)
    }

    /// A user who is up unlocks the phone about every hour, for whatever; an assumption.
    private func scheduleLook(on stage: inout Stage) {
        let gap = mirroring?.draws.duration(in: .seconds(1_800)...(.seconds(5_400))) ?? .zero
        schedule(.looks, after: gap, on: &stage)
    }

    func looks(on stage: inout Stage) {
        scheduleLook(on: &stage)
        let isLocked = phone.seat.ask { $0.isLocked }
        guard isPowered, person.isUp, isLocked else { return }
        phone.undergo(PhoneAct.unlock, on: &stage)
        schedule(.putsDown, after: .seconds(60), on: &stage)
    }

    // MARK: Edits

    private func scheduleEdit(on stage: inout Stage) {
        guard mirror.editsPerDay > 0 else { return }
        let mean = 86_400 * 1_000_000_000 / Int64(mirror.editsPerDay)
        let gap = mirroring?.draws.uniform(in: mean / 2...mean * 3 / 2) ?? mean
        let end = Instant.zero.advanced(by: mirror.editsUntil)
        guard stage.now.advanced(by: .nanoseconds(gap)) < end else { return }
        schedule(.edits, after: .nanoseconds(gap), on: &stage)
    }

    /// The user opens the app if it is not running, and changes something.
    func edits(on stage: inout Stage) {
        scheduleEdit(on: &stage)
        guard isPowered, person.isUp, !isTalking else { return }
        let isLocked = phone.seat.ask { $0.isLocked }
        if isLocked { phone.undergo(PhoneAct.unlock, on: &stage) }
        phone.undergo(PhoneAct.openApp(CoachAppPlan.system), on: &stage)
        schedule(.editsNow, after: .seconds(5), on: &stage)
        schedule(.putsDown, after: .seconds(60), on: &stage)
    }

    func editsNow(on stage: inout Stage) {
        guard phase == .running, isOwnersTurn, let store = account.store,
            let ledger = account.first
        else { return }
        let fields = EditedField.allCases
        let index = mirroring?.draws.uniform(below: UInt64(fields.count)) ?? 0
        let field = fields[Int(index)]
        let time = wallTime(on: stage)
        let edit = ledger.nextEdit()
        let clock = clock(of: field, at: time)
        if field.isProfile {
            let former = stored { try store.record(CoachProfile.self, "profile") }
            var profile = former ?? CoachProfile()
            field.set(edit, in: &profile)
            stored { try store.save(profile, at: time) }
        } else {
            let former = stored { try store.record(CoachRoutine.self, "routine") }
            var routine = former ?? CoachRoutine(id: "routine")
            field.set(edit, in: &routine)
            stored { try store.save(routine, at: time) }
        }
        noteEdit(field.rawValue, MadeEdit(number: edit, clock: clock), on: &stage)
    }

    /// What decides about an edit (D-28): the phone's clock, but later than all of the record that it shows.
    private func clock(of field: EditedField, at time: WallTime) -> Int64 {
        let record = EditedField.allCases.filter { $0.isProfile == field.isProfile }
        let seen = record.compactMap { field in
            mirroring?.held[field.rawValue].flatMap { account.first?.clocks[$0] }
        }
        let now = time.nanosecondsSince1970 / 1_000_000 << 16
        return max(now, (seen.max() ?? .min &- 1) &+ 1)
    }

    /// A report is kept: the account's other phones are to have it.
    func noteMirrored(report: Int64, on stage: inout Stage) {
        guard mirroring != nil, isOwnersTurn else { return }
        let clock = wallTime(on: stage).nanosecondsSince1970 / 1_000_000 << 16
        let field = EditedField.number(ofReport: report)
        noteEdit(field, MadeEdit(number: report, clock: clock), on: &stage)
    }

    private func noteEdit(_ field: Int64, _ edit: MadeEdit, on stage: inout Stage) {
        guard let ledger = account.first else { return }
        if EditedField(rawValue: field) != nil { ledger.clocks[edit.number] = edit.clock }
        mirroring?.held[field] = edit.number
        let form = FieldEdited(
            account: ledger.account,
            field: field,
            edit: edit.number,
            clock: edit.clock
        )
        note(form, on: &stage)
        wantsMirroring(on: &stage)
    }

    /// Notes which edits the records show that they did not before.
    private func reviewFields(on stage: inout Stage) {
        guard let store = account.store, let ledger = account.first else { return }
        let profile = stored { try store.record(CoachProfile.self, "profile") }
        let routine = stored { try store.record(CoachRoutine.self, "routine") }
        var held = EditedField.allCases.compactMap { field in
            field.edit(in: profile, routine).map { (field.rawValue, $0) }
        }
        let ids =
            stored { try store.records(of: CoachReflection.self).map(\.id) }
            + stored { try store.records(of: CoachInteraction.self).map(\.id) }
        held += ids.map { id in
            let report = ledger.number(of: id)
            return (EditedField.number(ofReport: report), report)
        }
        for (field, edit) in held where mirroring?.held[field] != edit {
            mirroring?.held[field] = edit
            note(FieldHeld(account: ledger.account, field: field, edit: edit), on: &stage)
        }
    }
}

extension EditedField {
    fileprivate func set(_ edit: Int64, in profile: inout CoachProfile) {
        switch self {
        case .name: profile.name = String(edit)
        case .language: profile.language = String(edit)
        default: profile.voiceMode = String(edit)
        }
    }

    fileprivate func set(_ edit: Int64, in routine: inout CoachRoutine) {
        switch self {
        case .wakeMinute: routine.wakeMinute = edit
        case .timeZone: routine.timeZone = String(edit)
        default: routine.script = String(edit)
        }
    }

    /// The edit that the records show.
    fileprivate func edit(in profile: CoachProfile?, _ routine: CoachRoutine?) -> Int64? {
        switch self {
        case .name: profile?.name.flatMap { Int64($0) }
        case .language: profile?.language.flatMap { Int64($0) }
        case .voiceMode: profile?.voiceMode.flatMap { Int64($0) }
        case .wakeMinute: routine?.wakeMinute
        case .timeZone: routine?.timeZone.flatMap { Int64($0) }
        case .script: routine?.script.flatMap { Int64($0) }
        }
    }
}
