import KodamaEvidence

/// Whether two phones could reach each other, by radio or over the Internet, by the world's records.
///
/// There is doubt of a radio at the edge of its reach, of a link that is jammed and of one that was given
/// another profile: such two are not said to reach each other, nor to be cut off.
struct PhoneWays {
    /// What is in the way at a link, a phone's way to the Internet, or a phone.
    private struct Hindrances: OptionSet {
        let rawValue: UInt8

        /// Nothing passes for a while.
        static let stopped = Hindrances(rawValue: 1)
        /// It has another profile, of which no record tells.
        static let changed = Hindrances(rawValue: 2)
        /// The two are too far apart.
        static let distance = Hindrances(rawValue: 4)
        /// It has no network.
        static let noNetwork = Hindrances(rawValue: 8)
        /// What is sent vanishes.
        static let blocked = Hindrances(rawValue: 16)
        /// The phone's radio for phones nearby is off.
        static let radioOff = Hindrances(rawValue: 32)
        /// The two are at the edge of their radios' reach.
        static let edge = Hindrances(rawValue: 64)
        /// What is sent comes later.
        static let jammed = Hindrances(rawValue: 128)

        /// What may let something pass.
        static let doubtful: Hindrances = [.changed, .edge, .jammed]

        mutating func set(_ hindrance: Hindrances, _ isThere: Bool) {
            if isThere { insert(hindrance) } else { remove(hindrance) }
        }
    }

    /// What a record may have opened or closed.
    enum Change {
        /// The link of a number, which is between two phones.
        case link(Int)
        /// All ways of a phone.
        case phone(Int)
    }

    let links: PhoneLinks
    /// Whether there is a service by which phones find each other over the Internet.
    private let hasMatches: Bool
    private var hindrances: [Int: Hindrances] = [:]
    private var conditions: Conditions

    init(_ directory: TraceDirectory) {
        conditions = Conditions(directory)
        links = PhoneLinks(directory)
        hasMatches = directory.names.contains("match")
    }

    /// Whether packets pass between two phones by some way.
    func reaches(_ one: Int, _ other: Int) -> Bool {
        if let link = links.between[PhonePair(one, other)], isOpen(link),
            isOpen(one, but: .blocked), isOpen(other, but: .blocked)
        {
            return true
        }
        return hasMatches && isOnline(one) && isOnline(other)
    }

    /// Whether packets pass between the phones of two components by some way.
    func reaches(_ one: ComponentIndex, _ other: ComponentIndex) -> Bool {
        guard let one = links.owners.place(of: one),
            let other = links.owners.place(of: other)
        else { return false }
        return reaches(one, other)
    }

    /// Whether nothing passes between the phones of two components, by any way that there is.
    func isCut(_ one: ComponentIndex, _ other: ComponentIndex) -> Bool {
        guard let one = links.owners.place(of: one),
            let other = links.owners.place(of: other)
        else { return false }
        let link = links.between[PhonePair(one, other)]
        if let link, !isShut(link: link), !isDeaf(one), !isDeaf(other) { return false }
        let haveInternet = shareInternet(one, other)
        if haveInternet, !isOffline(one), !isOffline(other) { return false }
        return link != nil || haveInternet
    }

    /// Whether two phones may find each other over the Internet.
    func shareInternet(_ one: Int, _ other: Int) -> Bool {
        hasMatches && hasInternet(one) && hasInternet(other)
    }

    /// Whether a link between two phones surely lets nothing pass.
    func isShut(link: Int) -> Bool { !isOpen(link, but: .doubtful) }

    /// Whether a phone surely hears nothing by any link to another phone.
    func isDeaf(_ phone: Int) -> Bool { !isOpen(phone, but: .doubtful.union(.blocked)) }

    /// Whether a phone that has a way to the Internet surely reaches nothing by it.
    func isOffline(_ phone: Int) -> Bool {
        hasInternet(phone) && !isOnline(phone, but: .doubtful)
    }

    private func hasInternet(_ phone: Int) -> Bool { links.radiosOfPhone[phone] != nil }

    private func isOnline(_ phone: Int, but borne: Hindrances = []) -> Bool {
        guard isOpen(phone, but: borne.union(.radioOff)), let radios = links.radiosOfPhone[phone]
        else { return false }
        return radios.contains { isOpen($0, but: borne) }
    }

    private func isOpen(_ component: Int, but borne: Hindrances = []) -> Bool {
        (hindrances[component] ?? []).isSubset(of: borne)
    }

    /// Takes a record.
    ///
    /// - Returns: What it may have opened or closed; `nil` if all is as it was.
    mutating func take(_ record: TraceRecord) -> Change? {
        let component = Int(record.component.index)
        switch record.kind {
        case LinkChanged.kind:
            return change(LinkChanged(record).disruption.value, at: component)
        case LinkReached.kind:
            let reach = LinkReached(record).reach.value
            var here = hindrances[component] ?? []
            here.set(.edge, reach == .weak)
            here.set(.distance, reach != .weak && reach != .good)
            return replace(here, at: component)
        case PeerRadioSwitched.kind:
            guard let phone = links.owners.place(of: record.component) else { return nil }
            var here = hindrances[phone] ?? []
            here.set(.radioOff, !PeerRadioSwitched(record).isOn.isSet)
            return replace(here, at: phone)
        case FaultBegan.kind, FaultEnded.kind:
            guard !conditions.take(record).isEmpty else { return nil }
            let passes =
                !conditions.isWithout(.signalling, of: record.component)
                && !conditions.isWithout(.media, of: record.component)
            var here = hindrances[component] ?? []
            here.set(.noNetwork, conditions.isWithout(.network, of: record.component))
            here.set(.blocked, !passes)
            return replace(here, at: component)
        default: return nil
        }
    }

    private mutating func change(_ change: LinkChange?, at link: Int) -> Change? {
        var here = hindrances[link] ?? []
        switch change {
        case .stopped: here.insert(.stopped)
        case .jammed: here.insert(.jammed)
        case .restored: here.subtract([.stopped, .jammed])
        case .changed: here.insert(.changed)
        case .slowed, nil: break
        }
        return replace(here, at: link)
    }

    /// Notes what is in the way at a component.
    private mutating func replace(_ here: Hindrances, at component: Int) -> Change? {
        guard here != hindrances[component] ?? [] else { return nil }
        hindrances[component] = here
        if links.ends[component] != nil { return .link(component) }
        return .phone(links.radios[component] ?? component)
    }
}
