import AppCoordination
import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios
import Simulation

extension World {
    /// Gives a room object of the SDK an event, or wakes it.
    mutating func driveRoom(
        _ phone: SessionPhone,
        _ serial: UInt32,
        _ event: RoomClientEvent?,
        at now: Instant
    ) {
        guard let place = phone.rooms.firstIndex(where: { $0.serial == serial }) else { return }
        let room = phone.rooms[place]
        let perform = { (world: inout World, effect: RoomClientEffect) in
            world.perform(effect, room, of: phone, at: now)
        }
        room.client.drive(event, at: now) { perform(&self, $0) }
        if room.client.ask({ $0.isFinished }) { phone.rooms.remove(at: place) }
        armWake(of: phone, at: now)
    }

    /// The binding of a room object's effects.
    private mutating func perform(
        _ effect: RoomClientEffect,
        _ room: SessionPhone.RoomObject,
        of phone: SessionPhone,
        at now: Instant
    ) {
        switch effect {
        case .callback(let callback):
            note(callback, room, of: phone, at: now)
            guard room.launch == phone.launchCount else { return }
            sessionInbox.append(.app(phone: phone.place, .room(room.id, callback)))
        case .transmit(let packet):
            transmit(packet, from: phone, at: now)
        case .note(let note):
            write(note, room, of: phone, at: now)
        }
    }

    /// What a room object tells the app, for the trace.
    private mutating func note(
        _ callback: RoomCallback,
        _ room: SessionPhone.RoomObject,
        of phone: SessionPhone,
        at now: Instant
    ) {
        let number = Int64(room.serial)
        switch callback {
        case .connectFinished(_, let error):
            write(.connectEnded, phone, SIMD4(number, error?.rawValue ?? -1, 0, 0), at: now)
        case .connectionStateChanged(let state, from: _):
            write(.roomStateChanged, phone, SIMD4(number, state.rawValue, 0, 0), at: now)
        case .disconnected(let error):
            write(.roomDisconnected, phone, SIMD4(number, error?.rawValue ?? -1, 0, 0), at: now)
        default:
            // What else is told follows from these and from the object's notes.
            break
        }
    }

    private mutating func write(
        _ note: RoomClientNote,
        _ room: SessionPhone.RoomObject,
        of phone: SessionPhone,
        at now: Instant
    ) {
        let number = Int64(room.serial)
        switch note {
        case .lossDetected(let cause):
            write(.lossDetected, phone, SIMD4(number, cause.rawValue, 0, 0), at: now)
        case .attemptBegan(let attempt, let kind):
            let values = SIMD4(number, Int64(attempt), kind.rawValue, 0)
            write(.attemptBegan, phone, values, at: now)
        case .signalConnected:
            write(.attemptSignalled, phone, SIMD4(number, 0, 0, 0), at: now)
        case .mediaConnected:
            write(.attemptConnected, phone, SIMD4(number, 0, 0, 0), at: now)
        case .attemptEnded(let failure):
            write(.attemptEnded, phone, SIMD4(number, failure?.rawValue ?? -1, 0, 0), at: now)
        case .waiting(let duration):
            let values = SIMD4(number, duration.wholeNanoseconds, 0, 0)
            write(.attemptWaiting, phone, values, at: now)
        }
    }
}
