import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import SansIO

/// A phone as the rest of a scenario can refer to it.
package struct KnownPhone {
    /// Its radios, and whether they are up at the start.
    var radios: [(interface: NetworkInterface, isUp: Bool)] = []
    /// The systems of its apps, sorted.
    var systems: [String] = []
    /// Its apps, as far as they could be read.
    var apps: [AppPlan] = []
    /// Whether nothing of its radios and apps was found wrong; if something was, what seems to be
    /// missing may not be.
    var isSound = true

    /// Whether it has a system's app, as far as can be known.
    package func has(_ system: String) -> Bool { systems.contains(system) || !isSound }

    /// The settings of one of its apps.
    package func settings<Settings: AppSettings>(of _: Settings.Type) -> Settings? {
        apps.lazy.compactMap { $0.settings as? Settings }.first
    }
}

/// A radio as the rest of a scenario can refer to it.
struct KnownRadio {
    /// The phone's name.
    var phone: String
    /// Which of its radios it is.
    var interface: NetworkInterface
    /// Whether it is up at the start.
    var isUp: Bool
}

extension PlanBuilder {
    /// The phones, with their apps, and the figures of what is on none.
    mutating func cast(_ root: CheckedValue, into plan: inout WorldPlan) {
        let shared = root["parameters"]
        let preset = root["preset"]?.text.flatMap(Preset.init) ?? .standard
        for (index, value) in (root["phones"]?.entries ?? []).enumerated() {
            let own = value["parameters"]
            let tuning = tuning(preset, [shared, own])
            checkConflicts(tuning, in: [own, shared], at: value.place)
            checkSettings(over: [own, shared])
            if let own {
                expansions["phones[\(index)].parameters"] = ownParameterNode(own)
            }
            addPhones(value, tuning, path: "phones[\(index)]", to: &plan)
        }
        checkExpectedUsers()
        plan.shared = tuning(preset, [shared])
    }

    /// One phone, or several alike.
    private mutating func addPhones(
        _ value: CheckedValue,
        _ tuning: Tuning,
        path: String,
        to plan: inout WorldPlan
    ) {
        var phone = PhonePlan(name: "")
        var known = KnownPhone()
        phone.system = tuning[PhoneSystemConfiguration.self]
        phone.clockDriftPartsPerMillion = Int(value["clock_drift"]?.number ?? 0)
        if let condition = value["condition"] { phone.condition = PhoneCondition(condition) }
        phone.condition.clockOffset = value["clock"]?.duration ?? .zero
        phone.radios = radios(value, path: "\(path).radios", known: &known)
        phone.apps = apps(value, tuning, path: path, plan: plan, known: &known)
        known.apps = phone.apps
        checkOwnParameters(value["parameters"], known)
        systemsInUse.formUnion(known.systems)
        phonesAreSound = phonesAreSound && known.isSound
        for name in phoneNames(value) {
            phones[name] = known
            for radio in known.radios {
                let place = value["radios"]?["\(radio.interface)"]?.place ?? value.place
                guard defineLink(name, "\(radio.interface)", at: place) else { continue }
                radios["\(name)/\(radio.interface)"] = KnownRadio(
                    phone: name,
                    interface: radio.interface,
                    isUp: radio.isUp
                )
            }
            phone.name = name
            plan.phones.append(phone)
        }
    }

    /// The names of an entry's phones: its own, or numbered ones if it stands for several.
    private mutating func phoneNames(_ value: CheckedValue) -> [String] {
        guard let count = value["count"]?.number, let name = value["name"]?.text,
            let place = value["name"]?.place
        else { return define(value["name"], as: .phone).map { [$0] } ?? [] }
        let countPlace = value["count"]?.place ?? place
        guard hasRoom(for: count, "phones", most: PhonePlan.countMax, at: countPlace) else {
            phonesAreSound = false
            lost.append(.phone)
            return []
        }
        let names = (1...count).compactMap { define("\(name)-\($0)", as: .phone, at: place) }
        alike[name] = names
        return names
    }

    /// A phone's apps, sorted by the names of their systems.
    private mutating func apps(
        _ value: CheckedValue,
        _ tuning: Tuning,
        path: String,
        plan: WorldPlan,
        known: inout KnownPhone
    ) -> [AppPlan] {
        guard let apps = value["apps"], !apps.lacksUnknownKeys else {
            known.isSound = false
            return []
        }
        if apps.fields.isEmpty {
            let words = vocabulary.language.apps.map(\.system)
            report(.chooseOne(of: words, inside: "'apps'"), at: apps.place)
            known.isSound = false
        }
        var plans: [AppPlan] = []
        for shape in vocabulary.language.apps where apps.field(shape.system) != nil {
            known.systems.append(shape.system)
            guard let body = apps[shape.system] else { continue }
            if shape.needsRadio, value.field("radios") == nil {
                report(
                    .missingKey(
                        "radios",
                        inside: "a phone with \(shape.noun)",
                        summary: "The phone's ways to the Internet."
                    ),
                    at: value.place
                )
                known.isSound = false
            }
            let path = "\(path).apps.\(shape.system).opens"
            let start = start(body, shape, path: path, plan: plan)
            plans.append(AppPlan(shape.read(body, tuning, &self), start: start))
        }
        return plans
    }

    /// How an app comes to run.
    private mutating func start(
        _ body: CheckedValue,
        _ shape: AppShape,
        path: String,
        plan: WorldPlan
    ) -> AppStart {
        guard let value = body["opens"] else {
            let standard = shape.opens(body)
            if body.field("opens") == nil { expansions[path] = .value(standard, .standard) }
            switch standard {
            case "already": return .open
            case "never": return .closed
            default:
                return .opened(at: .nanoseconds(QuantityKind.duration.amount(of: standard) ?? 0))
            }
        }
        switch value.text {
        case "already": return .open
        case "never": return .closed
        default: break
        }
        guard let time = instant(value), within(plan.duration, time, "the app opens", value)
        else { return .closed }
        return .opened(at: time)
    }

    /// The phone called `name`; `nil` if none is known.
    package func phone(named name: String) -> KnownPhone? { phones[name] }

    /// The radio called `name`, as phone/radio; `nil` if none is known.
    func radio(named name: String) -> KnownRadio? { radios[name] }

    /// The app of a phone that is meant: the named one, or the only one; `nil` after a report.
    mutating func app(_ named: CheckedValue?, of phone: String, at place: Place) -> String? {
        guard let known = self.phone(named: phone) else { return nil }
        if let named, let system = named.text {
            guard known.has(system) else {
                report(.otherApp(phone, needs: system), at: named.place)
                return nil
            }
            return system
        }
        guard known.systems.count == 1 else {
            if known.isSound { report(.whichApp(phone, among: known.systems), at: place) }
            return nil
        }
        return known.systems[0]
    }
}

// MARK: - Radios

extension PlanBuilder {
    private mutating func radios(
        _ value: CheckedValue,
        path: String,
        known: inout KnownPhone
    ) -> [RadioPlan] {
        guard let field = value.field("radios") else { return [] }
        guard let radios = field.value, !radios.lacksUnknownKeys else {
            known.isSound = false
            return []
        }
        var plans: [RadioPlan] = []
        for interface in NetworkInterface.allCases {
            guard let field = radios.field("\(interface)") else { continue }
            guard let radio = field.value else {
                known.isSound = false
                continue
            }
            guard radio.text != "none" else { continue }
            known.radios.append((interface, radio["up"]?.boolean ?? true))
            if let plan = self.radio(interface, radio, path: "\(path).\(interface)") {
                plans.append(plan)
            }
        }
        return plans
    }

    private mutating func radio(
        _ interface: NetworkInterface,
        _ value: CheckedValue,
        path: String
    ) -> RadioPlan? {
        // A bare name is a profile without changes.
        let isBare = value.text != nil
        let shaping =
            isBare
            ? CheckedValue(
                content: .mapping([
                    CheckedField(key: "profile", keyPlace: value.place, value: value)
                ]),
                place: value.place
            ) : value
        guard let shaped = shapedProfile(shaping) else { return nil }
        var radio = RadioPlan(interface, profile: shaped.profile)
        radio.isUp = value["up"]?.boolean ?? true
        radio.outages = value["outages"].flatMap(OutageProcess.init)
        let up = value["up"].map { ResolvedNode.value($0.written, $0.origin) }
        var entries = shaped.entries + [.init("up", up ?? .value("true", .standard))]
        if let outages = value["outages"] { entries.append(.init("outages", outages.asWritten)) }
        expansions[path] = .mapping(entries)
        return radio
    }
}

extension OutageProcess {
    /// What a checked value of `outages` says.
    fileprivate init?(_ value: CheckedValue) {
        if value.text == "driving" {
            self = .driving
            return
        }
        guard let perHour = value["per_hour"]?.number, let median = value["median"]?.duration,
            let spread = value["spread"]?.number, let shortest = value["shortest"]?.duration,
            let longest = value["longest"]?.duration
        else { return nil }
        self.init(
            perHour: perHour,
            medianLength: median,
            sigmaThousandths: spread / 1_000,
            shortest: shortest,
            longest: longest
        )
    }
}

extension CheckedValue {
    /// Where it comes from.
    var origin: ValueOrigin { isDefault ? .standard : .file(place.location) }

    /// A value or a mapping of values, as it was written.
    fileprivate var asWritten: ResolvedNode {
        guard !fields.isEmpty else { return .value(written, origin) }
        return .mapping(
            fields.compactMap { field in field.value.map { .init(field.key, $0.asWritten) } }
        )
    }
}
