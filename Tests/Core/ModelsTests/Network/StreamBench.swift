@testable import KodamaNetwork
@testable import KodamaSession
@testable import KodamaSimulation
import SansIO

/// Two sides of a stream and the link between them, run to completion.
struct StreamBench {
    /// Something one side told its owner.
    struct Report: Equatable {
        var isClient: Bool
        var effect: StreamEffect
        var time: Instant
    }

    var client: StreamConnection
    var server = StreamConnection(role: .server)
    var up: Link
    var down: Link
    /// What both sides told their owners.
    private(set) var reports: [Report] = []
    /// When the client sent what, of how many bytes.
    private(set) var clientSent: [(kind: StreamSegment.Kind, bytes: Int, time: Instant)] = []
    /// Whether the server answers each message with one of its own.
    var echoes = false
    private var flying: [Flight] = []
    private var flights = 0
    private(set) var now = Instant.zero

    private struct Flight {
        var arrival: Instant
        var order: Int
        var toClient: Bool
        var segment: StreamSegment
    }

    init(
        _ direction: LinkDirection,
        looksUp: Bool = false,
        delaysFirstMessage: Bool = false,
        seed: UInt64 = 1
    ) {
        client = StreamConnection(
            role: .client,
            looksUp: looksUp,
            delaysFirstMessage: delaysFirstMessage
        )
        up = Link(direction, seed: seed, name: "bench up")
        down = Link(direction, seed: seed, name: "bench down")
    }

    /// Tells one side something now.
    mutating func tell(client isClient: Bool, _ event: StreamEvent) {
        call(isClient, event)
    }

    /// Runs until `end`.
    mutating func run(until end: Duration) {
        let end = Instant.zero.advanced(by: end)
        while let next = nextTime, next <= end {
            now = max(now, next)
            step()
        }
        now = end
    }

    private var nextTime: Instant? {
        let wakes = [client.deadline?.instant, server.deadline?.instant].compactMap(\.self)
        return (flying.map(\.arrival) + wakes).min()
    }

    private mutating func step() {
        if let place = flying.indices.min(by: {
            (flying[$0].arrival, flying[$0].order) < (flying[$1].arrival, flying[$1].order)
        }), flying[place].arrival <= now {
            let flight = flying.remove(at: place)
            deliver(flight)
        } else {
            let isClient = client.deadline.map { $0.instant <= now } ?? false
            call(isClient, nil)
        }
    }

    private mutating func deliver(_ flight: Flight) {
        let isOver = flight.toClient ? client.isFinished : server.isFinished
        guard isOver else { return tell(client: flight.toClient, .received(flight.segment)) }
        if case .answered(let answer, let bytes) = StreamConnection.stray(flight.segment) {
            transmit(answer, bytes, fromClient: flight.toClient)
        }
    }

    private mutating func call(_ isClient: Bool, _ event: StreamEvent?) {
        let effects = isClient ? client.drive(event, at: now) : server.drive(event, at: now)
        precondition(effects.count <= StreamConnection.effectsPerCallMax)
        for effect in effects {
            perform(effect, isClient)
        }
    }

    private mutating func perform(_ effect: StreamEffect, _ isClient: Bool) {
        guard case .transmit(let segment, let bytes) = effect else {
            reports.append(Report(isClient: isClient, effect: effect, time: now))
            if echoes, !isClient, case .delivered(let message) = effect {
                tell(client: false, .send(message))
            }
            return
        }
        if isClient {
            clientSent.append((segment.kind, bytes, now))
        }
        transmit(segment, bytes, fromClient: isClient)
    }

    private mutating func transmit(_ segment: StreamSegment, _ bytes: Int, fromClient: Bool) {
        let verdict =
            fromClient ? up.send(bytes: bytes, at: now) : down.send(bytes: bytes, at: now)
        for arrival in [verdict.arrival, verdict.secondArrival].compactMap(\.self) {
            flights += 1
            flying.append(
                Flight(
                    arrival: arrival.instant,
                    order: flights,
                    toClient: !fromClient,
                    segment: segment
                )
            )
        }
    }

    /// When one side told this, in whole milliseconds.
    func milliseconds(client isClient: Bool, _ effect: StreamEffect) -> Int64? {
        reports.first { $0.isClient == isClient && $0.effect == effect }
            .map { $0.time.nanoseconds / 1_000_000 }
    }

    /// The numbers of the pings that one side received, in order.
    func received(client isClient: Bool) -> [UInt32] {
        reports.filter { $0.isClient == isClient }.compactMap { report in
            guard case .delivered(let message) = report.effect,
                case .ping(let number) = message.content as? SignalRequest
            else { return nil }
            return number
        }
    }

    /// How one side's connection ended.
    func closure(client isClient: Bool) -> [StreamClosure] {
        reports.filter { $0.isClient == isClient }.compactMap { report in
            guard case .closed(let closure) = report.effect else { return nil }
            return closure
        }
    }
}

extension StreamMessage {
    /// A message that can be told from others.
    static func ping(_ number: UInt32, byteCount: Int = 40) -> StreamMessage {
        StreamMessage(SignalRequest.ping(number: number), byteCount: byteCount)
    }
}

extension LinkDirection {
    /// A direction with this delay and what `adjust` sets.
    static func delayed(
        _ delay: Duration,
        _ adjust: (inout LinkDirection) -> Void = { _ in }
    ) -> LinkDirection {
        var direction = LinkDirection()
        direction.delay = delay
        adjust(&direction)
        return direction
    }
}
