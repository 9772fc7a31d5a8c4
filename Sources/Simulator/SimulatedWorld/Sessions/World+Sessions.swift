import AppCoordination
import Evidence
import Models
import RealtimeVoice
import SansIO
import SansIOTesting
import Scenarios
import Simulation

/// An event on its way to a machine at the present instant.
enum SessionInput {
    case app(phone: Int, VoiceAppEvent)
    case system(phone: Int, PhoneSystemEvent)
    case room(phone: Int, serial: UInt32, RoomClientEvent)
    case request(phone: Int, OperationID, StreamEvent)
    case rooms(RoomServerEvent)
    case agent(Int, VoiceAgentEvent)
    case apiConnection(SocketAddress, StreamEvent)
}

extension World {
    /// Delivers an event and all that arises from it, run to completion.
    mutating func sendSession(_ input: SessionInput, at now: Instant) {
        sessionInbox.append(input)
        drainSessions(at: now)
    }

    mutating func drainSessions(at now: Instant) {
        var next = 0
        while next < sessionInbox.count {
            let input = sessionInbox[next]
            next += 1
            drive(input, at: now)
        }
        sessionInbox.removeAll(keepingCapacity: true)
    }

    private mutating func drive(_ input: SessionInput, at now: Instant) {
        switch input {
        case .app(let phone, let event): driveApp(phones[phone], event, at: now)
        case .system(let phone, let event): driveSystem(phones[phone], event, at: now)
        case .room(let phone, let serial, let event):
            driveRoom(phones[phone], serial, event, at: now)
        case .request(let phone, let operation, let event):
            driveRequest(phones[phone], operation, event, at: now)
        case .rooms(let event): driveRooms(event, at: now)
        case .agent(let place, let event): driveAgent(place, event, at: now)
        case .apiConnection(let client, let event): driveAPI(client, event, at: now)
        }
    }

    /// Wakes whatever in a phone is due; an early entry is put back (law L2), and one that was
    /// overtaken by an earlier one is dropped.
    mutating func wakePhone(_ place: Int, at now: Instant) {
        let phone = phones[place]
        guard phone.pendingWake == now else { return }
        phone.pendingWake = nil
        if phone.system.isDue(at: now) { driveSystem(phone, nil, at: now) }
        if !phone.isSuspended {
            if phone.app?.isDue(at: now) == true { driveApp(phone, nil, at: now) }
            for room in phone.rooms where room.client.isDue(at: now) {
                driveRoom(phone, room.serial, nil, at: now)
            }
            for request in phone.requests where request.stream.isDue(at: now) {
                driveRequest(phone, request.operation, nil, at: now)
            }
        }
        drainSessions(at: now)
        armWake(of: phone, at: now)
    }

    /// Keeps one wake entry per phone, however often its deadlines move.
    mutating func armWake(of phone: SessionPhone, at now: Instant) {
        guard let deadline = phone.deadline else { return }
        let due = max(deadline, now)
        if let pending = phone.pendingWake, pending <= due { return }
        phone.pendingWake = due
        queue.push(
            .phoneWake(phone: UInt16(phone.place)),
            at: phone.wakeSource.key(at: due)
        )
    }

    /// Wakes whatever at the servers' site is due.
    mutating func wakeSite(at now: Instant) {
        guard let site, site.pendingWake == now else { return }
        site.pendingWake = nil
        spokenTo.removeAll(keepingCapacity: true)
        if site.rooms.isDue(at: now) { driveRooms(nil, at: now) }
        for client in site.dueAPIClients(at: now) { driveAPI(client, nil, at: now) }
        drainSessions(at: now)
        armSiteWake(at: now)
        // A timer of the servers' changes a phone's voice only if it makes them speak to it.
        for place in spokenTo { reviewFlows(of: phones[place], at: now) }
    }

    /// Keeps one wake entry for the site.
    mutating func armSiteWake(at now: Instant) {
        guard let site, let deadline = site.deadline else { return }
        let due = max(deadline, now)
        if let pending = site.pendingWake, pending <= due { return }
        site.pendingWake = due
        queue.push(.siteWake, at: site.wakeSource.key(at: due))
    }

    /// Schedules a delivery of a phone's own.
    mutating func schedule(_ delivery: Delivery, of phone: SessionPhone, at instant: Instant) {
        queue.push(delivery, at: phone.ownSource.key(at: instant))
    }

    /// Writes a record about a phone.
    mutating func write(
        _ kind: TraceKind,
        _ phone: SessionPhone,
        _ values: SIMD4<Int64> = .zero,
        at now: Instant
    ) {
        log.write(TraceRecord(kind, at: now, of: phone.component, values))
    }
}
