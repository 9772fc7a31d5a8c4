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
import ReplicaStore
import SansIO
import WakeFlow

/// A request of one of the account's machines to the app's own server.
struct CoachCall: APIOrder {
    /// The machine of the account that asks.
    let sender: CoachAccountPart
    /// The sender's own number of it.
    let own: OperationID
    let request: CoachRequest
    let bearer: String

    var httpMessage: StreamMessage { HTTPRequest.coach(request, bearer: bearer).message }

    /// Its number among all requests of the app: those of the voice app stay below.
    static func operation(_ own: OperationID, of sender: CoachAccountPart) -> OperationID {
        OperationID(number: own.number | (sender.rawValue + 1) << 28)
    }
}

/// What the app has of its user's account.
struct Account {
    /// What the world knows of the account of who is signed in, or was last; `nil` if the app has none.
    var ledger: AccountLedger?
    /// The same of the phone's owner.
    var first: AccountLedger?
    /// Who is signed in; `nil` if nobody is.
    var user: String?
    /// The session with the app's own server, kept in the keychain.
    var session: String?
    /// What users are about to do: sign in or out.
    var acts: [CoachAct] = []
    /// The user whose store is open, as the app has ordered it, and what the phone has of others.
    var storeUser = ""
    var others: [UserFiles] = []
    /// The numbers of the reports that this phone has kept of that user.
    var kept: [Int64] = []
    /// The store's file, as the process before left it.
    var image: [UInt8]?
    /// The store, while there is a process.
    var store: CoachStore?
    /// The app's own code about it, likewise.
    var coordinator: Guest<CoachAccountCoordinator>?
    /// How many of the billing service's news StoreKit knows; the purchase was made before the story begins.
    var knownNews = 0
}

// The account: what the app keeps in its store, and what the server is to have of it (AN-08, AN-09, AN-18).

extension CoachApp {
    /// Whether the user has signed in.
    var hasAccount: Bool { account.ledger != nil }

    /// The process opens the store.
    func openAccount(on stage: inout Stage) {
        guard let ledger = account.ledger else { return }
        let number = UInt32(account.others.count)
        let name = String(phone.seed("coach.store", number, on: stage), radix: 16)
        let opening = stored { try CoachStore.open(.image(account.image), newDevice: name) }
        let store = opening.store
        account.store = store
        let ids =
            stored { try store.records(of: CoachReflection.self).map(\.id) }
            + stored { try store.records(of: CoachInteraction.self).map(\.id) }
        let found = Set(ids.map(ledger.number(of:)))
        let form = StoreOpened(
            account: ledger.account,
            reports: Int64(ids.count),
            missing: Int64(account.kept.count { !found.contains($0) })
        )
        note(form, on: &stage)
        let machine = CoachAccountCoordinator(
            configuration: accountConfiguration,
            user: stored { try store.owner() },
            seeds: CoachAccountSeeds(
                reflections: phone.seed("coach.delivery", launchCount << 1, on: stage),
                metrics: phone.seed("coach.delivery", launchCount << 1 | 1, on: stage),
                entitlements: phone.seed("coach.entitlements", launchCount, on: stage),
                voice: phone.seed("coach.clone", launchCount, on: stage)
            )
        )
        account.coordinator = Guest(
            machine,
            of: self,
            .account,
            livesInProcess: true,
            at: stage.now
        ) { $0.perform($1, on: &$2) }
    }

    private var accountConfiguration: CoachAccountConfiguration {
        var configuration = CoachAccountConfiguration()
        configuration.subscription = subscription
        configuration.onboards = plan.onboards
        configuration.headphones = Self.confirmedHeadphones
        return configuration
    }

    /// The process runs: the account hears what the store and StoreKit have.
    func tellOfAccount(on stage: inout Stage) {
        guard let store = account.store else { return }
        var facts = CoachAccountFacts(at: wallTime(on: stage))
        facts.entitlement = stored { try store.entitlement() }
        facts.transaction = currentTransaction(on: stage)
        facts.othersTransactions = othersTransactions
        facts.session = account.session
        facts.voice = stored { try store.voiceProgress() }
        facts.onboarding = stored { try store.onboardingProgress() }
        tellAccount(.opened(facts), on: &stage)
    }

    func tellAccount(_ event: CoachAccountEvent, on stage: inout Stage) {
        account.coordinator?.tell(event, on: &stage)
    }

    /// The process is gone; its file stays as the last transaction left it.
    func closeAccount() {
        if let store = account.store { account.image = stored { try store.image() } }
        account.store = nil
        account.coordinator?.isAlive = false
        account.coordinator = nil
        vault.answers = []
        (preloading.asked, preloading.fetch) = (nil, nil)
    }

    /// The process runs again, or there is a network.
    func resumeAccount(on stage: inout Stage) {
        account.coordinator?.armWake(on: &stage)
        tellAccount(.pathRestored, on: &stage)
        askStoreKit(on: &stage)
    }

    // MARK: What is kept

    /// The user has spoken of the day, and the app keeps what came of it; what they said is an assumption.
    func reflect(on stage: inout Stage) {
        guard let store = account.store, phase == .running else { return }
        useAccess(on: &stage)
        let time = wallTime(on: stage)
        let report = ReflectionReport(
            id: "\(store.device)-\(person.nights)",
            day: zone.local(time).day.text,
            summary: "今日は朝の散歩に行けた。夕方は少し疲れた。",
            affect: "calm",
            topics: ["散歩", "仕事"]
        )
        // What the user would say to themselves, an assumption as all of it.
        let reflection = CoachReflection(report, phrases: ["約束したよね。", "今はやめておこう。"])
        stored { try store.save(reflection, at: time) }
        noteKept(report.id, isReflection: true, on: &stage)
        tellAccount(.outboxWritten(.reflections), on: &stage)
    }

    /// The app adds a fact to its analytics, in the transaction of the record that it comes with.
    func keep(_ fact: CoachFact, on stage: inout Stage) {
        guard let store = account.store, let event = MetricEvent(fact, of: store.device) else {
            return
        }
        stored { try store.save(CoachInteraction(event), at: wallTime(on: stage)) }
        noteKept(event.id, isReflection: false, on: &stage)
        tellAccount(.outboxWritten(.metrics), on: &stage)
    }

    private func noteKept(_ id: String, isReflection: Bool, on stage: inout Stage) {
        guard let ledger = account.ledger else { return }
        let number = ledger.number(of: id)
        account.kept.append(number)
        let form = ReportKept(
            account: ledger.account,
            report: number,
            isReflection: TraceFlag(isReflection)
        )
        note(form, on: &stage)
        noteMirrored(report: number, on: &stage)
    }

    // MARK: Summaries of what was talked about without the agent (AN-05)

    /// Has the account do something for the coach; without one nothing comes of it.
    func run(_ errand: CoachErrand, orAnswer answer: CoachEvent?, on stage: inout Stage) {
        if account.coordinator != nil { return tellAccount(.errand(errand), on: &stage) }
        if let answer { answerCoach(answer, on: &stage) }
    }

    /// Tells the coach what came of it.
    func answerCoach(_ event: CoachEvent, on stage: inout Stage) {
        if case .summaryAnswered = event {
            coordinator?.tell(event, on: &stage)
        } else {
            tell(event, on: &stage)
        }
    }

    /// Writes down which summaries the phone has kept, and which it no longer has to send.
    func noteSummaries(
        from former: OfflineRecord,
        to present: OfflineRecord,
        on stage: inout Stage
    ) {
        guard let ledger = account.ledger else { return }
        for summary in present.unsent
        where !former.unsent.contains(where: { $0.key == summary.key }) {
            let number = ledger.number(of: SummaryReport(summary).id)
            note(SummaryKept(account: ledger.account, report: number), on: &stage)
        }
        for summary in former.unsent
        where !present.unsent.contains(where: { $0.key == summary.key }) {
            noteSettled(SummaryReport(summary).id, isTaken: true, on: &stage)
        }
    }

    private func noteSettled(_ id: String, isTaken: Bool, on stage: inout Stage) {
        guard let ledger = account.ledger else { return }
        let form = ReportSettled(
            account: ledger.account,
            report: ledger.number(of: id),
            isTaken: TraceFlag(isTaken)
        )
        note(form, on: &stage)
    }

    // MARK: What the account orders

    private func perform(_ effect: CoachAccountEffect, on stage: inout Stage) {
        guard let ledger = account.ledger, let store = account.store else { return }
        switch effect {
        case .load(let outbox, let operation, let countMax):
            let batch = stored { try store.batch(of: outbox, countMax: countMax) }
            tellAccount(.loaded(outbox, operation, batch), on: &stage)
        case .mark(let outbox, let operation, let mark):
            stored { try store.mark(mark, in: outbox, at: wallTime(on: stage)) }
            for id in mark.taken { noteSettled(id, isTaken: true, on: &stage) }
            for refused in mark.rejected { noteSettled(refused.id, isTaken: false, on: &stage) }
            wantsMirroring(on: &stage)
            tellAccount(.marked(outbox, operation, isDone: true), on: &stage)
        case .claim(let user): stored { try store.claim(for: user) }
        case .openStore(let user): openStore(of: user, on: &stage)
        case .tellUser(let user): coordinator?.tell(.userChanged(user), on: &stage)
        case .callServer(let part, let own, let request, let session):
            if part == .voice { noteStep(.asksServer, on: &stage) }
            if case .presignWake = request { preloading.asked = own }
            let call = CoachCall(sender: part, own: own, request: request, bearer: session)
            carryBurst(on: &stage)
            self.call(call, CoachCall.operation(own, of: part), on: &stage)
        case .cancelCall(let part, let own):
            endCall(CoachCall.operation(own, of: part))
        case .download(let operation, let link): download(operation, from: link, on: &stage)
        case .cancelDownload: preloading.fetch = nil
        case .answerCoach(let event):
            if case .audioFetched(let operation, let answer) = event {
                noteFetched(operation, answer, on: &stage)
            }
            answerCoach(event, on: &stage)
        case .keepEntitlement(let record):
            let time = wallTime(on: stage)
            stored { try store.keep(record, at: time) }
        case .showAccess(let status):
            guard ledger.billing != nil else { return }
            let form = AccessShown(account: ledger.account, status: TraceWord(status.shown))
            note(form, on: &stage)
        case .voice(let effect): perform(effect, on: &stage)
        case .tellClone(let isAvailable):
            // Before the phone is known the coach is told with it.
            guard look.isKnown else { return }
            coordinator?.tell(.cloneChanged(isAvailable: isAvailable), on: &stage)
        case .onboarding(let effect): perform(effect, on: &stage)
        case .selfTalk(let effect): perform(effect, on: &stage)
        case .showLimits(let kinds):
            let mask = kinds.reduce(into: Int64(0)) { $0 |= 1 << LimitedUse($1).rawValue }
            note(LimitsShown(account: ledger.account, kinds: mask), on: &stage)
        // The user signs in again in the evening.
        case .showSignIn, .showDelivery: break
        }
    }

    func heard(_ response: HTTPResponseOrLoss, to call: CoachCall, on stage: inout Stage) {
        let answer: CoachAnswer =
            switch response {
            case .response(let response): CoachAnswer(response, to: call.request)
            case .lost, .offline: .failed
            }
        if case .limited(let count) = answer, let ledger = account.ledger {
            let use = TraceWord(LimitedUse(count.kind))
            note(LimitMet(account: ledger.account, use: use), on: &stage)
        }
        tellAccount(.serverAnswered(call.sender, call.own, answer), on: &stage)
    }

    func wallTime(on stage: borrowing Stage) -> WallTime {
        let now = stage.now
        return phone.seat.ask { $0.wallTime(at: now) }
    }

    /// A store in memory fails only by a mistake.
    @discardableResult
    func stored<Value>(_ body: () throws -> Value) -> Value {
        do { return try body() } catch {
            preconditionFailure("the store of \(name) failed: \(error)")
        }
    }
}

extension LimitedUse {
    fileprivate init(_ kind: UsageKind) {
        switch kind {
        case .voiceClones: self = .voiceClones
        case .reflections: self = .reflections
        case .metrics: self = .metrics
        case .wakeLinks: self = .wakeLinks
        }
    }
}

/// What the world knows of an account, which its phones share.
final class AccountLedger {
    /// Its number in the world, from 1.
    let account: Int64
    let user: String
    /// The account's subscription, if there is one.
    var billing: Billing?
    /// The mirror between its phones, and those.
    var mirror = MirrorDatabase()
    var phones: [CoachApp] = []
    /// The clocks of the edits that users made, by their numbers.
    var clocks: [Int64: Int64] = [:]
    private var editCount: Int64 = 0
    /// The numbers of reports, by their ids, from 1.
    private var numbers: [String: Int64] = [:]

    init(_ account: Int64, of user: String) { (self.account, self.user) = (account, user) }

    /// The number of the next edit.
    func nextEdit() -> Int64 {
        editCount += 1
        return editCount
    }

    /// The number of a report, which gets the next one if it is new.
    func number(of id: String) -> Int64 {
        let next = Int64(numbers.count + 1)
        if let number = numbers[id] { return number }
        numbers[id] = next
        return next
    }
}

/// Notes how often the app's own server has each report of each account.
final class AccountObserver: APIObserver {
    private typealias Times = [(id: String, times: Int64)]

    private unowned let api: APIService
    private let ledgers: AccountLedgers
    private var known: [Times] = []
    private var knownVoices: [VoiceAtServer?] = []

    init(_ ledgers: AccountLedgers, at api: APIService) {
        (self.ledgers, self.api) = (ledgers, api)
    }

    func served(_ client: SocketAddress?, on stage: inout Stage) {
        let book = api.server.coach
        for (index, ledger) in ledgers.all.enumerated() {
            if index == known.count {
                known.append([])
                knownVoices.append(nil)
            }
            reviewVoices(of: index, on: &stage)
            var present: Times = book.reflections(of: ledger.user).map { ($0.id, 1) }
            present += book.summaries(of: ledger.user).map { ($0.report.id, $0.times) }
            present += book.counts(of: ledger.user).map { ($0.event, $0.times) }
            let before = Dictionary(uniqueKeysWithValues: known[index].map { ($0.id, $0.times) })
            let now = Set(present.map(\.id))
            let gone = known[index].filter { !now.contains($0.id) }.map { ($0.id, Int64(0)) }
            known[index] = present
            for (id, times) in present + gone where before[id] != times {
                let form = ReportCounted(
                    account: ledger.account,
                    report: ledger.number(of: id),
                    times: times
                )
                stage.note(form, of: api.index)
            }
        }
    }

    private func reviewVoices(of index: Int, on stage: inout Stage) {
        let (book, ledger) = (api.server.coach, ledgers.all[index])
        let found = VoiceAtServer(
            account: ledger.account,
            voices: Int64(book.voices(of: ledger.user).count),
            hasRecording: TraceFlag(book.keepsRecordings(of: ledger.user))
        )
        let none = VoiceAtServer(account: ledger.account, voices: 0, hasRecording: TraceFlag(false))
        guard found != knownVoices[index] ?? none else { return }
        knownVoices[index] = found
        stage.note(found, of: api.index)
    }
}
