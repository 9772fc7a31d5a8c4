import Models
import RealtimeVoice
import SansIO

/// Which radios are up as a timeline goes on, for orders that depend on it.
///
/// What comes after an event has no time of its own; it finds the radios as at the start.
struct RadioStates {
    /// A radio, and whether it is up.
    fileprivate struct Radio {
        var name: String
        var phone: String
        var interface: NetworkInterface
        var isUp: Bool
    }

    private let start: [Radio]
    private var now: [Radio]
    /// What comes back by itself, and when.
    private var returning: [(radio: String, at: Duration)] = []

    /// All radios of some phones, as at the start of the run.
    init(_ phones: [PhonePlan]) {
        start = phones.flatMap { phone in
            phone.radios.map {
                Radio(
                    name: "\(phone.name)/\($0.interface)",
                    phone: phone.name,
                    interface: $0.interface,
                    isUp: $0.isUp
                )
            }
        }
        now = start
    }

    /// The entries of a timeline that carry orders out, in the order of the orders.
    mutating func expand(
        _ orders: [PlanBuilder.Order],
        report: (Report) -> Void
    ) -> [TimelineEntry] {
        var entries: [[TimelineEntry]] = Array(repeating: [], count: orders.count)
        let byTime = orders.indices.sorted { left, right in
            let (one, other) = (orders[left].time, orders[right].time)
            return one == other ? left < right : one < other
        }
        for index in byTime {
            let order = orders[index]
            advance(to: order.time)
            do throws(Refusal) {
                entries[index] = try actions(order).map { delay, action in
                    TimelineEntry(trigger: order.trigger.later(by: delay), action: action)
                }
            } catch {
                report(Report(problem: error.problem, place: order.place))
            }
        }
        return entries.flatMap(\.self)
    }

    /// Why an order cannot be carried out.
    private struct Refusal: Error {
        var problem: Problem
    }

    private mutating func advance(to time: Duration) {
        for radio in returning where radio.at <= time { set(radio.radio, isUp: true) }
        returning.removeAll { $0.at <= time }
    }

    private mutating func set(_ name: String, isUp: Bool) {
        for index in now.indices where now[index].name == name { now[index].isUp = isUp }
    }

    private mutating func actions(
        _ order: PlanBuilder.Order
    ) throws(Refusal) -> [(delay: Duration, action: TimelineAction)] {
        let isTimed = order.isTimed
        switch order.act {
        case .single(let action):
            if isTimed, case .radio(let phone, let interface, let isUp, _) = action {
                set("\(phone)/\(interface)", isUp: isUp)
            }
            return [(.zero, action)]
        case .pair(let action, let end, after: let lasting):
            return [(.zero, action), (lasting, end)]
        case .outage(let names, let lasting, let notice):
            let hit = (isTimed ? now : start).filter { names.contains($0.name) && $0.isUp }
            guard !hit.isEmpty else {
                throw Refusal(
                    problem: .radioIsDown(names.joined(separator: " and "), at: order.timeText)
                )
            }
            if isTimed {
                for radio in hit {
                    set(radio.name, isUp: false)
                    returning.append((radio.name, order.time + lasting))
                }
            }
            return hit.map { (.zero, $0.action(isUp: false, notice)) }
                + hit.map { (lasting, $0.action(isUp: true, notice)) }
        case .handover(let name, let names, let notice):
            let radios = (isTimed ? now : start).filter { names.contains($0.name) }
            let changed =
                radios.filter { $0.name == name && !$0.isUp }
                + radios.filter { $0.name != name && $0.isUp }
            guard !changed.isEmpty else { throw Refusal(problem: .handoverToItself(name)) }
            if isTimed { for radio in radios { set(radio.name, isUp: radio.name == name) } }
            return changed.map { (.zero, $0.action(isUp: $0.name == name, notice)) }
        }
    }
}

extension RadioStates.Radio {
    /// The action that takes the radio down or up.
    fileprivate func action(isUp: Bool, _ notice: PathNotice) -> TimelineAction {
        .radio(phone: phone, interface, isUp: isUp, notice)
    }
}

extension PlanBuilder.Order {
    /// Whether it has a time of its own.
    fileprivate var isTimed: Bool {
        if case .at = trigger { true } else { false }
    }

    /// When it is due; what comes after an event is taken first.
    fileprivate var time: Duration {
        if case .at(let time) = trigger { time } else { .zero }
    }

    fileprivate var timeText: String {
        isTimed ? QuantityKind.duration.text(of: time.wholeNanoseconds) : "the start"
    }
}

extension TimelineTrigger {
    /// The trigger so much later.
    func later(by delay: Duration) -> TimelineTrigger {
        switch self {
        case .at(let time):
            .at(time + delay)
        case .after(let event, let component, let count, let first):
            .after(event: event, of: component, count: count, delay: first + delay)
        }
    }
}
