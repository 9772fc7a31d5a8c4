package import KodamaNetwork
package import KodamaPhone
import KodamaSimulation
package import SansIO

/// The system's connection to the push service, one for all apps: it is kept open, whatever the apps do,
/// and opened again when it is lost.
///
/// Apple documents the port and the single connection (support article "Use Apple products on enterprise
/// networks"); the waits between attempts are an assumption.
package final class PushCourier: Host {
    @exclusivity(unchecked) package var seat = Seat(StreamConnection(role: .client, looksUp: true))
    package unowned(unsafe) let phone: Phone
    /// The address at which the push service accepts connections.
    private let service: SocketAddress
    /// The topic of each app.
    private let topics: [AppID: String]
    /// The socket of the present connection.
    private var source: SocketAddress?
    private var connectionCount: UInt64 = 0
    private var failures = 0
    private var retryIsPending = false
    /// Apps that wait for a token, and those whose next one the push service sends unasked.
    private var tokensWanted: [AppID] = []
    private var tokensExpected: [AppID] = []
    /// The instant until which no token is asked for, by app.
    private var tokensHeld: [AppID: Instant] = [:]

    /// The waits after failures in a row.
    private static let retryDelays: [Duration] = [
        .seconds(1), .seconds(2), .seconds(5), .seconds(15), .seconds(30),
    ]

    package init(of phone: Phone, to service: SocketAddress, topics: [AppID: String]) {
        self.phone = phone
        self.service = service
        self.topics = topics
        let names = RandomStream(seed: 0, purpose: "push device", entity: phone.name)
        device = PushDeviceID(number: UInt32(truncatingIfNeeded: names.bits(at: 0)))
    }

    /// The phone's name to the push service: it follows from the phone's own, so that no other phone
    /// changes what the service draws for it.
    package let device: PushDeviceID

    package func scheduleWake(at instant: Instant, on stage: inout Stage) {
        phone.schedule(.courierWake, at: instant, by: &phone.wakeSource, on: &stage)
    }

    /// Opens a connection from the system's preferred address, if there is none.
    package func connect(on stage: inout Stage) {
        retryIsPending = false
        guard source == nil, let address = phone.addresses.first else { return }
        connectionCount += 1
        let port = Phone.systemPort << Phone.appPortShift + connectionCount
        source = SocketAddress(address: address, port: port)
        seat.restart(StreamConnection(role: .client, looksUp: true), at: stage.now)
        tell(.open, on: &stage)
        send(.hello(device), on: &stage)
        requestTokens(on: &stage)
    }

    /// Asks for the tokens that apps wait for, if there is a connection.
    package func requestTokens(on stage: inout Stage) {
        guard source != nil else { return }
        for app in tokensWanted { sendTokenRequest(for: app, on: &stage) }
        for app in tokensExpected where !tokensWanted.contains(app) {
            sendTokenRequest(for: app, on: &stage)
        }
    }

    /// Asks for no token of an app's for a while.
    package func holdToken(of app: AppID, for duration: Duration, on stage: inout Stage) {
        let end = stage.now.advanced(by: duration)
        tokensHeld[app] = end
        phone.schedule(.courierAsks, at: end, by: &phone.ownSource, on: &stage)
    }

    /// An app wants a token for VoIP pushes.
    package func requestToken(for app: AppID, on stage: inout Stage) {
        guard !tokensWanted.contains(app) else { return }
        tokensWanted.append(app)
        if source != nil { sendTokenRequest(for: app, on: &stage) }
    }

    /// The push service replaces an app's token and sends the new one by itself: it is asked for by the next
    /// connection, if this one is lost before it comes.
    package func expectToken(of app: AppID) {
        if !tokensExpected.contains(app) { tokensExpected.append(app) }
    }

    private func sendTokenRequest(for app: AppID, on stage: inout Stage) {
        guard let topic = topics[app], isAsking(for: app, at: stage.now) else { return }
        send(.tokenRequest(topic: topic), on: &stage)
    }

    /// Whether an app's token is asked for, and not held back.
    private func isAsking(for app: AppID, at now: Instant) -> Bool {
        tokensHeld[app] ?? .zero <= now
    }

    /// The phone's addresses have changed: a connection from one that is gone is lost.
    package func reviewAddress(on stage: inout Stage) {
        if let source, !phone.addresses.contains(source.address) {
            self.source = nil
            failures = 0
        }
        connect(on: &stage)
    }

    /// A packet reaches the connection.
    package func receive(_ packet: Packet, on stage: inout Stage) {
        guard case .stream(let segment) = packet.content, packet.destination == source else {
            return
        }
        hear(.received(segment), on: &stage)
    }

    package func perform(_ effect: StreamEffect, on stage: inout Stage) {
        switch effect {
        case .transmit(let segment, let wireBytes):
            guard let source else { return }
            stage.send(
                Packet(from: source, to: service, wireBytes: wireBytes, .stream(segment))
            )
        case .opened: failures = 0
        case .delivered(let message):
            guard let frame = message.content as? PushFrame else { return }
            heard(frame, on: &stage)
        case .closed: retry(on: &stage)
        }
    }

    private func heard(_ frame: PushFrame, on stage: inout Stage) {
        switch frame {
        case .notification(let notification):
            send(.acknowledgement(notification.id), on: &stage)
            guard let app = app(of: notification.topic) else { return }
            phone.apps[app.index].received(notification, on: &stage)
            phone.tell(.pushArrived(app, payload: notification.payload), on: &stage)
        case .token(let topic, let token):
            // One that comes while none is asked for was on its way when the system took it back.
            guard let app = app(of: topic), isAsking(for: app, at: stage.now) else { return }
            tokensWanted.removeAll { $0 == app }
            tokensExpected.removeAll { $0 == app }
            phone.tell(.pushTokenIssued(app, token), on: &stage)
        case .hello, .tokenRequest, .acknowledgement:
            return
        }
    }

    private func app(of topic: String) -> AppID? {
        phone.apps.lazy.map(\.id).first { self.topics[$0] == topic }
    }

    private func retry(on stage: inout Stage) {
        source = nil
        guard !retryIsPending else { return }
        retryIsPending = true
        let delay = Self.retryDelays[min(failures, Self.retryDelays.count - 1)]
        failures += 1
        let instant = stage.now.advanced(by: delay)
        phone.schedule(.courierRetry, at: instant, by: &phone.ownSource, on: &stage)
    }

    private func send(_ frame: PushFrame, on stage: inout Stage) {
        tell(.send(frame.message), on: &stage)
    }
}
