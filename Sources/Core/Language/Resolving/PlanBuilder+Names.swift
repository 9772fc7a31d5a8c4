import KodamaEvidence
import KodamaSimulation

// Names: defined once, referred to anywhere.

extension PlanBuilder {
    /// Reports a problem.
    mutating func report(_ problem: Problem, at place: Place) {
        reports.append(Report(problem: problem, place: place))
    }

    /// Reports what a system finds wrong with a value, in its own words; `code` is a short stable name
    /// of the kind of mistake, `hint` says what may help.
    package mutating func report(
        _ message: String,
        code: String,
        hint: String? = nil,
        at value: CheckedValue
    ) {
        report(message, code: code, hint: hint, at: value.place)
    }

    /// Reports what a system finds wrong at a place, in its own words.
    package mutating func report(
        _ message: String,
        code: String,
        hint: String? = nil,
        at place: Place
    ) {
        report(.ofSystem(code: code, message, hint: hint), at: place)
    }

    /// Reports that `key` is missing in what `noun` names, which has to have it for what `value` asks.
    package mutating func reportMissing(
        _ key: String,
        inside noun: String,
        summary: String,
        at value: CheckedValue
    ) {
        report(.missingKey(key, inside: noun, summary: summary), at: value.place)
    }

    /// The servers that are there: those of the systems whose apps some phone has.
    var servers: [String] {
        vocabulary.language.systems.filter { systemsInUse.contains($0.system) }.flatMap(\.servers)
    }

    /// The servers that come along with those, and that no app talks to.
    var bystanders: [String] {
        let inUse = vocabulary.language.systems.filter { systemsInUse.contains($0.system) }
        return inUse.flatMap(\.bystanders).filter { !servers.contains($0) }
    }

    /// Gives a name to something, unless it is taken.
    mutating func define(_ value: CheckedValue?, as kind: NameKind) -> String? {
        guard let value, let name = value.text else {
            lost.append(kind)
            return nil
        }
        return define(name, as: kind, at: value.place)
    }

    /// Gives a name to something, unless it is taken.
    mutating func define(_ name: String, as kind: NameKind, at place: Place) -> String? {
        if let taken = names[name] {
            report(.duplicateName(name, first: taken.place.location), at: place)
            lost.append(kind)
            return nil
        }
        names[name] = (kind, place)
        nameList.append((name, kind))
        return name
    }

    /// The name of something of `kind`, or `nil` after a report.
    public mutating func refer(_ value: CheckedValue?, to kind: NameKind) -> String? {
        guard let value, let name = value.text else { return nil }
        switch kind {
        case .phone, .person:
            guard names[name]?.kind == kind else {
                return refuse(name, kind, known: known(kind), at: value.place)
            }
            return name
        case .peer, .roomGuest:
            return phone(named: name, as: kind, running: systems(of: kind), at: value.place)
        case .phoneRunning(let system):
            return phone(named: name, as: kind, running: [system], at: value.place)
        case .radio, .phoneOrRadio:
            if radios[name] != nil { return name }
            if kind == .phoneOrRadio, names[name]?.kind == .phone { return name }
            return refuse(name, kind, known: known(kind), at: value.place)
        case .link:
            return link(named: name)
                ?? refuse(name, kind, known: known(.link), at: value.place)
        case .component:
            return component(named: name)
                ?? refuse(name, kind, known: components(like: name), at: value.place)
        default:
            let words = words(kind)
            return words.contains(name) ? name : refuse(name, kind, known: words, at: value.place)
        }
    }

    /// The name in the trace of what a reference names, if there is such a thing.
    private func component(named name: String) -> String? {
        if servers.contains(name) || names[name]?.kind == .phone || names[name]?.kind == .person {
            return name
        }
        return apps(of: name).contains(name) ? name : link(named: name)
    }

    /// The names of the apps on the phone whose app a name seems to be: `mika-phone.session`.
    private func apps(of name: String) -> [String] {
        let phone = String(name.prefix { $0 != "." })
        return (phones[phone]?.systems ?? []).map { AppPlan.component($0, on: phone) }
    }

    /// All that has a name in the trace; of apps those of the phone that is named.
    private func components(like name: String) -> [String] {
        known(.phone) + apps(of: name) + known(.person) + known(.link) + servers.sorted()
    }

    /// A phone that has an app of one of these systems, or `nil` after a report.
    private mutating func phone(
        named name: String,
        as kind: NameKind,
        running systems: [String],
        at place: Place
    ) -> String? {
        guard names[name]?.kind == .phone, let phone = phones[name] else {
            return refuse(name, kind, known: known(kind), at: place)
        }
        guard systems.contains(where: phone.has) else {
            report(.otherApp(name, needs: systems.joined(separator: " or ")), at: place)
            return nil
        }
        return name
    }

    private mutating func refuse(
        _ name: String,
        _ kind: NameKind,
        known: [String],
        at place: Place
    ) -> String? {
        // What is missing may be what has been refused above: one mistake, one report.
        guard !lost.contains(where: kind.mayName) else { return nil }
        report(.noSuch(kind, name, known: known), at: place)
        return nil
    }

    /// The link whose ends a reference names in either order.
    private func link(named name: String) -> String? {
        if names[name]?.kind == .link { return name }
        let ends = name.split(separator: "/", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        let turned = "\(ends[1])/\(ends[0])"
        return names[turned]?.kind == .link ? turned : nil
    }

    /// Whether a reference names a link between phones from its second end.
    ///
    /// What is forward there is backward in the plan. Of a radio's link forward is up from the
    /// phone, however it is named.
    func isTurned(_ value: CheckedValue?, _ link: String) -> Bool {
        value?.text != link && radios[link] == nil
    }

    private func known(_ kind: NameKind) -> [String] {
        switch kind {
        case .peer, .roomGuest:
            let systems = systems(of: kind)
            return known(.phone).filter { name in
                systems.contains { phones[name]?.has($0) ?? false }
            }
        case .phoneRunning(let system):
            return known(.phone).filter { phones[$0]?.has(system) ?? false }
        case .radio: return known(.link).filter { radios[$0] != nil }
        case .phoneOrRadio: return known(.phone) + known(.radio)
        default: return nameList.filter { $0.kind == kind }.map(\.name)
        }
    }

    /// The systems one of whose apps a phone of a kind has.
    private func systems(of kind: NameKind) -> [String] {
        let apps = vocabulary.language.apps
        return apps.filter { kind == .peer ? $0.usesLinks : $0.usesRooms }.map(\.system)
    }

    private func words(_ kind: NameKind) -> [String] {
        switch kind {
        case .profile: vocabulary.profiles.map(\.name)
        case .metric: vocabulary.metrics.map(\.name)
        case .invariant: vocabulary.invariants
        case .event: vocabulary.eventKinds
        case .requirement: vocabulary.requirements
        case .voice: vocabulary.voices
        case .parameter: vocabulary.parameters.parameters.map(\.name)
        case .phone, .phoneRunning, .peer, .roomGuest, .radio, .phoneOrRadio, .person, .link,
            .component, .sweptValue:
            []
        }
    }

    /// Names a link by its ends, unless they are linked already.
    mutating func defineLink(_ first: String, _ second: String, at place: Place) -> Bool {
        let name = "\(first)/\(second)"
        if let existing = link(named: name), let taken = names[existing] {
            report(.duplicateLink(name, first: taken.place.location), at: place)
            return false
        }
        names[name] = (.link, place)
        nameList.append((name, .link))
        return true
    }

    /// Says once that no list of requirements was found.
    private mutating func refuseCovers(at place: Place) {
        let problem = Problem.ofSystem(
            code: "no-requirements",
            "there is no list of requirements that 'covers' could name",
            hint: "it is a file 'requirements.yaml' beside the scenario or above it, or in "
                + "'Scenarios' of the working folder; without one, leave 'covers' out"
        )
        guard !reports.contains(where: { $0.problem == problem }) else { return }
        report(problem, at: place)
    }

    /// The requirement ids in a list.
    mutating func covers(_ value: CheckedValue?) -> [String] {
        let entries = value?.entries ?? []
        if let first = entries.first, vocabulary.requirements.isEmpty {
            refuseCovers(at: first.place)
            return []
        }
        var ids: [String] = []
        for entry in entries {
            guard let id = refer(entry, to: .requirement) else { continue }
            if ids.contains(id) {
                report(.sameTwice(id, inside: "'covers'"), at: entry.place)
            } else {
                ids.append(id)
            }
        }
        return ids
    }

    /// Two different names in a list of two.
    mutating func pair(
        _ value: CheckedValue?,
        of kind: NameKind,
        inside noun: String
    ) -> (String, String)? {
        guard let value, value.entries.count == 2 else { return nil }
        let first = refer(value.entries[0], to: kind)
        let second = refer(value.entries[1], to: kind)
        guard let first, let second else { return nil }
        guard first != second else {
            report(.sameTwice(first, inside: noun), at: value.entries[1].place)
            return nil
        }
        return (first, second)
    }
}
