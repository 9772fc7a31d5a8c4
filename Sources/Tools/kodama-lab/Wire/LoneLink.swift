import KodamaCommand
import KodamaLanguage
import KodamaNetwork
import KodamaSimulation
import KodamaWorld
import SansIO

/// A scenario's link, apart from the world around it: what becomes of each packet.
///
/// Its profile, the outages that it has by itself, and what the timeline does to it at a given time are the
/// scenario's, drawn by the same random streams as in a run of the same seed.
struct LoneLink {
    /// The direction away from the first end, or the phone, and the direction back.
    enum Way: Int, CaseIterable {
        case forward, backward

        var other: Way { self == .forward ? .backward : .forward }
    }

    private var ends: [LinkEnd]
    private var outages: OutageSequence?
    private var nextOutage: Range<Instant>?
    private var acts: ArraySlice<(instant: Instant, act: any SystemAct)>
    private var filters: [(traffic: TrafficClass?, ways: LinkWays, until: Instant)] = []
    /// How many entries of the timeline are done to something else, and so are left out.
    let ignoredActs: Int

    /// Takes a link of a scenario, `PHONE/INTERFACE` or both phones joined by a slash.
    ///
    /// - Throws: A failure if there is no such link, or if it depends on more of the world than time.
    init(_ name: String, of plan: WorldPlan, seed: UInt64) throws {
        let (profile, radio) = try Self.find(name, in: plan)
        ends = [("forward", profile.forward), ("backward", profile.backward)].enumerated().map {
            let link = Link($1.1, seed: seed, name: "\(name) \($1.0)")
            return LinkEnd(link: link, source: EventSource(rank: 2, component: $0))
        }
        outages = radio?.outages.map { OutageSequence($0, seed: seed, name: name) }
        let phone = radio.flatMap { _ in name.split(separator: "/").first.map(String.init) }
        var due: [(instant: Instant, act: any SystemAct)] = []
        var ignored = 0
        for entry in plan.timeline {
            guard Self.concerns(entry, link: name, phone: phone, radio) else {
                ignored += 1
                continue
            }
            guard case .at(let time) = entry.trigger, Self.needsTimeOnly(entry.act) else {
                throw Failure(
                    .usage,
                    "link \(name): the timeline does something to it that needs the world, an attack or an "
                        + "act after an event; only acts at a time can be played alone"
                )
            }
            due.append((Instant.zero.advanced(by: time), entry.act))
        }
        ignoredActs = ignored
        // Of acts at one time the file's order decides, as in a run.
        acts = due.enumerated().sorted { ($0.1.instant, $0.0) < ($1.1.instant, $1.0) }.map(\.1)[...]
        nextOutage = outages?.next(after: .zero)
    }

    /// Sends a packet and says what becomes of it.
    mutating func send(
        _ way: Way,
        bytes: Int,
        _ traffic: TrafficClass,
        at now: Instant
    ) -> LinkOutcome {
        advance(to: now)
        let isBlocked = filters.contains {
            ($0.traffic ?? traffic) == traffic
                && ($0.ways == .both || ($0.ways == .forward) == (way == .forward))
        }
        guard !isBlocked else {
            ends[way.rawValue].link.block(bytes: bytes)
            return .dropped(.blocked)
        }
        return ends[way.rawValue].send(bytes: bytes, at: now)
    }

    /// Drops all packets of a kind, or all, or lets everything pass again.
    mutating func filter(_ traffic: TrafficClass?, isOn: Bool) {
        filters = isOn ? [(traffic, .both, Instant(nanoseconds: .max))] : []
    }

    /// What both directions have done so far.
    var statistics: [LinkStatistics] { ends.map(\.link.statistics) }

    private mutating func advance(to now: Instant) {
        while let outage = nextOutage, outage.lowerBound <= now {
            for end in ends.indices {
                let (from, until) = (outage.lowerBound, outage.upperBound)
                ends[end].disrupt(.stopped, until: until, at: from)
            }
            nextOutage = outages?.next(after: outage.upperBound)
        }
        while let due = acts.first, due.instant <= now {
            perform(due.act, at: due.instant)
            acts.removeFirst()
        }
        filters.removeAll { $0.until <= now }
    }

    private mutating func perform(_ act: any SystemAct, at now: Instant) {
        switch act {
        case LinkAct.disrupt(let disruption, let ways, let duration):
            let until = now.advanced(by: duration)
            if ways != .backward { ends[0].disrupt(disruption, until: until, at: now) }
            if ways != .forward { ends[1].disrupt(disruption, until: until, at: now) }
        case LinkAct.change(let profile):
            ends[0].link.change(to: profile.forward)
            ends[1].link.change(to: profile.backward)
        case PhoneAct.block(_, let traffic, let ways, let duration):
            filters.append((traffic, ways, now.advanced(by: duration)))
        default:
            break
        }
    }

    private static func find(
        _ name: String,
        in plan: WorldPlan
    ) throws -> (LinkProfile, RadioPlan?) {
        if let link = plan.links.first(where: { $0.name == name }) { return (link.profile, nil) }
        let radios = plan.phones.flatMap { phone in
            phone.radios.map { (name: "\(phone.name)/\($0.interface)", radio: $0) }
        }
        if let found = radios.first(where: { $0.name == name }) {
            return (found.radio.profile, found.radio)
        }
        let known = (plan.links.map(\.name) + radios.map(\.name)).joined(separator: ", ")
        throw Failure(.usage, "--link \(name): the scenario has no such link\nKnown: \(known)")
    }

    private static func concerns(
        _ entry: TimelineEntry,
        link: String,
        phone: String?,
        _ radio: RadioPlan?
    ) -> Bool {
        if entry.act is LinkAct { return entry.target == link }
        guard case PhoneAct.block(let interface, _, _, _) = entry.act, entry.target == phone else {
            return false
        }
        return interface == nil || interface == radio?.interface
    }

    private static func needsTimeOnly(_ act: any SystemAct) -> Bool {
        if case LinkAct.attack = act { false } else { true }
    }
}
