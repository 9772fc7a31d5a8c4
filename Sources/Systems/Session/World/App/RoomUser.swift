import KodamaEvidence
package import KodamaNetwork
import KodamaPhone
package import KodamaWorld
package import RealtimeVoice
package import SansIO

/// An app that joins rooms of the room server: it holds room objects of the SDK, and asks the app's own
/// server.
package protocol RoomUser: APIUser, Reviewed {
    /// The model of the SDK in it.
    var sdk: RoomClientConfiguration { get }
    /// What the seeds of its room objects are drawn for.
    var roomPurpose: StaticString { get }
    var rooms: RoomService { get }
    /// The room objects, also those that were let go of and still close their sockets.
    var roomObjects: [RoomObject] { get set }
    /// How many room objects there were.
    var roomCount: UInt32 { get set }
    /// Its microphone, encoder and ear, where voices are real.
    var roomSound: RoomSound? { get }

    /// A room object of the present launch tells the app something.
    func heard(_ callback: RoomCallback, from room: RoomObject, on stage: inout Stage)
    /// A frame of its voice has reached the agent of its room.
    func reachedAgent(_ frame: MediaFrame, on stage: inout Stage)
    /// Whether voice flows may have changed.
    func touchFlows(on stage: inout Stage)
    /// A room object stands on something else.
    func footingChanged(on stage: inout Stage)
    /// Schedules a wake of a room object.
    func scheduleWake(of room: RoomObject, at instant: Instant, on stage: inout Stage)
}

/// The ports of an app that joins rooms, counted from the app's first.
package enum RoomPorts {
    /// Room object `n` has the ports from n · 65,536 on.
    package static let perRoom: UInt64 = 65_536
    /// Requests have ports above those of every room object.
    package static let firstRequest: UInt64 = 1 << 59
    /// Probes have ports above those of every request.
    package static let firstProbe = firstRequest + 1 << 58
}

extension RoomUser {
    package var roomSound: RoomSound? { nil }
    package func footingChanged(on stage: inout Stage) {}
    package func reachedAgent(_ frame: MediaFrame, on stage: inout Stage) {}

    /// Makes a room object for the app; `line` tells apart those that the app uses side by side.
    package func makeRoom(_ id: RoomID, line: UInt8 = 0, on stage: inout Stage) {
        roomCount += 1
        let client = RoomClient(
            configuration: sdk,
            room: id,
            server: rooms.signalling,
            portBase: firstPort + UInt64(roomCount) * RoomPorts.perRoom,
            seed: phone.seed(roomPurpose, roomCount, on: stage)
        )
        let room = RoomObject(client, id, line: line, serial: roomCount, of: self, at: stage.now)
        forgetRooms()
        roomObjects.append(room)
        room.tell(.addressesChanged(phone.addresses), on: &stage)
    }

    /// Forgets the room objects that were left, but for the last ones: packets may still be on their way.
    private func forgetRooms() {
        let over = roomObjects.indices.filter { roomObjects[$0].isOver }
        for index in over.dropLast(4).reversed() { roomObjects.remove(at: index) }
    }

    /// The latest room object that the running app calls `id`.
    package func room(_ id: RoomID, line: UInt8 = 0) -> RoomObject? {
        roomObjects.last { $0.id == id && $0.line == line && $0.launch == launchCount }
    }

    /// What the app keeps in the keychain.
    package func stored(_ key: SecureKey) -> String? { stored(key.account) }

    package func addressesChanged(on stage: inout Stage) {
        tellRooms(.addressesChanged(phone.addresses), on: &stage)
    }

    package func socketsFailed(_ address: NetworkAddress, on stage: inout Stage) {
        tellRooms(.socketsFailed(address), on: &stage)
        failCalls(from: address, on: &stage)
    }

    /// Lets room objects and requests go on as the process that holds them does, `process` first.
    package func resume(_ process: (some Host)?, on stage: inout Stage) {
        tellRooms(.addressesChanged(phone.addresses), on: &stage)
        process?.armWake(on: &stage)
        for room in roomObjects { room.armWake(on: &stage) }
        armCalls(on: &stage)
    }

    /// The process is gone: its sockets are closed by the system.
    package func closeSockets(on stage: inout Stage) {
        endCalls()
        tellRooms(.command(.release), on: &stage)
    }

    package func tellRooms(_ event: RoomClientEvent, on stage: inout Stage) {
        for room in roomObjects { room.tell(event, on: &stage) }
    }

    /// The room object that has a port.
    func room(at port: UInt64) -> RoomObject? {
        guard port - firstPort < RoomPorts.firstRequest else { return nil }
        let serial = UInt32(truncatingIfNeeded: (port - firstPort) / RoomPorts.perRoom)
        return roomObjects.first { $0.serial == serial }
    }

    /// Gives a packet to the room object or request whose port it came to, if there is one.
    package func deliver(_ packet: Packet, on stage: inout Stage) {
        let port = packet.destination.port - firstPort
        guard port < RoomPorts.firstRequest else { return deliverToCall(packet, on: &stage) }
        guard let room = room(at: packet.destination.port),
            !room.isForgotten(packet.destination, packet)
        else { return }
        room.hear(.packet(room.received(packet)), on: &stage)
    }
}
