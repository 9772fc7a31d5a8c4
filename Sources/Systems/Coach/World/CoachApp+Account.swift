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
    /// The machine that asks.
    enum Sender: UInt32 {
        case reflections, metrics
    }

    let sender: Sender
    /// The machine's own number of it.
    let own: OperationID
    let request: CoachRequest
    let bearer: String

    var httpMessage: StreamMessage { HTTPRequest.coach(request, bearer: bearer).message }

    /// Its number among all requests of the app: those of the voice app stay below.
    static func operation(_ own: OperationID, of sender: Sender) -> OperationID {
        OperationID(number: own.number | (sender.rawValue + 1) << 28)
    }
}

/// What the app has of its user's account.
struct Account {
    /// The account's number in the world; `nil` if the app has none.
    var number: Int64?
    /// The session with the app's own server, kept in the keychain.
    var bearer = ""
    /// The store's file, as the process before left it.
    var image: [UInt8]?
    /// The store, while there is a process.
    var store: CoachStore?
    var reflections: Guest<OutboxDelivery>?
    var metrics: Guest<OutboxDelivery>?
}

// The account: what the app keeps in its store, and what the server is to have of it (AN-08, AN-09, AN-18).

extension CoachApp {
    /// Whether the user has signed in.
    var hasAccount: Bool { account.number != nil }

    /// The session begins, or begins anew; by assumption the user signs in where the app shows that they must.
    func signIn(on stage: inout Stage) {
        guard let user = plan.account, let token = api.signIn(user, at: stage.now) else { return }
        account.bearer = token
        account.reflections?.tell(.signedIn, on: &stage)
        account.metrics?.tell(.signedIn, on: &stage)
    }

    /// The process opens the store.
    func openAccount(on stage: inout Stage) {
        guard let number = account.number else { return }
        let name = String(phone.seed("coach.store", 0, on: stage), radix: 16)
        let opening = stored { try CoachStore.open(.image(account.image), newDevice: name) }
        let store = opening.store
        account.store = store
        let form = StoreOpened(
            account: number,
            reflections: Int64(stored { try store.records(of: CoachReflection.self) }.count),
            events: Int64(stored { try store.records(of: CoachInteraction.self) }.count)
        )
        note(form, on: &stage)
        account.reflections = delivery(of: .reflections, .reflections, on: &stage)
        account.metrics = delivery(of: .metrics, .metrics, on: &stage)
    }

    /// The process runs: what is in the outboxes goes out.
    func beginDeliveries(on stage: inout Stage) {
        account.reflections?.tell(.written, on: &stage)
        account.metrics?.tell(.written, on: &stage)
    }

    private func delivery(
        of outbox: OutboxDelivery.Outbox,
        _ sender: CoachCall.Sender,
        on stage: inout Stage
    ) -> Guest<OutboxDelivery> {
        let seed = phone.seed("coach.delivery", launchCount << 1 | sender.rawValue, on: stage)
        let word: Word = sender == .reflections ? .reflections : .metrics
        return Guest(
            OutboxDelivery(outbox, seed: seed),
            of: self,
            word,
            livesInProcess: true,
            at: stage.now
        ) { $0.perform($1, by: sender, on: &$2) }
    }

    /// The process is gone; its file stays as the last transaction left it.
    func closeAccount() {
        if let store = account.store { account.image = stored { try store.image() } }
        account.store = nil
        account.reflections?.isAlive = false
        account.metrics?.isAlive = false
        (account.reflections, account.metrics) = (nil, nil)
    }

    /// The process runs again, or there is a network.
    func resumeAccount(on stage: inout Stage) {
        account.reflections?.armWake(on: &stage)
        account.metrics?.armWake(on: &stage)
        account.reflections?.tell(.pathRestored, on: &stage)
        account.metrics?.tell(.pathRestored, on: &stage)
    }

    // MARK: What is kept

    /// The user has spoken of the day, and the app keeps what came of it; what they said is an assumption.
    func reflect(on stage: inout Stage) {
        guard let store = account.store, phase == .running else { return }
        let time = wallTime(on: stage)
        let report = ReflectionReport(
            id: "\(store.device)-\(person.nights)",
            day: zone.local(time).day.text,
            summary: "今日は朝の散歩に行けた。夕方は少し疲れた。",
            affect: "calm",
            topics: ["散歩", "仕事"]
        )
        stored { try store.save(CoachReflection(report), at: time) }
        noteKept(isReflection: true, on: &stage)
        account.reflections?.tell(.written, on: &stage)
    }

    /// The app adds a fact to its analytics, in the transaction of the record that it comes with.
    func keep(_ fact: CoachFact, on stage: inout Stage) {
        guard let store = account.store, let name = MetricEvent.Name(rawValue: fact.kind.rawValue)
        else { return }
        let key = fact.key.map { $0 == "/" ? "-" : $0 }
        let event = MetricEvent(id: "\(store.device)-\(String(key))", name: name, time: fact.time)
        stored { try store.save(CoachInteraction(event), at: wallTime(on: stage)) }
        noteKept(isReflection: false, on: &stage)
        account.metrics?.tell(.written, on: &stage)
    }

    private func noteKept(isReflection: Bool, on stage: inout Stage) {
        let form = ReportKept(account: account.number ?? 0, isReflection: TraceFlag(isReflection))
        note(form, on: &stage)
    }

    // MARK: What goes to the server

    private func perform(
        _ effect: OutboxDelivery.Effect,
        by sender: CoachCall.Sender,
        on stage: inout Stage
    ) {
        let machine = sender == .reflections ? account.reflections : account.metrics
        guard let store = account.store else { return }
        switch effect {
        case .load(let operation, let outbox, let countMax):
            let batch = stored { try store.batch(of: outbox, countMax: countMax) }
            machine?.tell(.loaded(operation, batch), on: &stage)
        case .mark(let operation, let outbox, let mark):
            stored { try store.mark(mark, in: outbox, at: wallTime(on: stage)) }
            let form = ReportsSettled(
                account: account.number ?? 0,
                isReflection: TraceFlag(outbox == .reflections),
                taken: Int64(mark.taken.count),
                rejected: Int64(mark.rejected.count)
            )
            note(form, on: &stage)
            machine?.tell(.marked(operation, isDone: true), on: &stage)
        case .callServer(let own, let request):
            let bearer = account.bearer
            let order = CoachCall(sender: sender, own: own, request: request, bearer: bearer)
            call(order, CoachCall.operation(own, of: sender), on: &stage)
        case .cancelCall(let own): endCall(CoachCall.operation(own, of: sender))
        case .show: break
        }
    }

    func heard(_ response: HTTPResponseOrLoss, to call: CoachCall, on stage: inout Stage) {
        let answer: CoachAnswer =
            switch response {
            case .response(let response): CoachAnswer(response, to: call.request)
            case .lost, .offline: .failed
            }
        let machine = call.sender == .reflections ? account.reflections : account.metrics
        machine?.tell(.serverAnswered(call.own, answer), on: &stage)
    }

    private func wallTime(on stage: borrowing Stage) -> WallTime {
        let now = stage.now
        return phone.seat.ask { $0.wallTime(at: now) }
    }

    /// A store in memory fails only by a mistake.
    @discardableResult
    private func stored<Value>(_ body: () throws -> Value) -> Value {
        do { return try body() } catch {
            preconditionFailure("the store of \(name) failed: \(error)")
        }
    }
}

extension LocalDay {
    /// The day as `YYYY-MM-DD`, in the Gregorian calendar.
    var text: String {
        // Years begin in March here, so that a leap day is the last of one.
        let days = Int(number) + 719_468
        let ofEra = days % 146_097
        let year = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let month = (5 * ofYear + 2) / 153
        let day = ofYear - (153 * month + 2) / 5 + 1
        let isNext = month >= 10
        func padded(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return String(days / 146_097 * 400 + year + (isNext ? 1 : 0)) + "-"
            + padded(month + (isNext ? -9 : 3)) + "-" + padded(day)
    }
}

/// Notes what the app's own server has of each account.
final class AccountObserver: APIObserver {
    private unowned let api: APIService
    private let users: [String]
    private var known: [(reflections: Int64, events: Int64)]

    init(_ users: [String], at api: APIService) {
        (self.users, self.api) = (users, api)
        known = Array(repeating: (0, 0), count: users.count)
    }

    func served(_ client: SocketAddress?, on stage: inout Stage) {
        let book = api.server.coach
        for (index, user) in users.enumerated() {
            let reflections = Int64(book.reflections(of: user).count)
            let events = MetricEvent.Name.allCases.reduce(0) { $0 + book.count(of: $1, of: user) }
            guard (reflections, events) != known[index] else { continue }
            known[index] = (reflections, events)
            let form = ReportsCounted(
                account: Int64(index + 1),
                reflections: reflections,
                events: events
            )
            stage.note(form, of: api.index)
        }
    }
}
