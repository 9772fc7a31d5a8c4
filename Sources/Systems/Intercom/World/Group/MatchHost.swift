import AppCoordination
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import PeerTransport
import SansIO

/// The match framework, as it runs in an app's process.
final class MatchHost: Host {
    @exclusivity(unchecked) var seat: Seat<MatchClient>
    private unowned(unsafe) let app: GroupApp
    private let configuration: MatchConfiguration
    private let random: RandomStream

    init(of app: GroupApp, _ configuration: MatchConfiguration, seed: UInt64) {
        self.app = app
        self.configuration = configuration
        random = RandomStream(seed: seed, purpose: "match", entity: app.phone.name)
        seat = Seat(
            MatchClient(
                configuration: configuration,
                player: UInt64(app.phone.host),
                random: random
            )
        )
    }

    /// Begins anew with the app's process.
    func restart(at now: Instant) {
        var random = random
        random.index = UInt64(app.launchCount) << 32
        let client = MatchClient(
            configuration: configuration,
            player: UInt64(app.phone.host),
            random: random
        )
        seat.restart(client, at: now)
    }

    var isAwake: Bool { app.isAwake }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        app.scheduleWake(.matchWake, at: instant, on: &stage)
    }

    /// The binding of the framework's effects.
    func perform(_ effect: MatchClientEffect, on stage: inout Stage) {
        switch effect {
        case .transmit(let message):
            guard let source = app.internetSocket else { return }
            let packet = Packet(
                from: source,
                to: app.matchSocket,
                wireBytes: message.wireBytes,
                .message(message)
            )
            stage.send(packet)
        case .connected(let connection, let player):
            app.connect(connection, to: UInt32(player), by: .internet, on: &stage)
        case .lost(let connection):
            app.disconnect(connection, by: .internet, on: &stage)
        case .failed:
            app.tell(.internetFailed, on: &stage)
        }
    }
}
