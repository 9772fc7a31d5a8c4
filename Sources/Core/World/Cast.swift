package import KodamaEvidence
package import KodamaLanguage
import KodamaNetwork
import KodamaPhone
package import KodamaSimulation
package import KodamaSpeech

/// The components of a world, built from its plan.
package struct Cast {
    package private(set) var phones: [Phone] = []
    package private(set) var people: [Person] = []
    /// The links between phones, then the radios' links to the Internet.
    package private(set) var links: [NetworkLink] = []
    /// The systems whose apps are on some phone, sorted by name.
    package private(set) var systems: [any WorldSystem] = []

    /// All components, in the order of their indices.
    package var components: [any Component] {
        var all: [any Component] = phones
        all += phones.flatMap(\.apps)
        all += people
        all += links
        return all + systems.flatMap(\.servers)
    }

    package init(
        of plan: WorldPlan,
        seed: UInt64,
        fork: WeatherFork? = nil,
        material: SpeechMaterial?,
        taps: [String: any SpeakerTap]
    ) throws(WorldError) {
        let tracks = try Script.tracks(of: plan, seed: seed, fork: fork, material: material)
        let indices = Indices(of: plan)
        addLinks(of: plan, seed: seed, from: indices.firstLink)
        addPhones(of: plan, seed: seed)
        let setting = Setting(
            plan: plan,
            seed: seed,
            tracks: tracks,
            material: material,
            taps: taps,
            phones: phones,
            firstApps: indices.firstApps
        )
        try addSystems(in: setting, indices)
        for (position, person) in plan.people.enumerated() {
            people.append(
                Person(
                    name: person.name,
                    index: ComponentIndex(indices.firstPerson + position),
                    listener: phone(named: person.phone),
                    track: tracks[position]
                )
            )
        }
    }

    /// Where each kind of component begins: phones, apps, people, links, servers.
    private struct Indices {
        let firstApps: [ComponentIndex]
        let firstPerson: Int
        let firstLink: Int
        let firstServer: Int

        init(of plan: WorldPlan) {
            var next = plan.phones.count
            var firstApps: [ComponentIndex] = []
            for phone in plan.phones {
                firstApps.append(ComponentIndex(next))
                next += phone.apps.count
            }
            self.firstApps = firstApps
            firstPerson = next
            firstLink = firstPerson + plan.people.count
            firstServer =
                firstLink + plan.links.count + plan.phones.reduce(0) { $0 + $1.radios.count }
        }
    }

    /// The links between phones, then each phone's radios.
    private mutating func addLinks(of plan: WorldPlan, seed: UInt64, from first: Int) {
        func add(
            _ name: String,
            isRadio: Bool,
            _ outages: OutageProcess?,
            _ separation: Separation? = nil
        ) {
            let position = links.count
            links.append(
                NetworkLink(
                    name: name,
                    index: ComponentIndex(first + position),
                    forward: 2 * position,
                    isRadio: isRadio,
                    outages: outages.map { OutageSequence($0, seed: seed, name: name) },
                    separation: separation
                )
            )
        }
        for link in plan.links {
            add(link.name, isRadio: false, nil, Separation(of: link, in: plan, seed: seed))
        }
        for phone in plan.phones {
            for radio in phone.radios {
                add("\(phone.name)/\(radio.interface)", isRadio: true, radio.outages)
            }
        }
    }

    private mutating func addPhones(of plan: WorldPlan, seed: UInt64) {
        var nextRadio = plan.links.count
        for (position, phone) in plan.phones.enumerated() {
            let radios = phone.radios.map { radio in
                defer { nextRadio += 1 }
                return Radio(radio.interface, link: links[nextRadio])
            }
            let built = Phone(
                plan: phone,
                index: ComponentIndex(position),
                seed: seed,
                radios: radios,
                system: Self.system(of: phone, in: plan, seed: seed)
            )
            for radio in radios { radio.link.user = built }
            phones.append(built)
        }
    }

    private mutating func addSystems(
        in setting: Setting,
        _ indices: Indices
    ) throws(WorldError) {
        var next = indices.firstServer
        var setting = setting
        for type in setting.plan.neededSystems() {
            let names = type.serverNames(in: setting.plan)
            let servers = names.indices.map { ComponentIndex(next + $0) }
            next += servers.count
            let system = try type.init(in: setting, servers: servers)
            systems.append(system)
            setting.systems.append(system)
        }
        for (position, phone) in phones.enumerated() {
            for (id, plan) in phone.plan.apps.enumerated() {
                let installation = Installation(
                    phone: phone,
                    id: AppID(id),
                    index: setting.index(of: AppID(id), onPhoneAt: position),
                    name: AppPlan.component(plan.name, on: phone.name)
                )
                phone.install(try app(plan, installation))
            }
        }
    }

    private func app(
        _ plan: AppPlan,
        _ installation: Installation
    ) throws(WorldError) -> any PhoneApp {
        for system in systems {
            if let app = try system.app(planned: plan, installation) { return app }
        }
        preconditionFailure(
            "\(installation.phone.name) has an app of \(plan.name), which the world does not know"
        )
    }

    // MARK: By name

    /// The index of the component called `name`; for a phone also those of its apps.
    package func indices(of name: String) -> [ComponentIndex] {
        components.filter { $0.name == name || TraceDirectory.owner(of: $0.name) == name }
            .map(\.index)
    }

    /// The components of these names; each must exist.
    package func components(named names: Set<String>) -> [String: any Component] {
        var found: [String: any Component] = [:]
        for component in components where names.contains(component.name) {
            found[component.name] = component
        }
        precondition(
            found.count == names.count,
            "the plan names \(names.subtracting(found.keys).sorted()), which the world does not have"
        )
        return found
    }

    package func phone(named name: String) -> Phone {
        guard let phone = phones.first(where: { $0.name == name }) else {
            preconditionFailure("the plan names phone \(name), which it does not have")
        }
        return phone
    }
}
