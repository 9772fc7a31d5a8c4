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
    }

    private let links: PhoneLinks
    /// The link between two phones.
    private let between: [PhonePair: Int]
    /// Whether there is a service by which phones find each other over the Internet.
    private let hasMatches: Bool
    private var hindrances: [Int: Hindrances] = [:]
    private var conditions: Conditions

    init(_ directory: TraceDirectory) {
        conditions = Conditions(directory)
        links = PhoneLinks(directory)
        var between: [PhonePair: Int] = [:]
        for (link, phones) in links.ends { between[PhonePair(phones.0, phones.1)] = link }
        self.between = between
        hasMatches = directory.names.contains("match")
    }

    /// Whether packets pass between two phones by some way.
    func reaches(_ one: Int, _ other: Int) -> Bool {
        if let link = between[PhonePair(one, other)], isOpen(link), isOpen(one, but: .blocked),
            isOpen(other, but: .blocked)
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
        let doubtful = Hindrances.doubtful
        var hasWay = false
        if let link = between[PhonePair(one, other)] {
            hasWay = true
            let borne = doubtful.union(.blocked)
            let isThere = isOpen(link, but: doubtful)
            if isThere, isOpen(one, but: borne), isOpen(other, but: borne) { return false }
        }
        if hasMatches, hasInternet(one), hasInternet(other) {
            hasWay = true
            if isOnline(one, but: doubtful), isOnline(other, but: doubtful) { return false }
        }
        return hasWay
    }

    /// Whether a phone that has a way to the Internet surely reaches nothing by it.
    func isOffline(_ phone: Int) -> Bool {
        hasInternet(phone) && !isOnline(phone, but: .doubtful)
    }

    private func hasInternet(_ phone: Int) -> Bool { links.radios.values.contains(phone) }

    private func isOnline(_ phone: Int, but borne: Hindrances = []) -> Bool {
        isOpen(phone, but: borne.union(.radioOff))
            && links.radios.contains { $0.value == phone && isOpen($0.key, but: borne) }
    }

    private func isOpen(_ component: Int, but borne: Hindrances = []) -> Bool {
        (hindrances[component] ?? []).isSubset(of: borne)
    }

    /// Takes a record.
    ///
    /// - Returns: Whether it is one that may open or close a way.
    mutating func take(_ record: TraceRecord) -> Bool {
        let component = Int(record.component.index)
        switch record.kind {
        case LinkChanged.kind:
            change(LinkChanged(record).disruption.value, at: component)
        case LinkReached.kind:
            let reach = LinkReached(record).reach.value
            mark(.edge, reach == .weak, at: component)
            mark(.distance, reach != .weak && reach != .good, at: component)
        case PeerRadioSwitched.kind:
            guard let phone = links.owners.place(of: record.component) else { return false }
            mark(.radioOff, !PeerRadioSwitched(record).isOn.isSet, at: phone)
        case FaultBegan.kind, FaultEnded.kind:
            guard !conditions.take(record).isEmpty else { break }
            let hasNetwork = !conditions.isWithout(.network, of: record.component)
            let passes =
                !conditions.isWithout(.signalling, of: record.component)
                && !conditions.isWithout(.media, of: record.component)
            mark(.noNetwork, !hasNetwork, at: component)
            mark(.blocked, !passes, at: component)
        default: return false
        }
        return true
    }

    private mutating func change(_ change: LinkChange?, at link: Int) {
        switch change {
        case .stopped: mark(.stopped, true, at: link)
        case .jammed: mark(.jammed, true, at: link)
        case .restored:
            mark(.stopped, false, at: link)
            mark(.jammed, false, at: link)
        case .changed: mark(.changed, true, at: link)
        case .slowed, nil: break
        }
    }

    private mutating func mark(_ hindrance: Hindrances, _ isThere: Bool, at component: Int) {
        var here = hindrances[component] ?? []
        if isThere { here.insert(hindrance) } else { here.remove(hindrance) }
        hindrances[component] = here
    }
}
