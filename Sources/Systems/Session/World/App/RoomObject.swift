import AppCoordination
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
package import KodamaWorld
package import RealtimeVoice
package import SansIO

/// A room object of the SDK on a phone, until its sockets are gone.
package final class RoomObject: Host {
    /// Its number among all that ever lived on the phone; its ports are keyed by it.
    package let serial: UInt32
    /// What the app calls it, within one launch.
    package let id: RoomID
    /// Which of the lines that the app uses side by side it belongs to.
    package let line: UInt8
    /// The launch that made it.
    package let launch: UInt32
    @exclusivity(unchecked) package var seat: Seat<RoomClient>
    package unowned(unsafe) let app: any RoomUser
    /// What it stood on when it was looked at last.
    private var footing: RoomFooting?
    /// By which radios its signal connection goes.
    @exclusivity(unchecked) var subflows = SignalSubflows()
    /// A socket of its whose packets something in the middle drops both ways.
    var forgottenSocket: SocketAddress?
    /// Whether the app has left the room, and will not connect the object again.
    private var isLeft = false

    package init(
        _ client: RoomClient,
        _ id: RoomID,
        line: UInt8,
        serial: UInt32,
        of app: any RoomUser,
        at now: Instant
    ) {
        seat = Seat(client, at: now)
        self.id = id
        self.line = line
        self.serial = serial
        self.app = app
        launch = app.launchCount
    }

    /// Whether the room was left, and its sockets are gone.
    var isOver: Bool { isLeft && seat.ask { $0.isQuiet } }

    package var isAwake: Bool { app.phase != .suspended }

    package func scheduleWake(at instant: Instant, on stage: inout Stage) {
        app.scheduleWake(of: self, at: instant, on: &stage)
    }

    /// The app orders something of the room object.
    package func obey(_ command: RoomCommand, on stage: inout Stage) {
        let number = Int64(serial)
        switch command {
        case .connect:
            app.note(ConnectBegan(room: number), on: &stage)
        case .disconnect:
            app.note(RoomLeft(room: number, manner: TraceWord(.disconnect)), on: &stage)
            isLeft = true
        case .release:
            app.note(RoomLeft(room: number, manner: TraceWord(.letGo)), on: &stage)
        case .create, .setMicrophone, .startRenderer, .stopRenderer, .resume:
            break
        }
        tell(.command(command), on: &stage)
    }

    /// The binding of the room object's effects.
    package func perform(_ effect: RoomClientEffect, on stage: inout Stage) {
        switch effect {
        case .callback(let callback):
            write(callback, on: &stage)
            guard launch == app.launchCount else { return }
            app.heard(callback, from: self, on: &stage)
        case .transmit(let packet):
            guard !isForgotten(packet.source, packet) else { return }
            stage.send(packet)
            sendBesides(packet, on: &stage)
        case .note(let note):
            write(note, on: &stage)
        }
    }

    /// Whether a packet of a socket of its is dropped on the way.
    func isForgotten(_ socket: SocketAddress, _ packet: Packet) -> Bool {
        guard let forgottenSocket, forgottenSocket == socket, case .stream = packet.content else {
            return false
        }
        return true
    }

    package func finishCall(on stage: inout Stage) {
        if seat.ask({ $0.isFinished }) { app.roomObjects.removeAll { $0 === self } }
        let footing = seat.ask { $0.footing }
        if footing != self.footing {
            self.footing = footing
            app.footingChanged(on: &stage)
        }
        app.touchFlows(on: &stage)
    }

    /// What the room object tells the app, for the trace.
    private func write(_ callback: RoomCallback, on stage: inout Stage) {
        let number = Int64(serial)
        switch callback {
        case .connectFinished(_, let error):
            app.note(ConnectEnded(room: number, error: TraceWord(error)), on: &stage)
        case .connectionStateChanged(let state, from: _):
            app.note(RoomStateChanged(room: number, state: TraceWord(state)), on: &stage)
        case .disconnected(let error):
            app.note(RoomDisconnected(room: number, error: TraceWord(error)), on: &stage)
        default:
            // What else is told follows from these and from the object's notes.
            break
        }
    }

    private func write(_ note: RoomClientNote, on stage: inout Stage) {
        let number = Int64(serial)
        switch note {
        case .lossDetected(let cause):
            app.note(LossDetected(room: number, cause: TraceWord(cause)), on: &stage)
        case .attemptBegan(let attempt, let kind):
            let began = AttemptBegan(room: number, number: Int64(attempt), attempt: TraceWord(kind))
            app.note(began, on: &stage)
        case .signalConnected:
            app.note(AttemptSignalled(room: number), on: &stage)
        case .mediaConnected:
            app.note(AttemptConnected(room: number), on: &stage)
        case .attemptEnded(let failure):
            app.note(AttemptEnded(room: number, failure: TraceWord(failure)), on: &stage)
        case .waiting(let duration):
            let length = duration.wholeNanoseconds
            app.note(AttemptWaiting(room: number, durationNanoseconds: length), on: &stage)
        }
    }
}
