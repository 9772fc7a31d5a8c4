import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import PeerTransport
import SansIO

/// The framework for phones nearby, as it runs in an app's process.
final class NearbyHost: Host {
    @exclusivity(unchecked) var seat: Seat<NearbySession>
    private unowned(unsafe) let app: GroupApp
    private let configuration: NearbyConfiguration
    private let random: RandomStream
    /// What the phone shows to all who listen, as the trace has it.
    private var shown: (info: [UInt8], session: UInt64)?

    init(of app: GroupApp, _ configuration: NearbyConfiguration, seed: UInt64) {
        self.app = app
        self.configuration = configuration
        random = RandomStream(seed: seed, purpose: "nearby", entity: app.phone.name)
        seat = Seat(
            NearbySession(configuration: configuration, host: app.phone.host, random: random)
        )
    }

    /// Begins anew with the app's process.
    func restart(isRadioOn: Bool, at now: Instant) {
        // Each launch draws from a stretch of its own.
        var random = random
        random.index = UInt64(app.launchCount) << 32
        var session = NearbySession(
            configuration: configuration,
            host: app.phone.host,
            random: random
        )
        if !isRadioOn {
            _ = session.drive(.radioChanged(isOn: false), at: now)
        }
        seat.restart(session, at: now)
    }

    var isAwake: Bool { app.isAwake }

    func finishCall(on stage: inout Stage) { reviewShown(on: &stage) }

    /// Writes down what the phone shows to all who listen, if that has changed.
    func reviewShown(on stage: inout Stage) {
        let shown = isAwake ? seat.ask { $0.shown } : nil
        guard shown?.info != self.shown?.info || shown?.session != self.shown?.session else {
            return
        }
        self.shown = shown
        let sign = (shown?.info ?? []).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        let form = SignShown(
            sign: Int64(bitPattern: sign),
            number: Int64(bitPattern: shown?.session ?? 0)
        )
        app.note(form, on: &stage)
    }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        app.scheduleWake(.nearbyWake, at: instant, on: &stage)
    }

    /// The binding of the framework's effects.
    func perform(_ effect: NearbyEffect, on stage: inout Stage) {
        switch effect {
        case .transmit(let message, let host):
            for other in app.others where host == nil || other.host == host {
                guard let direction = other.direction else { continue }
                let packet = Packet(
                    from: .peer(app.phone.index, app: app.id),
                    to: other.socket,
                    wireBytes: message.wireBytes,
                    .message(message)
                )
                stage.send(packet, by: direction)
            }
        case .connected(let connection, let host):
            app.connect(connection, to: host, by: .local, on: &stage)
        case .lost(let connection, _):
            app.disconnect(connection, by: .local, on: &stage)
        }
    }
}
