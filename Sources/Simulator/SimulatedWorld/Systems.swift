import Evidence
import Models
import Scenarios
import Speech

/// The systems that a world knows: what their apps and servers are, each in its folder of `Systems`.
public struct WorldSystems: Sendable {
    let types: [any WorldSystem.Type]

    init(_ types: [any WorldSystem.Type]) {
        self.types = types
    }

    /// Those that ship with the simulator.
    public static let shipped = WorldSystems([
        CallSystem.self, IntercomSystem.self, ReplicaSystem.self, SessionSystem.self,
    ])

    /// The systems that a plan needs, sorted by name, each behind those that it requires.
    func types(of plan: WorldPlan) -> [any WorldSystem.Type] {
        var needed: [any WorldSystem.Type] = []
        func need(_ type: any WorldSystem.Type) {
            guard !needed.contains(where: { $0 == type }) else { return }
            for required in type.required { need(required) }
            needed.append(type)
        }
        for type in types.sorted(by: { $0.name < $1.name }) {
            let isUsed = plan.phones.contains { $0.apps.contains { $0.name == type.name } }
            if isUsed { need(type) }
        }
        return needed
    }

    /// Adds systems of one's own.
    static func + (left: WorldSystems, right: [any WorldSystem.Type]) -> WorldSystems {
        WorldSystems(left.types + right)
    }
}

/// One system's part in one world: it makes the system's apps and servers.
protocol WorldSystem: AnyObject, SendableMetatype {
    /// What a plan says of its apps.
    associatedtype Settings: AppSettings

    /// Other systems that it stands on: they are there wherever it is, and are made before it.
    static var required: [any WorldSystem.Type] { get }

    /// The names of its servers in a world, in the order of their indices.
    static func serverNames(in plan: WorldPlan) -> [String]

    /// Makes the servers; `indices` are theirs.
    init(in setting: Setting, servers indices: [ComponentIndex]) throws(WorldError)

    /// Its servers, in the order of `serverNames`.
    var servers: [any Component] { get }

    /// Makes an app of its.
    func app(
        _ settings: Settings,
        _ installation: Installation
    ) throws(WorldError) -> any PhoneApp

    /// The run begins; phones have begun.
    func begin(on stage: inout Stage)

    /// The run is over; nothing happens any more, but records may be written.
    func end(on stage: inout Stage)
}

extension WorldSystem {
    static var required: [any WorldSystem.Type] { [] }
    static func serverNames(in plan: WorldPlan) -> [String] { [] }
    var servers: [any Component] { [] }
    func begin(on stage: inout Stage) {}
    func end(on stage: inout Stage) {}

    /// The name of the system.
    static var name: String { Settings.system }

    /// Makes an app, if these are settings of one of its apps.
    func app(
        planned plan: AppPlan,
        _ installation: Installation
    ) throws(WorldError) -> (any PhoneApp)? {
        guard let settings = plan.settings as? Settings else { return nil }
        return try app(settings, installation)
    }
}

/// What a system's part in a world is built from.
struct Setting {
    let plan: WorldPlan
    let seed: UInt64
    /// What each person says, in the plan's order.
    let tracks: [TalkTrack]
    /// Listeners at the speakers of phones, by name.
    let taps: [String: any SpeakerTap]
    /// The phones, in the plan's order; no apps are on them yet.
    let phones: [Phone]
    /// The index of each phone's first app; the others follow it.
    let firstApps: [ComponentIndex]
    /// The systems that were made before.
    var systems: [any WorldSystem] = []

    /// A system that the one being made requires.
    func system<System: WorldSystem>(_ kind: System.Type) -> System {
        guard let system = systems.lazy.compactMap({ $0 as? System }).first else {
            preconditionFailure("\(System.name) was not made before what requires it")
        }
        return system
    }

    /// The index of a phone's app.
    func index(of app: AppID, onPhoneAt position: Int) -> ComponentIndex {
        ComponentIndex(Int(firstApps[position].index) + app.index)
    }

    /// A phone's app of a system; `nil` if it has none.
    func app(of system: (some AppSettings).Type, onPhoneAt position: Int) -> AppID? {
        plan.phones[position].apps.firstIndex { type(of: $0.settings) == system }.map(AppID.init)
    }
}
