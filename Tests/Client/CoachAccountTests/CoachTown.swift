import AppServer
import CoachAccount
import CoachExchange
import CoachStore
import ReplicaStore
import SansIO
import SansIOTesting

/// One phone and the server, face to face: real machines, a real store and the real server, between
/// them a link in memory that loses, delays and repeats, drawn from a seed.
final class CoachTown {
    static let user = "mika"

    var random: LawRandom
    var server: APIServer
    var store: CoachStore
    var now = Instant.zero
    var session = ""
    /// How many of a hundred requests or answers are lost.
    var lossPercent = 0
    /// What secure storage and the disk hold.
    var recordingKey: AudioKey?
    var voiceKey: AudioKey?
    var recording: [UInt8]?
    /// Before which step the process ends, counted from 1.
    var killAt: Int?
    private(set) var steps = 0
    private(set) var requests = 0

    init(seed: UInt64, _ change: (inout APIServerSettings) -> Void = { _ in }) throws {
        random = LawRandom(seed: seed)
        var settings = APIServerSettings()
        settings.sessionSecret = "a session's secret, of thirty-two bytes and more"
        settings.sessionTimeToLive = .seconds(100 * 86_400)
        settings.coach.recordingBytesPerSecond = 4
        change(&settings)
        server = APIServer(settings: settings, verifier: AppleAlone(), entropy: [1, 2, 3])
        store = try CoachStore.open(.image(nil), newDevice: "phone").store
        session = signIn(Self.user)
    }

    /// The clock on the wall, the server's too.
    var wall: WallTime { time(1_800_000_000).advanced(by: Instant.zero.duration(to: now)) }

    func signIn(_ user: String) -> String {
        let request = HTTPRequest.appleSignIn(identityToken: user)
        return SessionResponse(json: server.respond(to: request, at: wall).body)?.token ?? ""
    }

    func ask(_ request: CoachRequest) -> CoachAnswer {
        requests += 1
        let http = HTTPRequest.coach(request, bearer: session)
        return CoachAnswer(server.respond(to: http, at: wall), to: request)
    }

    /// What comes back of a request over the link, which may come twice or never.
    func send(_ request: CoachRequest) -> CoachAnswer {
        if random.chance(percent: lossPercent) { return .failed }
        var answer = ask(request)
        if random.chance(percent: lossPercent) { answer = ask(request) }
        return random.chance(percent: lossPercent) ? .failed : answer
    }

    /// Drives a machine until it rests; at `killAt` its process ends and another begins.
    func run<Machine: StateMachine>(
        _ make: () throws -> (Machine, [Machine.Event]),
        until end: Duration = .seconds(40 * 86_400),
        perform: (Machine.Effect) throws -> Machine.Event?
    ) throws -> Machine {
        var (machine, first) = try make()
        var events = first
        let limit = now.advanced(by: end)
        while true {
            let effects: [Machine.Effect]
            if !events.isEmpty {
                effects = machine.drive(events.removeFirst(), at: now)
            } else if let due = machine.deadline?.instant, due <= limit {
                now = max(now, due)
                effects = machine.drive(nil, at: now)
            } else {
                return machine
            }
            for effect in effects {
                steps += 1
                if steps == killAt {
                    (machine, events) = try make()
                    break
                }
                now = now.advanced(by: .milliseconds(20))
                if let event = try perform(effect) { events.append(event) }
            }
        }
    }
}

struct AppleAlone: CredentialVerifying {
    func passkey(assertion: String, at now: WallTime) -> VerifiedPasskey? { nil }
    func appleUser(identityToken: String, at now: WallTime) -> String? { identityToken }
}

func time(_ seconds: Int64) -> WallTime { WallTime(secondsSince1970: seconds) }
