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
    unowned(unsafe) let app: SessionApp

    init(
        _ client: RoomClient,
        _ id: RoomID,
        serial: UInt32,
        of app: SessionApp,
        at now: Instant
    ) {
        seat = Seat(client, at: now)
        self.id = id
        self.serial = serial
        self.app = app
        launch = app.launchCount
    }

    var isAwake: Bool { app.phase != .suspended }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        app.scheduleWake(.roomWake, serial, at: instant, on: &stage)
    }

    /// The binding of the room object's effects.
    func perform(_ effect: RoomClientEffect, on stage: inout Stage) {
        switch effect {
        case .callback(let callback):
            write(callback, on: &stage)
            guard launch == app.launchCount else { return }
            app.process?.tell(.room(id, callback), on: &stage)
        case .transmit(let packet):
            stage.send(packet)
        case .note(let note):
            write(note, on: &stage)
        }
    }

    func finishCall(on stage: inout Stage) {
        if seat.ask({ $0.isFinished }) { app.roomObjects.removeAll { $0 === self } }
        app.touchFlows(on: &stage)
    }

    /// What the room object tells the app, for the trace.
    private func write(_ callback: RoomCallback, on stage: inout Stage) {
        let number = Int64(serial)
        switch callback {
        case .connectFinished(_, let error):
            app.note(ConnectEnded(room: number, error: error), on: &stage)
        case .connectionStateChanged(let state, from: _):
            app.note(RoomStateChanged(room: number, state: state), on: &stage)
        case .disconnected(let error):
            app.note(RoomDisconnected(room: number, error: error), on: &stage)
        default:
            // What else is told follows from these and from the object's notes.
            break
        }
    }

    private func write(_ note: RoomClientNote, on stage: inout Stage) {
        let number = Int64(serial)
        switch note {
        case .lossDetected(let cause):
            app.note(LossDetected(room: number, cause: cause), on: &stage)
        case .attemptBegan(let attempt, let kind):
            let began = AttemptBegan(room: number, number: Int64(attempt), attempt: kind)
            app.note(began, on: &stage)
        case .signalConnected:
            app.note(AttemptSignalled(room: number), on: &stage)
        case .mediaConnected:
            app.note(AttemptConnected(room: number), on: &stage)
        case .attemptEnded(let failure):
            app.note(AttemptEnded(room: number, failure: failure), on: &stage)
        case .waiting(let duration):
            let length = duration.wholeNanoseconds
            app.note(AttemptWaiting(room: number, durationNanoseconds: length), on: &stage)
        }
    }
}

extension SessionApp {
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
            portBase: firstPort + UInt64(roomCount) * Self.portsPerRoom,
            seed: phone.seed("room", roomCount, on: stage)
        )
        let room = RoomObject(client, id, serial: roomCount, of: self, at: stage.now)
        roomObjects.append(room)
        room.tell(.addressesChanged(phone.addresses), on: &stage)
    }
}
