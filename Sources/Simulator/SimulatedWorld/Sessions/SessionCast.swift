import AppCoordination
import AppServer
import Evidence
import Models
import SansIO
import Scenarios
import Simulation

/// The phones with sessions, their radios and servers, with their places in the trace.
struct SessionCast {
    /// The names of phones, radios and servers, in the order of their places.
    let names: [String]
    /// The radios' names, in the order of their links.
    let radioNames: [String]
    /// The phones.
    let phones: [SessionPhone]
    private let firstServer: Int

    /// The servers' names.
    static let serverNames = ["rooms", "agents", "api"]

    init(of plan: WorldPlan, seed: UInt64, firstPlace: Int) {
        radioNames = plan.phones.flatMap { phone in
            phone.radios.map { "\(phone.name)/\($0.interface)" }
        }
        firstServer = firstPlace + plan.phones.count + radioNames.count
        names =
            plan.phones.map(\.name) + radioNames + (plan.phones.isEmpty ? [] : Self.serverNames)
        var radioPlace = 0
        phones = plan.phones.enumerated().map { place, phone in
            let radios = phone.radios.map { radio in
                defer { radioPlace += 1 }
                let link = plan.links.count + radioPlace
                return SessionPhone.Radio(
                    interface: radio.interface,
                    forward: 2 * link,
                    backward: 2 * link + 1,
                    component: ComponentIndex(
                        place: UInt16(firstPlace + plan.phones.count + radioPlace)
                    )
                )
            }
            return SessionPhone(
                plan: phone,
                place: place,
                component: ComponentIndex(place: UInt16(firstPlace + place)),
                radios: radios,
                outages: phone.radios.map { radio in
                    radio.outages.map {
                        let name = "\(phone.name)/\(radio.interface)"
                        return OutageSequence($0, seed: seed, name: name)
                    }
                }
            )
        }
    }

    /// The servers; `nil` without phones.
    func site(of plan: WorldPlan, seed: UInt64) -> ServerSite? {
        guard !phones.isEmpty else { return nil }
        let entropy = RandomStream(seed: seed, purpose: "servers", entity: "api")
        let rooms = RoomServer(
            configuration: plan.services.rooms,
            address: ServerSite.roomsAddress,
            keys: [(key: ServerSite.apiKey, secret: ServerSite.apiSecret)],
            clock: World.wallClock(of: plan, at: .zero)
        )
        return ServerSite(
            rooms: rooms,
            api: Self.api(of: plan, entropy),
            components: (
                rooms: ComponentIndex(place: UInt16(firstServer)),
                agents: ComponentIndex(place: UInt16(firstServer + 1)),
                api: ComponentIndex(place: UInt16(firstServer + 2))
            )
        )
    }

    private static func api(of plan: WorldPlan, _ entropy: RandomStream) -> APIServer {
        var settings = APIServerSettings()
        settings.liveKitURL = ServerSite.roomsURL
        if plan.services.apiIsConfigured {
            settings.liveKitKey = ServerSite.apiKey
            settings.liveKitSecret = ServerSite.apiSecret
        }
        settings.sessionSecret = ServerSite.sessionSecret
        settings.tokenTimeToLive = plan.services.tokenTimeToLive
        settings.requiresSession = plan.phones.contains {
            $0.configuration.login == .signedIn
        }
        return APIServer(
            settings: settings,
            verifier: SimulatedAuthenticator(),
            entropy: (0..<4).flatMap { index in
                let bits = entropy.bits(at: UInt64(index))
                return (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
            }
        )
    }
}
