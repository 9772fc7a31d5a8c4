import AppServer
import KodamaBackend
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import RealtimeVoice
import SansIO

/// The push service: connections to phones on one side, to the app server's push provider on the other.
final class PushServer: Component, Host, StreamService {
    /// What the push service schedules.
    enum Word: UInt8 {
        /// The service wants to be woken.
        case wake
        /// A connection to a phone, by its number, wants to be woken.
        case streamWake
        /// Something from the provider, by its number, arrives.
        case arrives
        /// A notification for an idle phone, by its number, has paged it.
        case paged
    }

    let name = CallServicesPlan.pushName
    let index: ComponentIndex
    @exclusivity(unchecked) var seat: Seat<PushService>
    unowned(unsafe) let desk: CallDesk
    private var listener: StreamListener?
    private var provider: PushSender?
    /// The connections of phones that gave their names, the latest of each.
    private var streams: [PushDeviceID: AcceptedStream] = [:]
    private var devices: [UInt32: PushDeviceID] = [:]
    /// What is on its way from the provider, and to phones that are being paged.
    private var arriving = Waiting<PushService.Event>()
    private var paging = Waiting<(PushNotification, PushDeviceID)>()
    /// How often each app's phone was paged for it, and what its pagings are drawn from.
    private var pagings: [PushDeviceID: UInt64] = [:]
    private let seed: UInt64
    @exclusivity(unchecked) private var wakeSource: EventSource
    @exclusivity(unchecked) private var ownSource: EventSource

    init(
        _ settings: PushServiceSettings,
        in setting: Setting,
        index: ComponentIndex,
        desk: CallDesk
    ) {
        let service = PushService(
            settings: settings,
            clock: WallClock(showing: setting.plan.wallClock),
            seed: RandomStream(seed: setting.seed, purpose: "push", entity: "service").bits(at: 0)
        )
        seat = Seat(service)
        self.index = index
        self.desk = desk
        seed = setting.seed
        wakeSource = EventSource(rank: DeliveryRank.wake, component: Int(index.index))
        ownSource = EventSource(rank: DeliveryRank.server, component: Int(index.index))
        listener = StreamListener(for: self, at: socket)
    }

    /// Joins the service to the provider whose requests it answers.
    func join(_ provider: PushSender) {
        self.provider = provider
    }

    /// Where phones connect.
    var socket: SocketAddress {
        SocketAddress(address: NetworkAddress(ofServer: index), port: 5_223)
    }

    func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        switch word {
        case .wake: awaken(on: &stage)
        case .streamWake: listener?.wake(argument, on: &stage)
        case .arrives: hear(arriving.take(argument), on: &stage)
        case .paged:
            let (notification, device) = paging.take(argument)
            send(.notification(notification), to: device, on: &stage)
        }
    }

    func receive(_ packet: Packet, on stage: inout Stage) {
        listener?.receive(packet, on: &stage)
    }

    func undergo(_ act: any SystemAct, on stage: inout Stage) {
        switch act as? PushAct {
        case .service(let fault): hear(.fault(fault), on: &stage)
        case .invalidateToken(let phone):
            guard let device = device(of: phone) else { return }
            noteToken(of: phone, on: &stage)
            if let app = app(on: phone) { app.phone.courier?.expectToken(of: app.id) }
            hear(.tokenInvalidated(device, topic: CallSystem.topic), on: &stage)
        case .withdrawToken(let phone):
            guard let device = device(of: phone) else { return }
            noteToken(of: phone, on: &stage)
            hear(.appRemoved(device, topic: CallSystem.topic), on: &stage)
        case .payload, .endSignal, nil:
            preconditionFailure("the plan does \(act) to the push service")
        }
    }

    private func noteToken(of phone: String, on stage: inout Stage) {
        guard let app = app(on: phone) else { return }
        stage.note(PushTokenReplaced(), of: index, about: app.index)
    }

    private func device(of phone: String) -> PushDeviceID? { app(on: phone)?.phone.courier?.device }

    private func app(on phone: String) -> CallApp? { desk.apps.first { $0.phone.name == phone } }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        schedule(.wake, at: instant, by: &wakeSource, on: &stage)
    }

    func scheduleWake(of stream: AcceptedStream, at instant: Instant, on stage: inout Stage) {
        schedule(.streamWake, stream.number, at: instant, by: &wakeSource, on: &stage)
    }

    /// Something leaves the provider for the service.
    func send(_ event: PushService.Event, on stage: inout Stage) {
        let number = arriving.add(event)
        let instant = stage.now.advanced(by: CallSystem.serverDelay)
        schedule(.arrives, number, at: instant, by: &ownSource, on: &stage)
    }

    // MARK: Phones

    func received(_ message: StreamMessage, by stream: AcceptedStream, on stage: inout Stage) {
        guard let frame = message.content as? PushFrame else { return }
        switch frame {
        case .hello(let device):
            devices[stream.number] = device
            streams[device] = stream
            tell(.deviceConnected(device), on: &stage)
        case .tokenRequest(let topic):
            guard let device = devices[stream.number] else { return }
            tell(.tokenRequested(device, topic: topic), on: &stage)
        case .acknowledgement(let id):
            guard let device = devices[stream.number] else { return }
            tell(.acknowledged(device, id), on: &stage)
        case .token, .notification:
            return
        }
    }

    func closed(_ stream: AcceptedStream, on stage: inout Stage) {
        guard let device = devices.removeValue(forKey: stream.number), streams[device] === stream
        else { return }
        streams[device] = nil
        tell(.deviceDisconnected(device), on: &stage)
    }

    private func send(_ frame: PushFrame, to device: PushDeviceID, on stage: inout Stage) {
        streams[device]?.tell(.send(frame.message), on: &stage)
    }

    // MARK: The binding

    func perform(_ effect: PushService.Effect, on stage: inout Stage) {
        switch effect {
        case .opened(let connection):
            provider?.answer(.connectionOpened(connection), on: &stage)
        case .ponged(let connection):
            provider?.answer(.pingAnswered(connection), on: &stage)
        case .closed(let connection):
            provider?.answer(.connectionClosed(connection), on: &stage)
        case .answer(let response, let operation, on: _):
            provider?.answered(operation, response, on: &stage)
            provider?.answer(.answered(operation, response), on: &stage)
        case .deliver(let notification, to: let device):
            deliver(notification, to: device, on: &stage)
        case .issueToken(let device, let topic, let token):
            desk.keep(token, of: device)
            send(.token(topic: topic, token), to: device, on: &stage)
        case .discarded(let id, let device, let reason):
            guard let app = desk.app(on: device), let call = desk.call(ofNotification: id) else {
                return
            }
            let dropped = PushDropped(call: call, reason: TraceWord(PushLoss(reason)))
            stage.note(dropped, of: index, about: app.index)
        }
    }

    /// Sends a notification to a phone, which has to be paged if its radio is idle.
    private func deliver(
        _ notification: PushNotification,
        to device: PushDeviceID,
        on stage: inout Stage
    ) {
        guard let app = desk.app(on: device) else { return }
        // By the app's own name and count: what befalls other phones is nothing to this one.
        var random = RandomStream(seed: seed, purpose: "paging", entity: app.name)
        random.index = pagings[device, default: 0]
        pagings[device, default: 0] += 1
        let delay = Paging.delay(of: app.phone, at: stage.now, drawing: random)
        let number = paging.add((notification, device))
        schedule(.paged, number, at: stage.now.advanced(by: delay), by: &ownSource, on: &stage)
    }
}

/// What waits for a delivery that carries its number.
struct Waiting<Thing> {
    private var things: [UInt32: Thing] = [:]
    /// How many were ever added.
    private var count: UInt32 = 0

    mutating func add(_ thing: Thing) -> UInt32 {
        things[count] = thing
        count += 1
        return count - 1
    }

    mutating func take(_ number: UInt32) -> Thing {
        guard let thing = things.removeValue(forKey: number) else {
            preconditionFailure("\(number) is delivered twice")
        }
        return thing
    }
}

/// How long a phone whose radio sleeps takes to be reached.
enum Paging {
    /// A phone sleeps so long after its last packet: 12 s, the tail of LTE in the RRC-Probe data of the
    /// artifact of "A Variegated Look at 5G in the Wild" (SIGCOMM 2021).
    private static let idleAfter = Duration.seconds(12)
    /// Over a cellular radio: the round trip to an idle phone in the same data, median 0.81 to 1.02 s, 95th
    /// percentile 1.54 to 1.63 s, less one to a connected phone.
    private static let cellular = LatencyLaw(
        median: .milliseconds(800),
        sigmaMillionths: 350_000
    )
    /// Over Wi-Fi: up to a beacon interval with a delivery message, some 100 ms (IEEE 802.11, power save);
    /// the spread is an assumption.
    private static let wifi = LatencyLaw(median: .milliseconds(100), sigmaMillionths: 500_000)

    static func delay(of phone: Phone, at now: Instant, drawing random: RandomStream) -> Duration {
        if let heardAt = phone.heardAt, heardAt.duration(to: now) < idleAfter { return .zero }
        var random = random
        let isCellular = phone.addresses.first?.interface == NetworkInterface.cellular.rawValue
        return random.latency(isCellular ? cellular : wifi)
    }
}

extension PushLoss {
    /// What the push service calls it.
    fileprivate init(_ reason: PushDiscardReason) {
        switch reason {
        case .expired: self = .expired
        case .superseded: self = .superseded
        case .notStored: self = .notStored
        case .appRemoved: self = .appRemoved
        }
    }
}
