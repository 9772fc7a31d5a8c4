import AppServer
import ReplicaStore
import ReplicaSync
import SansIO
import SansIOTesting

/// Three phones of one user, the web and their server, face to face.
///
/// Real machines and files with a real server; between them a network and people in a few obvious
/// lines.
/// All is judged while it happens, from outside; the first fault ends the story.
final class Household {
    static let user = "mika"

    let seed: UInt64
    var random: LawRandom
    var now = Instant.zero
    var server: APIServer
    var phones: [HouseholdPhone] = []
    var web: HouseholdWeb
    var weather = HouseholdWeather()
    var history = PrimaryHistory()
    var writes: [HouseholdWrite] = []
    /// The texts of writes that were given up in the middle.
    var abandoned: [String] = []
    var keysDeleted: [String] = []
    var writeCount: Int64 = 0
    /// When something last moved that a household at rest does not move.
    var lastNews = Instant.zero
    var tally = HouseholdTally()
    /// What a plain reader is told, one thing a line; `nil` if nobody reads.
    var story: [String]?
    private(set) var faults: [String] = []
    private var queue: [Due] = []
    private var journal: [(at: Instant, who: String, what: Any)] = []
    private var steps = 0

    private struct Due {
        var at: Instant
        var cause: HouseholdCause
    }

    init(seed: UInt64, phones names: [String] = ["anna", "ben", "cleo"]) {
        self.seed = seed
        random = LawRandom(seed: seed)
        var settings = APIServerSettings()
        settings.sessionSecret = "a session's secret, of thirty-two bytes and more"
        server = APIServer(settings: settings, verifier: AppleAlone(), entropy: [1, 2, 3, 4])
        web = HouseholdWeb()
        web.session = signIn()
        for name in names {
            phones.append(HouseholdPhone(name: name, session: signIn()))
        }
    }

    /// The clock on the server's wall.
    var wall: WallTime {
        WallTime(secondsSince1970: 1_800_000_000).advanced(by: Instant.zero.duration(to: now))
    }

    private func signIn() -> String {
        let request = HTTPRequest.appleSignIn(identityToken: "apple says " + Self.user)
        return SessionResponse(json: server.respond(to: request, at: wall).body)?.token ?? ""
    }

    // MARK: Time

    func schedule(_ cause: HouseholdCause, after wait: Duration = .zero) {
        let at = now.advanced(by: wait)
        let place = queue.lastIndex { $0.at <= at }.map { $0 + 1 } ?? 0
        queue.insert(Due(at: at, cause: cause), at: place)
    }

    /// Tells a phone's machine something, if the process still lives then.
    func tell(_ index: Int, _ event: ReplicaEvent, after wait: Duration = .zero) {
        schedule(.tell(phone: index, process: phones[index].process, event), after: wait)
    }

    /// Lets time pass; everything due at `end` is done.
    func run(until end: Instant) {
        while faults.isEmpty {
            let sleeper = phones.indices.min { wakeTime(of: $0) < wakeTime(of: $1) }
            let wake = sleeper.map { wakeTime(of: $0) } ?? Self.never
            let due = queue.first?.at ?? Self.never
            let next = max(now, min(due, wake))
            guard next <= end else { break }
            steps += 1
            expect(steps < 60_000, "this never comes to rest")
            now = next
            if due <= wake {
                perform(queue.removeFirst().cause)
            } else if let sleeper {
                drive(sleeper, nil)
            }
        }
        if faults.isEmpty { now = max(now, end) }
    }

    func run(for span: Duration) {
        run(until: now.advanced(by: span))
    }

    private static let never = Instant(nanoseconds: .max)

    private func wakeTime(of index: Int) -> Instant {
        phones[index].driver?.deadline?.instant ?? Self.never
    }

    private func perform(_ cause: HouseholdCause) {
        switch cause {
        case .tell(let index, let process, let event):
            guard process == phones[index].process else { return }
            if case .serverAnswered(_, let answer) = event, answer != .failed,
                !phones[index].isOnline
            {
                return
            }
            // A process may die between any two events.
            guard !weather.isRough || random.below(250) > 0 else { return crashForAWhile(index) }
            drive(index, event)
        case .arrive(let index, let process, let operation, let request):
            arrive(request, operation, from: index, process)
        case .launch(let index, let isInterrupted):
            launch(index, isInterrupted: isInterrupted)
        }
    }

    // MARK: Telling

    func note(_ who: String, _ what: Any) {
        journal.append((now, who, what))
        if journal.count > 400 { journal.removeFirst(360) }
    }

    func say(_ line: @autoclosure () -> String) {
        if story != nil { story?.append(line()) }
    }

    func fault(_ fault: String) {
        faults.append("\(fault), at \(now.nanoseconds / 1_000_000) ms")
    }

    func expect(_ condition: Bool, _ what: @autoclosure () -> String) {
        if !condition { fault(what()) }
    }

    /// Does what must not fail.
    func attempt<Value>(_ what: String, _ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            fault("\(what): \(error)")
            return nil
        }
    }

    /// The seed, what broke, and the last 40 events before it.
    var account: String {
        let events = journal.suffix(40).map { entry in
            let what = "\(entry.what)".prefix(400)
            return "\(entry.at.nanoseconds / 1_000_000) ms \(entry.who): \(what)"
        }
        let head = "seed \(seed): \(faults.joined(separator: "; "))"
        return ([head] + events).joined(separator: "\n")
    }
}

/// What is to happen at a time.
enum HouseholdCause {
    case tell(phone: Int, process: Int, ReplicaEvent)
    case arrive(phone: Int, process: Int, OperationID, ReplicaRequest)
    case launch(phone: Int, isInterrupted: Bool)
}

/// What networks and processes do; calm unless said otherwise.
struct HouseholdWeather {
    /// How many requests are lost, and how many answers.
    var lossPercent = 0
    /// Whether answers may take up to 8 s, and processes die of themselves.
    var isRough = false
}

/// How often what is to be endured has happened.
struct HouseholdTally {
    var writes = 0
    var crashes = 0
    var answersLost = 0
    var snapshots = 0
    var rescues = 0
    var rescuesIncomplete = 0
    var interruptions = 0
    var migrations = 0
    var outdated = 0
    var failures = 0
}

/// Believes Apple, of one user.
private struct AppleAlone: CredentialVerifying {
    func passkey(assertion: String, at now: WallTime) -> VerifiedPasskey? { nil }

    func appleUser(identityToken: String, at now: WallTime) -> String? {
        identityToken == "apple says " + Household.user ? Household.user : nil
    }
}
