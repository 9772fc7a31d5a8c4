import AppServer
@testable import KodamaBackend
@testable import KodamaPhone
@testable import KodamaSimulation
import SansIO
import SansIOTesting

/// A push service's story, told with a service in which nothing is left to chance.
struct PushServiceStory {
    typealias Effect = PushService.Effect

    static let launch = WallTime(secondsSince1970: 1_800_000_000)
    static let connection = PushConnectionID(number: 1)
    static let device = PushDeviceID(number: 7)
    static let voip = "app.kodama.voip"
    static let seed: UInt64 = 1

    /// Every latency 100 ms, every absence noticed after 10 minutes, a removal at once.
    static var settings: PushServiceSettings {
        var settings = PushServiceSettings()
        settings.latency = LatencyLaw(median: .milliseconds(100), sigmaMillionths: 0)
        settings.stragglers = .zero
        settings.duplicates = .zero
        settings.olderKept = .zero
        settings.absenceNoticed = .seconds(600) ... .seconds(600)
        settings.removalNoticed = .zero ... .zero
        settings.connectionIdleLife = .seconds(1_800) ... .seconds(1_800)
        return settings
    }

    var transcript: Transcript<PushService>
    private var operations: UInt32 = 0

    /// A service with a provider connected, at the start of time.
    init(_ settings: PushServiceSettings = settings) throws {
        transcript = Transcript(
            PushService(
                settings: settings,
                clock: WallClock(showing: Self.launch),
                seed: Self.seed
            )
        )
        try transcript.expect(.providerOpened(Self.connection), at: .zero) {
            Effect.opened(Self.connection)
        }
    }

    /// The token that a device has for a topic, learned from a service of the same seed.
    static func token(
        of device: PushDeviceID = device,
        for topic: String = voip,
        number: Int = 1,
        seed: UInt64 = seed
    ) -> [UInt8] {
        var service = PushService(
            settings: settings,
            clock: WallClock(showing: launch),
            seed: seed
        )
        var effects: [Effect] = []
        effects += service.handle(.deviceConnected(device), at: .zero)
        effects += service.handle(.tokenRequested(device, topic: topic), at: .zero)
        for _ in 1..<number {
            effects += service.handle(.tokenInvalidated(device, topic: topic), at: .zero)
        }
        guard case .issueToken(_, _, let bytes)? = effects.last else { return [] }
        return bytes
    }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    static func id(_ number: UInt64) -> UniqueID { UniqueID(high: number, low: number) }

    /// A VoIP push as the app's server sends it, with fields replaced, or removed if `nil`.
    static func request(
        _ number: UInt64 = 1,
        to token: [UInt8] = token(),
        body: String = "{}",
        tokenAge: Duration? = .zero,
        at time: Duration = .zero,
        replacing fields: [String: String?] = [:]
    ) -> PushRequest {
        let wall = launch.advanced(by: time)
        let order = PushOrder(
            callId: "c-\(number)",
            deviceToken: hexadecimal(token),
            topic: voip,
            expiresAt: wall.advanced(by: .seconds(45)),
            payload: body
        )
        var request = PushRequest(
            order,
            id: id(number),
            providerTokenIssuedAt: tokenAge.map { wall.advanced(by: .zero - $0) }
        )
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            request.fields.removeAll { $0.name == name }
            if let value { request.fields.append(HTTPField(name, value)) }
        }
        return request
    }

    /// A push as a device gets it, sent at that time.
    static func notification(
        _ number: UInt64 = 1,
        topic: String = voip,
        kind: PushKind = .voip,
        acceptedAt time: Duration = .zero
    ) -> PushNotification {
        PushNotification(
            id: id(number),
            topic: topic,
            kind: kind,
            collapseID: "c-\(number)",
            payload: "{}",
            acceptedAt: Instant.zero.advanced(by: time)
        )
    }

    /// Connects a device and gives it its token.
    mutating func connect(
        _ device: PushDeviceID = device,
        for topic: String = voip,
        at time: Duration = .zero
    ) throws {
        try transcript.expect(.deviceConnected(device), at: time)
        try transcript.expect(.tokenRequested(device, topic: topic), at: time) {
            Effect.issueToken(device, topic: topic, Self.token(of: device, for: topic))
        }
    }

    /// Sends a request and compares the answer.
    mutating func expect(
        _ status: Int,
        _ reason: String? = nil,
        timestamp: WallTime? = nil,
        to request: PushRequest,
        on connection: PushConnectionID = connection,
        at time: Duration = .zero,
        also effects: [Effect] = []
    ) throws {
        operations += 1
        let operation = OperationID(number: operations)
        let response = PushResponse(statusCode: status, reason: reason, timestamp: timestamp)
        try transcript.expect(.requested(request, operation, on: connection), at: time) {
            effects
            Effect.answer(response, operation, on: connection)
        }
    }
}
