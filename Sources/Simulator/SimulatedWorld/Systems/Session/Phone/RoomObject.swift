import AppCoordination
import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios

/// A room object of the SDK on a phone, until its sockets are gone.
final class RoomObject: Host {
    /// Its number among all that ever lived on the phone; its ports are keyed by it.
    let serial: UInt32
    /// What the app calls it, within one launch.
    let id: RoomID
    /// The launch that made it.
    let launch: UInt32
    @exclusivity(unchecked) var seat: Seat<RoomClient>
    unowned(unsafe) let phone: SessionPhone

    init(
        _ client: RoomClient,
        _ id: RoomID,
        serial: UInt32,
        on phone: SessionPhone,
        at now: Instant
    ) {
        seat = Seat(client, at: now)
        self.id = id
        self.serial = serial
        self.phone = phone
        launch = phone.launchCount
    }

    var isAwake: Bool { phone.process != .suspended }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        phone.scheduleWake(.roomWake, serial, at: instant, on: &stage)
    }

    /// The binding of the room object's effects.
    func perform(_ effect: RoomClientEffect, on stage: inout Stage) {
        switch effect {
        case .callback(let callback):
            write(callback, on: &stage)
            guard launch == phone.launchCount else { return }
            phone.app?.tell(.room(id, callback), on: &stage)
        case .transmit(let packet):
            phone.transmit(packet, on: &stage)
        case .note(let note):
            write(note, on: &stage)
        }
    }

    func finishCall(on stage: inout Stage) {
        if seat.ask({ $0.isFinished }) { phone.roomObjects.removeAll { $0 === self } }
        phone.touchFlows(on: &stage)
    }

    /// What the room object tells the app, for the trace.
    private func write(_ callback: RoomCallback, on stage: inout Stage) {
        let number = Int64(serial)
        switch callback {
        case .connectFinished(_, let error):
            phone.note(ConnectEnded(room: number, error: error), on: &stage)
        case .connectionStateChanged(let state, from: _):
            phone.note(RoomStateChanged(room: number, state: state), on: &stage)
        case .disconnected(let error):
            phone.note(RoomDisconnected(room: number, error: error), on: &stage)
        default:
            // What else is told follows from these and from the object's notes.
            break
        }
    }

    private func write(_ note: RoomClientNote, on stage: inout Stage) {
        let number = Int64(serial)
        switch note {
        case .lossDetected(let cause):
            phone.note(LossDetected(room: number, cause: cause), on: &stage)
        case .attemptBegan(let attempt, let kind):
            let began = AttemptBegan(room: number, number: Int64(attempt), attempt: kind)
            phone.note(began, on: &stage)
        case .signalConnected:
            phone.note(AttemptSignalled(room: number), on: &stage)
        case .mediaConnected:
            phone.note(AttemptConnected(room: number), on: &stage)
        case .attemptEnded(let failure):
            phone.note(AttemptEnded(room: number, failure: failure), on: &stage)
        case .waiting(let duration):
            let length = duration.wholeNanoseconds
            phone.note(AttemptWaiting(room: number, durationNanoseconds: length), on: &stage)
        }
    }
}

extension SessionPhone {
    /// The latest room object that the running app calls `id`.
    func room(_ id: RoomID) -> RoomObject? {
        roomObjects.last { $0.id == id && $0.launch == launchCount }
    }

    /// Makes a room object for the app.
    func makeRoom(_ id: RoomID, on stage: inout Stage) {
        roomCount += 1
        let client = RoomClient(
            configuration: plan.sdk,
            room: id,
            server: rooms.signalling,
            portBase: UInt64(roomCount) * Self.portsPerRoom,
            seed: seed("room", roomCount, on: stage)
        )
        let room = RoomObject(client, id, serial: roomCount, on: self, at: stage.now)
        roomObjects.append(room)
        room.tell(.addressesChanged(addresses), on: &stage)
    }
}
