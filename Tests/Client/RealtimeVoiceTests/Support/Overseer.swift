import RealtimeVoice
import SansIO

/// Watches a session from outside: what it is told and what it orders, never its state.
///
/// Each broken promise is a sentence in `complaints`.
struct Overseer {
    private enum Wish { case none, uponFront, now }

    private(set) var complaints: [String] = []
    private(set) var connects = 0

    private var wish = Wish.none
    private var phase: ScenePhase?
    /// The requests for a token in flight: the latest, and late ones.
    private var tokenRequests: [OperationID] = []
    /// Room objects that were not let go of, in the order in which they were made.
    private(set) var rooms: [RoomID] = []
    private var latestRoom = RoomID(number: 0)
    private var connecting: [RoomID: OperationID] = [:]
    private var connected: RoomID?
    /// The latest room object whose SDK joined anew by itself.
    private var rejoining: RoomID?
    private var rendering: [RoomID] = []
    private var microphones: [RoomID: (operation: OperationID, since: Instant)] = [:]
    private var isHandedOver = false
    private var shown = SessionStatus(.disconnected)
    /// Until when an eviction may come from a join that was given up.
    private var strayJoinUntil: Instant?
    /// Whether the latest event is such an eviction: the session may take it for another device's.
    private var mayEnd = false

    /// The latest two probes.
    private var probes: [Instant] = []

    private let leaveOn: LeaveRule
    /// Whether the latest event may leave a room.
    private var mayLeave = false

    init(leaveOn: LeaveRule) {
        self.leaveOn = leaveOn
    }

    /// The connect that is in flight, if one is.
    var openConnect: (RoomID, OperationID)? {
        connecting.keys.min { $0.number < $1.number }.flatMap { room in
            connecting[room].map { (room, $0) }
        }
    }
    /// The token request that is in flight, if one is.
    var openRequest: OperationID? { tokenRequests.last }
    /// The microphone order of a room that is in flight, if one is.
    func openMicrophone(of room: RoomID) -> OperationID? { microphones[room]?.operation }

    /// Takes what the session is told, before it is.
    mutating func tell(_ event: RealtimeSession.Event, at now: Instant) {
        mayLeave = false
        mayEnd = false
        switch event {
        case .connectRequested:
            wish = .now
        case .becameReady:
            if wish != .now { wish = phase.map(forbids) ?? false ? .uponFront : .now }
        case .disconnectRequested:
            wish = .none
            mayLeave = true
            strayJoinUntil = nil
        case .scenePhaseChanged(let phase):
            changePhase(to: phase)
        case .apiAnswered(let operation, _):
            guard let open = tokenRequests.firstIndex(of: operation) else { return }
            tokenRequests.remove(at: open)
        case .room(let room, let callback):
            hear(room, callback, at: now)
        case .pathChanged, .clockChanged, .muteChanged, .audioAccessChanged, .probeAnswered:
            return
        }
    }

    private func forbids(_ phase: ScenePhase) -> Bool {
        switch leaveOn {
        case .inactive: phase != .active
        case .background: phase == .background
        case .never: false
        }
    }

    private mutating func changePhase(to new: ScenePhase) {
        defer { phase = new }
        if new == .active {
            if wish == .uponFront { wish = .now }
        } else if new.rawValue > (phase ?? .inactive).rawValue, forbids(new) {
            mayLeave = true
            if wish == .now { wish = .uponFront }
            strayJoinUntil = nil
        }
    }

    private mutating func hear(_ room: RoomID, _ callback: RoomCallback, at now: Instant) {
        guard rooms.contains(room) else { return }
        switch callback {
        case .connectFinished(let operation, let error):
            guard connecting[room] == operation else { return }
            connecting[room] = nil
            if let error { note(error, at: now) } else { connected = room }
            if error == .timedOut { strayJoinUntil = now.advanced(by: .seconds(60)) }
        case .disconnected(let error):
            connecting[room] = nil
            if connected == room { connected = nil }
            if let error { note(error, at: now) }
        case .reconnecting:
            rejoining = room
        case .microphoneFinished(let operation, _):
            if microphones[room]?.operation == operation { microphones[room] = nil }
        default:
            return
        }
    }

    private mutating func note(_ error: RoomError, at now: Instant) {
        switch error {
        case .duplicateIdentity:
            if let until = strayJoinUntil, now < until {
                strayJoinUntil = nil
                mayEnd = true
            } else {
                wish = .none
            }
        case .participantRemoved, .roomDeleted:
            wish = .none
            strayJoinUntil = nil
        default:
            return
        }
    }

    /// Takes what a session ordered in one call, in order.
    mutating func see(_ effects: [RealtimeSession.Effect], at now: Instant) {
        effects.forEach { see($0, at: now) }
        if rooms.count > 1 { complain("\(rooms.count) room objects at a time") }
    }

    private mutating func see(_ effect: RealtimeSession.Effect, at now: Instant) {
        switch effect {
        case .callAPI(let operation, _):
            if tokenRequests.count == 3 { complain("a fourth token request") }
            if wish != .now { complain("a token request that nobody wanted") }
            tokenRequests.append(operation)
        case .cancelAPI(let operation):
            if !tokenRequests.contains(operation) {
                complain("a cancelled request that is not open")
            }
            tokenRequests.removeAll { $0 == operation }
        case .probe:
            probes.append(now)
            if probes.count > 2, probes.removeFirst().duration(to: now) < .seconds(1) {
                complain("a third probe within a second")
            }
        case .room(let room, let command):
            see(room, command, at: now)
        case .statusChanged(let status):
            if status == shown { complain("a status shown twice") }
            if status.isConnected, connected == nil {
                complain("a status of \(status.stage) without a connected room object")
            }
            if mayEnd, status.stage == .takenOver { wish = .none }
            shown = status
        case .handOverOffline:
            if isHandedOver { complain("a second hand-over") }
            isHandedOver = true
        case .takeBackOnline:
            if !isHandedOver { complain("a take-back without a hand-over") }
            isHandedOver = false
        case .endOffline:
            if !isHandedOver { complain("an end without a hand-over") }
            if wish == .now, !mayEnd { complain("an end of a conversation that is wanted") }
            isHandedOver = false
        case .signInRequired, .deviceIdentityRefused:
            wish = .none
            strayJoinUntil = nil
        case .writeLog:
            return
        }
    }

    private mutating func see(_ room: RoomID, _ command: RoomCommand, at now: Instant) {
        if case .create = command {
            if room.number <= latestRoom.number { complain("\(room) made twice") }
            latestRoom = room
            if wish != .now { complain("a room object that nobody wanted") }
            return rooms.append(room)
        }
        guard rooms.contains(room) else {
            return complain("\(command) to \(room), which is not there")
        }
        switch command {
        case .create:
            return
        case .connect(let operation, _, _, _):
            if !connecting.isEmpty { complain("a second connect in flight") }
            connects += 1
            connecting[room] = operation
        case .setMicrophone(let operation, _):
            if connected != room { complain("a microphone of a room that is not connected") }
            if let order = microphones[room], order.since.duration(to: now) < .seconds(10) {
                complain("a second microphone order in flight")
            }
            microphones[room] = (operation, now)
        case .startRenderer:
            if rendering.contains(room) { complain("a renderer started twice") }
            rendering.append(room)
        case .stopRenderer:
            if !rendering.contains(room) { complain("a renderer stopped that does not run") }
            rendering.removeAll { $0 == room }
        case .disconnect:
            if !mayLeave { complain("a leave that nobody asked for") }
            end(room)
        case .resume:
            if connected != room { complain("a resume of a room that is not connected") }
        case .release:
            if connecting[room] != nil || rejoining == room {
                strayJoinUntil = now.advanced(by: .seconds(60))
            }
            end(room)
        }
    }

    private mutating func end(_ room: RoomID) {
        if rendering.contains(room) { complain("a room object ended while its renderer runs") }
        rooms.removeAll { $0 == room }
        microphones[room] = nil
        connecting[room] = nil
        if connected == room { connected = nil }
    }

    private mutating func complain(_ what: String) {
        complaints.append(what)
    }
}
