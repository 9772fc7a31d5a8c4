import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import SansIO

/// The match service in the Internet: it makes matches, and passes data on.
final class MatchServer: Component, Host {
    /// What the service schedules.
    enum Word: UInt8 {
        /// The machine wants to be woken.
        case wake
        /// Data, by slot, has been on its way through the service for long enough.
        case forward
    }

    let name = MatchServer.serverName
    let index: ComponentIndex
    @exclusivity(unchecked) var seat: Seat<MatchService>
    /// Data on its way through the service.
    @exclusivity(unchecked) private var passing = PacketTable()
    @exclusivity(unchecked) private var wakeSource: EventSource
    @exclusivity(unchecked) private var ownSource: EventSource

    /// Its name in the trace.
    static let serverName = "match"

    init(in setting: Setting, index: ComponentIndex) {
        self.index = index
        let random = RandomStream(seed: setting.seed, purpose: "match", entity: Self.serverName)
        seat = Seat(MatchService(configuration: setting.plan.match, random: random))
        wakeSource = EventSource(rank: DeliveryRank.wake, component: Int(index.index))
        ownSource = EventSource(rank: DeliveryRank.server, component: Int(index.index))
    }

    /// Where players reach it; data comes to the port of its connection.
    static func socket(_ index: ComponentIndex, connection: UInt64 = 0) -> SocketAddress {
        SocketAddress(address: NetworkAddress(ofServer: index), port: connection)
    }

    func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        switch word {
        case .wake: awaken(on: &stage)
        case .forward: forward(passing.release(argument), on: &stage)
        }
    }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        schedule(.wake, at: instant, by: &wakeSource, on: &stage)
    }

    func receive(_ packet: Packet, on stage: inout Stage) {
        switch packet.content {
        case .message(let message as MatchMessage):
            hear(.received(message, from: packet.source), on: &stage)
        case .datagram(let handle): relay(packet, handle, on: &stage)
        case .stream, .stun, .dtls, .media, .message: break
        }
    }

    /// The binding of the service's effects.
    func perform(_ effect: MatchServiceEffect, on stage: inout Stage) {
        switch effect {
        case .transmit(let message, let player):
            let packet = Packet(
                from: Self.socket(index),
                to: player,
                wireBytes: message.wireBytes,
                .message(message)
            )
            stage.send(packet)
        }
    }

    /// A player's data reaches the service.
    private func relay(_ packet: Packet, _ handle: DatagramHandle, on stage: inout Stage) {
        let label = stage.network.datagrams.label(of: handle.slot)
        let byteCount = Int(label.wireBytes) - IntercomApp.lowerHeaderBytes
        let connection = packet.destination.port
        let now = stage.now
        let relay = seat.ask { $0.relay(byteCount, by: connection, from: packet.source, at: now) }
        switch relay {
        case .passes(let player, let delay):
            var onward = packet
            onward.source = Self.socket(index, connection: connection)
            onward.destination = player
            let slot = passing.take(onward)
            schedule(.forward, slot, at: now.advanced(by: delay), by: &ownSource, on: &stage)
        case .refused(let refusal):
            let refused = MatchRefused(reason: TraceWord(refusal), bytes: Int64(byteCount))
            stage.note(refused, of: index, about: label.provenance.device)
            stage.network.discard(packet)
        }
    }

    private func forward(_ packet: Packet, on stage: inout Stage) {
        stage.send(packet)
    }
}
