import KodamaNetwork
import KodamaPhone
import SansIO

/// What is ordered of radios before it is known which are up at that time.
enum RadioOrder {
    /// Those of these radios that are up go down, and come back.
    case outage(of: [String], lasting: Duration, PathNotice)
    /// One radio comes up, and a phone's others go down.
    case handover(to: String, among: [String], PathNotice)
}

/// Which radios are up as a timeline goes on, for orders that depend on it.
///
/// What comes after an event has no time of its own; it finds the radios as at the start.
struct RadioStates {
    private let start: [String: KnownRadio]
    private var now: [String: KnownRadio]
    /// What comes back by itself, and when.
    private var returning: [(radio: String, at: Duration)] = []
    /// When the next one does.
    private var soonest: Duration?

    /// All radios by their names, as at the start of the run.
    init(_ radios: [String: KnownRadio]) {
        start = radios
        now = radios
    }

    /// The entries of a timeline that carry each order out, in the order of the orders.
    mutating func expand(
        _ orders: [PlanBuilder.Order],
        report: (Report) -> Void
    ) -> [[TimelineEntry]] {
        var entries: [[TimelineEntry]] = Array(repeating: [], count: orders.count)
        let byTime = orders.indices.sorted { left, right in
            let (one, other) = (orders[left].time, orders[right].time)
            return one == other ? left < right : one < other
        }
        for index in byTime {
            let order = orders[index]
            advance(to: order.time)
            do throws(Refusal) {
                entries[index] = try acts(order).map { act in
                    TimelineEntry(
                        act.act,
                        to: act.target,
                        trigger: order.trigger.later(by: act.delay)
                    )
                }
            } catch {
                report(Report(problem: error.problem, place: order.place))
            }
        }
        return entries
    }

    /// Why an order cannot be carried out.
    private struct Refusal: Error {
        var problem: Problem
    }

    private mutating func advance(to time: Duration) {
        guard soonest.map({ $0 <= time }) ?? false else { return }
        for radio in returning where radio.at <= time { now[radio.radio]?.isUp = true }
        returning.removeAll { $0.at <= time }
        soonest = returning.map(\.at).min()
    }

    private mutating func acts(_ order: PlanBuilder.Order) throws(Refusal) -> [TimedAct] {
        let known = order.isTimed ? now : start
        switch order.deed.radios {
        case nil:
            if order.isTimed { follow(order.deed.acts) }
            return order.deed.acts
        case .outage(let names, let lasting, let notice):
            let hit = names.filter { known[$0]?.isUp ?? false }
            guard !hit.isEmpty else {
                throw Refusal(
                    problem: .radioIsDown(names.joined(separator: "' and '"), at: order.timeText)
                )
            }
            if order.isTimed {
                for name in hit {
                    now[name]?.isUp = false
                    returning.append((name, order.time + lasting))
                    soonest = min(soonest ?? order.time + lasting, order.time + lasting)
                }
            }
            return hit.compactMap { known[$0]?.act(isUp: false, notice) }
                + hit.compactMap { known[$0]?.act(isUp: true, notice, after: lasting) }
        case .handover(let name, let names, let notice):
            let changed =
                names.filter { $0 == name && known[$0]?.isUp == false }
                + names.filter { $0 != name && known[$0]?.isUp == true }
            guard !changed.isEmpty else { throw Refusal(problem: .handoverToItself(name)) }
            if order.isTimed { for radio in names { now[radio]?.isUp = radio == name } }
            return changed.compactMap { known[$0]?.act(isUp: $0 == name, notice) }
        }
    }

    /// Keeps up with radios that are ordered down or up one by one.
    private mutating func follow(_ acts: [TimedAct]) {
        for act in acts {
            guard case .radio(let interface, let isUp, _) = act.act as? PhoneAct else { continue }
            now["\(act.target)/\(interface)"]?.isUp = isUp
        }
    }
}

extension KnownRadio {
    /// The act that takes the radio down or up.
    fileprivate func act(
        isUp: Bool,
        _ notice: PathNotice,
        after delay: Duration = .zero
    ) -> TimedAct {
        TimedAct(PhoneAct.radio(interface, isUp: isUp, notice), to: phone, after: delay)
    }
}

extension PlanBuilder.Order {
    /// Whether it has a time of its own.
    fileprivate var isTimed: Bool {
        if case .at = trigger { true } else { false }
    }

    /// When it is due; what comes after an event counts as the first.
    fileprivate var time: Duration {
        if case .at(let time) = trigger { time } else { .zero }
    }

    fileprivate var timeText: String {
        isTimed ? QuantityKind.duration.text(of: time.wholeNanoseconds) : "the start"
    }
}
