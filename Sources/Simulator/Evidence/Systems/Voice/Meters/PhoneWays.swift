/// Whether two phones could reach each other, by radio or over the Internet, by the world's records.
///
/// In doubt they could not: a radio at the edge of its reach, a link that is jammed and one that was
/// given another profile count as no way.
struct PhoneWays {
    /// What is in the way at a link, a phone's way to the Internet, or a phone.
    private struct Hindrances: OptionSet {
        let rawValue: UInt8

        /// Nothing passes for a while.
        static let stopped = Hindrances(rawValue: 1)
        /// It has another profile, of which no record tells.
        static let changed = Hindrances(rawValue: 2)
        /// The two are not near each other.
        static let distance = Hindrances(rawValue: 4)
        /// It has no network.
        static let noNetwork = Hindrances(rawValue: 8)
        /// What is sent vanishes.
        static let blocked = Hindrances(rawValue: 16)
        /// The phone's radio for phones nearby is off.
        static let radioOff = Hindrances(rawValue: 32)
    }

    private let links: PhoneLinks
    /// The link between two phones.
    private let between: [PhonePair: Int]
    /// Whether there is a service by which phones find each other over the Internet.
    private let hasMatches: Bool
    private var hindrances: [Int: Hindrances] = [:]

    init(_ directory: TraceDirectory) {
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

    private func isOnline(_ phone: Int) -> Bool {
        isOpen(phone, but: .radioOff)
            && links.radios.contains { $0.value == phone && isOpen($0.key) }
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
            mark(.distance, LinkReached(record).reach.value != .good, at: component)
        case PeerRadioSwitched.kind:
            guard let phone = links.phone(of: record.component) else { return false }
            mark(.radioOff, !PeerRadioSwitched(record).isOn.isSet, at: phone)
        case FaultBegan.kind: fault(FaultBegan(record).fault.value, isOn: true, at: component)
        case FaultEnded.kind: fault(FaultEnded(record).fault.value, isOn: false, at: component)
        default: return false
        }
        return true
    }

    private mutating func change(_ change: LinkChange?, at link: Int) {
        switch change {
        case .stopped, .jammed: mark(.stopped, true, at: link)
        case .restored: mark(.stopped, false, at: link)
        case .changed: mark(.changed, true, at: link)
        case .slowed, nil: break
        }
    }

    private mutating func fault(_ fault: SessionFault?, isOn: Bool, at component: Int) {
        switch fault {
        case .radioDown: mark(.noNetwork, isOn, at: component)
        case .radioUp: mark(.noNetwork, !isOn, at: component)
        case .blackHole, .signallingCut, .mediaCut: mark(.blocked, isOn, at: component)
        default: break
        }
    }

    private mutating func mark(_ hindrance: Hindrances, _ isThere: Bool, at component: Int) {
        var here = hindrances[component] ?? []
        if isThere { here.insert(hindrance) } else { here.remove(hindrance) }
        hindrances[component] = here
    }
}
