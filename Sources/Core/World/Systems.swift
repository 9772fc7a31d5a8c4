public import KodamaEvidence
public import KodamaLanguage
import KodamaNetwork
package import KodamaPhone
package import KodamaSpeech

extension WorldPlan {
    /// The systems that the plan's apps need, sorted by name, each behind those that it requires.
    package func neededSystems() -> [any WorldSystem.Type] {
        let hosts = systems.systems.compactMap { $0.host as? any WorldSystem.Type }
        var needed: [any WorldSystem.Type] = []
        func need(_ type: any WorldSystem.Type) {
            guard !needed.contains(where: { $0 == type }) else { return }
            for required in type.required { need(required) }
            needed.append(type)
        }
        for type in hosts.sorted(by: { $0.name < $1.name }) {
            let isUsed = phones.contains { $0.apps.contains { $0.name == type.name } }
            if isUsed { need(type) }
        }
        return needed
    }

    /// The systems that make apps or servers, but none in this plan.
    package func absentSystems() -> Set<SystemID> {
        let needed = neededSystems()
        var absent: Set<SystemID> = []
        for system in systems.systems {
            guard let host = system.host, let evidence = system.evidence else { continue }
            let isNeeded = needed.contains { $0.name == host.name }
            if !isNeeded { absent.insert(evidence.id) }
        }
        return absent
    }
}

/// One system's part in one world: it makes the system's apps and servers.
public protocol WorldSystem: SystemHost {
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

    /// Makes the app that a phone of the plan has of this system; the phone installs it.
    func app(
        _ settings: Settings,
        _ installation: Installation
    ) throws(WorldError) -> any PhoneApp

    /// The run begins; phones have begun.
    func begin(on stage: inout Stage)

    /// The run is over; nothing happens any more, but records may be written.
    func end(on stage: inout Stage)

    /// Why the run counts for nothing, if a program that the system runs is at fault.
    var fault: WorldError? { get }

    /// What was said to and by the programs that it ran, by component.
    var transcripts: [String: [String]] { get }
}

extension WorldSystem {
    /// Most systems stand on no other.
    public static var required: [any WorldSystem.Type] { [] }
    /// No servers.
    public static func serverNames(in plan: WorldPlan) -> [String] { [] }
    /// No servers.
    public var servers: [any Component] { [] }
    /// Does nothing.
    public func begin(on stage: inout Stage) {}
    /// Does nothing.
    public func end(on stage: inout Stage) {}
    /// None.
    public var fault: WorldError? { nil }
    /// None.
    public var transcripts: [String: [String]] { [:] }

    /// The name of the system.
    public static var name: String { Settings.system }

    /// Makes an app, if these are settings of one of its apps.
    package func app(
        planned plan: AppPlan,
        _ installation: Installation
    ) throws(WorldError) -> (any PhoneApp)? {
        guard let settings = plan.settings as? Settings else { return nil }
        return try app(settings, installation)
    }
}

/// What a system's part in a world is built from.
public struct Setting {
    /// The scenario.
    public let plan: WorldPlan
    /// The run's seed.
    public let seed: UInt64
    /// What each person says, in the plan's order.
    package let tracks: [TalkTrack]
    /// The voices; `nil` where no app of the scenario records samples.
    package let material: SpeechMaterial?
    /// Listeners at the speakers of phones, by name.
    package let taps: [String: any SpeakerTap]
    /// The phones, in the plan's order; no apps are on them yet.
    package let phones: [Phone]
    /// The index of each phone's first app; the others follow it.
    package let firstApps: [ComponentIndex]
    /// The systems that were made before.
    package var systems: [any WorldSystem] = []

    /// A system that the one being made requires.
    package func system<System: WorldSystem>(_ kind: System.Type) -> System {
        guard let system = systems.lazy.compactMap({ $0 as? System }).first else {
            preconditionFailure("\(System.name) was not made before what requires it")
        }
        return system
    }

    /// The index of a phone's app.
    package func index(of app: AppID, onPhoneAt position: Int) -> ComponentIndex {
        ComponentIndex(Int(firstApps[position].index) + app.index)
    }

    /// A phone's app of a system; `nil` if it has none.
    package func app(of system: (some AppSettings).Type, onPhoneAt position: Int) -> AppID? {
        plan.phones[position].apps.firstIndex { type(of: $0.settings) == system }.map(AppID.init)
    }
}
