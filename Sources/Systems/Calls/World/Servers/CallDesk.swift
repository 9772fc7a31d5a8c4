import AppServer
import IncomingCalls
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaWorld
import SansIO
import TextFormats

/// What the deployment knows of calls: their numbers in the trace, the apps behind users and tokens, and
/// how each call stands at the server, which is the truth that phones are measured against.
final class CallDesk: APIObserver {
    unowned(unsafe) let api: APIService
    private unowned var provider: PushSender?
    private(set) var apps: [CallApp] = []
    /// The apps by their push tokens, in lower-case hexadecimal digits.
    private var byToken: [String: CallApp] = [:]
    private var numbers: [String: Int64] = [:]
    private var byRoom: [String: Int64] = [:]
    private var byNotification: [UniqueID: Int64] = [:]
    /// Each user's apps, in the order of their phones.
    private var byUser: [String: [CallApp]] = [:]
    /// Each user's own apps, and those of everybody whom they have had a call with, in the order of their phones.
    private var mates: [String: [CallApp]] = [:]
    /// How the server had each call when it last changed.
    private var standings: [String: CallStanding] = [:]
    /// The app that placed each call.
    private var callers: [String: CallApp] = [:]
    /// What was written last of each call that is not over.
    private var open: [Int64: CallStanding.State] = [:]

    init(of api: APIService) {
        self.api = api
    }

    /// Joins the desk to the provider of its pushes.
    func join(_ provider: PushSender) {
        self.provider = provider
    }

    // MARK: Who is who

    func add(_ app: CallApp) {
        apps.append(app)
        byUser[app.plan.user, default: []].append(app)
    }

    /// The apps that may be in a room with an app: of its user, and of those whom they have had a call with.
    func mates(of app: CallApp) -> [CallApp] {
        mates[app.plan.user] ?? byUser[app.plan.user] ?? []
    }

    private func join(_ user: String, with other: String) {
        var all = mates[user] ?? byUser[user] ?? []
        let more = (byUser[other] ?? []).filter { app in !all.contains { $0 === app } }
        guard !more.isEmpty else { return }
        all += more
        mates[user] = all.sorted { $0.index.index < $1.index.index }
    }

    /// The app on a device.
    func app(on device: PushDeviceID) -> CallApp? {
        apps.first { $0.phone.courier?.device == device }
    }

    func app(ofToken token: String) -> CallApp? { byToken[token] }

    /// The first app of a user's.
    private func app(of user: String) -> CallApp? { byUser[user]?.first }

    /// The app of a user's on the phone that asks the server.
    private func app(of user: String, at client: SocketAddress) -> CallApp? {
        byUser[user]?.first { $0.phone.host == client.address.host }
    }

    /// A device got a token.
    func keep(_ token: [UInt8], of device: PushDeviceID) {
        guard let app = app(on: device), let text = DeviceToken(token)?.text else { return }
        byToken[text] = app
        app.token = text
    }

    func forgetDevice(token: String, deadSince death: WallTime) {
        api.server.forgetDevice(token: token, deadSince: death)
    }

    /// The server learns what became of a push.
    func pushFinished(
        _ callId: String,
        _ token: String,
        _ outcome: PushOutcome,
        on stage: inout Stage
    ) {
        let now = api.wallTime(at: stage.now)
        api.server.pushFinished(callId: callId, deviceToken: token, outcome, at: now)
        served(on: &stage)
    }

    // MARK: Calls

    /// A call's number in the trace: calls are numbered as they are first heard of.
    func number(of callId: String) -> Int64 {
        if let number = numbers[callId] { return number }
        let number = Int64(numbers.count + 1)
        numbers[callId] = number
        return number
    }

    /// How the server has a call; `nil` before it has heard of it.
    func standing(of callId: String) -> CallStanding? { standings[callId] }

    /// The call that meets in a room.
    func call(inRoom room: String) -> Int64? { byRoom[room] }

    /// A push for a call was sent by this identity.
    func keep(_ id: UniqueID, for call: Int64) { byNotification[id] = call }

    func call(ofNotification id: UniqueID) -> Int64? { byNotification[id] }

    /// Tells the app on a phone by a background notification that the call placed last is over.
    func signalEnd(at phone: String, _ reason: CallEndReason, on stage: inout Stage) {
        let placed = standings.keys.max { number(of: $0) < number(of: $1) }
        guard let placed, let app = apps.first(where: { $0.phone.name == phone }) else { return }
        app.hearEnd(of: placed, reason, on: &stage)
    }

    /// A push with a payload of somebody's own for the app on a phone.
    func order(for phone: String, payload: String, at now: Instant) -> PushOrder? {
        guard let app = apps.first(where: { $0.phone.name == phone }), let token = app.token else {
            return nil
        }
        let json = try? JSONReader.read(payload.utf8)
        return PushOrder(
            callId: json?["callId"]?.string ?? "payload-\(now.nanoseconds)",
            deviceToken: token,
            topic: CallSystem.topic,
            expiresAt: api.wallTime(at: now).advanced(by: .seconds(30)),
            payload: payload
        )
    }

    /// The server was asked something, or a call's time is over: writes down what became of calls, and
    /// hands on what is to be pushed.
    ///
    /// A call is the app's that had the server know it, whatever other phones its user has.
    func served(_ client: SocketAddress? = nil, on stage: inout Stage) {
        let now = api.wallTime(at: stage.now)
        for standing in api.server.takeCallChanges(at: now) {
            if standings[standing.callId] == nil {
                let user = standing.caller
                let caller = client.flatMap { app(of: user, at: $0) }
                callers[standing.callId] = caller ?? app(of: user)
            }
            write(standing, at: now, on: &stage)
        }
        for command in api.server.takePushCommands() {
            provider?.tell(.commanded(command), on: &stage)
        }
    }

    private func write(_ standing: CallStanding, at now: WallTime, on stage: inout Stage) {
        // Given up before the server had it: it was placed with nobody.
        guard standing.callee != standing.caller else { return }
        let isNew = standings[standing.callId] == nil
        let call = number(of: standing.callId)
        byRoom[standing.room] = call
        standings[standing.callId] = standing
        let caller = callers[standing.callId]?.index ?? .none
        if isNew {
            join(standing.caller, with: standing.callee)
            join(standing.callee, with: standing.caller)
            stage.note(CallPlaced(call: call), of: api.index, about: caller)
            open[call] = .ringing
            let left = standing.expiresAt.nanosecondsSince1970 - now.nanosecondsSince1970
            provider?.reviewCalls(after: .nanoseconds(max(0, left) + 1), on: &stage)
        }
        guard let former = open[call], former != standing.state else { return }
        open[call] = standing.state
        switch standing.state {
        case .ringing:
            break
        case .answered:
            stage.note(CallTaken(call: call), of: api.index, about: caller)
        case .ended(let name):
            let reason = CallEndReason(rawValue: name).map(CallEnding.init) ?? .failed
            stage.note(
                CallOver(call: call, reason: TraceWord(reason)),
                of: api.index,
                about: caller
            )
            open[call] = nil
        }
    }
}
