import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import SansIO

extension PlanBuilder {
    /// The ways that people walk, and what gaps in the coverage order of their phones' radios.
    mutating func walks(
        _ root: CheckedValue,
        plan: WorldPlan
    ) -> (walks: [WalkPlan], orders: [Order]) {
        var walks: [WalkPlan] = []
        var orders: [Order] = []
        for value in root["walks"]?.entries ?? [] {
            let person = refer(value["person"], to: .person)
            guard let person, let speed = value["speed"]?.number,
                let stops = value["way"]?.entries, !stops.isEmpty,
                let phone = plan.people.first(where: { $0.name == person })?.phone
            else { continue }
            let place = value["person"]?.place ?? value.place
            if walks.contains(where: { $0.phone == phone }) {
                report(.walksTwice(phone), at: place)
                continue
            }
            let walk = Walk(stops.map { Walk.Stop($0, speed: speed) })
            walks.append(WalkPlan(phone: phone, walk: walk))
            for gap in value["gaps"]?.entries ?? [] {
                orders += self.orders(of: gap, along: walk, of: phone, within: plan.duration)
            }
        }
        return (walks, orders)
    }

    /// The order that a gap comes to: its radio goes down where it begins, and up where it ends.
    private mutating func orders(
        of gap: CheckedValue,
        along walk: Walk,
        of phone: String,
        within duration: Duration
    ) -> [Order] {
        guard let word = gap["radio"]?.text, let from = gap["from"]?.number,
            let to = gap["to"]?.number, let notice = PathNotice(gap),
            let known = self.phone(named: phone)
        else { return [] }
        guard let radio = known.radios.first(where: { "\($0.interface)" == word }) else {
            if known.isSound {
                report(.noRadio(phone, needs: word), at: gap["radio"]?.place ?? gap.place)
            }
            return []
        }
        guard from < to else {
            report(.emptyGap, at: gap["from"]?.place ?? gap.place)
            return []
        }
        guard let begin = walk.arrival(atMillimetres: from) else {
            let length = QuantityKind.distance.text(of: walk.lengthMillimetres)
            report(.beyondWay(length: length), at: gap["from"]?.place ?? gap.place)
            return []
        }
        let ends = [(begin, false)] + (walk.arrival(atMillimetres: to).map { [($0, true)] } ?? [])
        return ends.compactMap { instant, isUp in
            let time = Instant.zero.duration(to: instant)
            guard time < duration else { return nil }
            let act = PhoneAct.radio(radio.interface, isUp: isUp, notice)
            return Order(
                trigger: .at(time),
                deed: Deed(TimedAct(act, to: phone)),
                place: gap.place
            )
        }
    }
}

extension Walk.Stop {
    /// A way point; `speed` holds where it says none.
    fileprivate init(_ value: CheckedValue, speed: Int64) {
        self.init(
            position: Position(
                eastMillimetres: value["east"]?.number ?? 0,
                northMillimetres: value["north"]?.number ?? 0
            ),
            stay: value["stay"]?.duration ?? .zero,
            speedMillimetresPerHour: value["speed"]?.number ?? speed
        )
    }
}
