import KodamaEvidence

extension PlanBuilder {
    /// What the scenario expects, and where each gate stands.
    mutating func expectations(
        _ root: CheckedValue,
        plan: WorldPlan
    ) -> (Expectations, [SourceLocation]) {
        var expectations = Expectations()
        var places: [Place] = []
        var invariants: [(name: String, place: Place)] = []
        for value in root["expect"]?.entries ?? [] {
            if value.field("metric") != nil {
                for gate in gates(value, plan: plan) {
                    checkAgainstEarlier(gate, in: expectations.gates, at: places)
                    expectations.gates.append(gate.gate)
                    places.append(gate.place)
                }
                continue
            }
            guard let name = refer(value["invariant"], to: .invariant) else { continue }
            if let first = invariants.first(where: { $0.name == name }) {
                report(
                    .duplicateInvariant(name, first: first.place.location),
                    at: value["invariant"]?.place ?? value.place
                )
                continue
            }
            invariants.append((name, value.place))
            expectations.invariants.append(name)
            expectations.invariantCovers.append(covers(value["covers"]))
        }
        let expected = root["expect"]
        let isSilent = (expected?.entries ?? []).isEmpty && !(expected?.lacksEntries ?? false)
        if isSilent, root.field("expect").map({ $0.value != nil }) ?? true {
            report(.nothingGated, at: root.field("expect")?.keyPlace ?? root.place)
        }
        return (expectations, places.map(\.location))
    }

    /// Warns of what is expected and cannot be measured in a plan that nothing is missing from.
    mutating func warnOfMissingData(_ root: CheckedValue, plan: WorldPlan) {
        for entry in root["expect"]?.entries ?? [] where !(entry["allow_no_data"]?.boolean ?? false)
        {
            guard let value = entry["metric"] ?? entry["invariant"], let name = value.text,
                let reason = vocabulary.language.lack(of: name, in: plan)
            else { continue }
            report(.noData(name, because: reason), at: value.place)
        }
    }

    /// A gate with the place of its limit.
    struct PlacedGate {
        var gate: Gate
        var name: String
        var written: String
        var place: Place
    }

    /// The gates of one entry, one for each statistic.
    private mutating func gates(_ value: CheckedValue, plan: WorldPlan) -> [PlacedGate] {
        let covered = covers(value["covers"])
        let name = refer(value["metric"], to: .metric)
        guard let name, let metric = vocabulary.metrics.first(where: { $0.name == name }) else {
            return []
        }
        let limits = value.fields.filter { StatisticName.parse($0.key) != nil }
        if limits.isEmpty, !value.lacksUnknownKeys {
            report(
                .chooseOne(of: StatisticName.offered(by: metric), inside: "the gate on '\(name)'"),
                at: value.place
            )
        }
        var gates: [PlacedGate] = []
        let scope = scope(value, of: name, plan: plan)
        for field in limits {
            guard var placed = gate(field, metric: metric) else { continue }
            placed.gate.covers = covered
            placed.gate.minimumSamples = Int(value["samples"]?.number ?? 1)
            placed.gate.allowsNoData = value["allow_no_data"]?.boolean ?? false
            placed.gate.allowsCensored = value["allow_censored"]?.boolean ?? false
            placed.gate.scope = scope
            addConfidence(value["confidence"], to: &placed)
            gates.append(placed)
        }
        addWarnings(value["warn"], metric: metric, to: &gates)
        return gates
    }

    private mutating func gate(_ field: CheckedField, metric: MetricDescription) -> PlacedGate? {
        guard let statistic = statistic(field, metric: metric), let value = field.value,
            let bound = value.bound, let limit = limit(value, metric: metric, statistic: statistic)
        else { return nil }
        let gate = Gate(
            metric: metric.name,
            in: metric.unit,
            statistic: statistic,
            comparison: bound.comparison,
            limit: limit
        )
        let isShare = statistic.unit(of: metric.unit) == .partsPerMillion
        let figures = 0...(isShare ? 1_000_000 : Int64.max)
        let words = "\(field.key): \(value.written)"
        if gate.passesAll(of: figures) { report(.vacuousGate(words), at: value.place) }
        if gate.passesNone(of: figures) { report(.impossibleGate(words), at: value.place) }
        return PlacedGate(
            gate: gate,
            name: field.key,
            written: value.written,
            place: value.place
        )
    }

    private mutating func statistic(_ field: CheckedField, metric: MetricDescription) -> Statistic?
    {
        let statistic: Statistic
        switch StatisticName.parse(field.key) {
        case .known(let known):
            statistic = known
        case .shareAbove(let text):
            do {
                statistic = .shareAbove(try Self.amount(text, in: metric.unit))
            } catch {
                let lead = StatisticName.shareAbove.unicodeScalars.count
                report(
                    error.problem,
                    at: field.keyPlace.advanced(by: lead, length: text.unicodeScalars.count)
                )
                return nil
            }
        case nil:
            return nil
        }
        if case .shareAbove(let threshold) = statistic, let resolution = metric.resolution,
            !threshold.isMultiple(of: resolution)
        {
            let written = String(field.key.dropFirst(StatisticName.shareAbove.count))
            report(
                .notMultiple(written, of: metric.unit.exactText(resolution)),
                at: field.keyPlace
            )
            return nil
        }
        guard metric.offers(statistic) else {
            report(
                .statisticNotOffered(
                    field.key,
                    metric: metric.name,
                    offered: StatisticName.offered(by: metric)
                ),
                at: field.keyPlace
            )
            return nil
        }
        return statistic
    }

    private mutating func limit(
        _ value: CheckedValue,
        metric: MetricDescription,
        statistic: Statistic
    ) -> Int64? {
        guard let bound = value.bound else { return nil }
        do {
            return try Self.amount(bound.limit, in: statistic.unit(of: metric.unit))
        } catch {
            report(
                error.problem,
                at: value.place.advanced(
                    by: value.lead + bound.offset,
                    length: bound.limit.unicodeScalars.count
                )
            )
            return nil
        }
    }

    /// Reads a figure in the unit of a metric.
    static func amount(_ text: String, in unit: MetricUnit) throws(Finding) -> Int64 {
        let all = 0...Int64.max
        switch unit {
        case .nanoseconds: return try QuantityReader.quantity(text, .duration, in: all)
        case .partsPerMillion: return try QuantityReader.quantity(text, .share, in: all)
        case .bytes: return try QuantityReader.quantity(text, .dataSize, in: all)
        case .count: return try QuantityReader.integer(text, in: all)
        case .thousandthsMOS:
            let score = try QuantityReader.decimal(text) { hint in
                hint == nil
                    ? .outOfRange(text, least: "1.000", most: "5.000")
                    : .notInteger(text, hint: hint)
            }
            guard let amount = try? score.scaled(by: 1000), (1000...5000).contains(amount) else {
                throw Finding(.outOfRange(text, least: "1.000", most: "5.000"))
            }
            return amount
        }
    }
}

// MARK: - Gates against each other

extension PlanBuilder {
    private mutating func addWarnings(
        _ warnings: CheckedValue?,
        metric: MetricDescription,
        to gates: inout [PlacedGate]
    ) {
        for field in warnings?.fields ?? [] {
            guard let warning = gate(field, metric: metric) else { continue }
            let index = gates.firstIndex { $0.gate.statistic == warning.gate.statistic }
            guard let index else {
                report(.warningWithoutGate(field.key), at: field.keyPlace)
                continue
            }
            let failing = gates[index]
            guard failing.gate.comparison == warning.gate.comparison else {
                report(
                    .warningOtherWay(warning.written, limit: failing.written),
                    at: warning.place
                )
                continue
            }
            let isStricter =
                failing.gate.isUpper
                ? warning.gate.limit < failing.gate.limit
                : failing.gate.isLower && warning.gate.limit > failing.gate.limit
            guard isStricter else {
                report(
                    .warningNotStricter(warning.written, limit: failing.written),
                    at: warning.place
                )
                continue
            }
            gates[index].gate.warningLimit = warning.gate.limit
        }
    }

    private mutating func checkAgainstEarlier(
        _ placed: PlacedGate,
        in gates: [Gate],
        at places: [Place]
    ) {
        let gate = placed.gate
        for (earlier, place) in zip(gates, places)
        where earlier.metric == gate.metric && earlier.statistic == gate.statistic
            && earlier.scope == gate.scope
        {
            if earlier.comparison == gate.comparison
                || earlier.isUpper && gate.isUpper || earlier.isLower && gate.isLower
            {
                report(.duplicateGate(first: place.location), at: placed.place)
            } else if earlier.excludes(gate) {
                report(.contradictoryGates(first: place.location), at: placed.place)
            }
        }
        let rival = zip(gates, places).first { earlier, _ in
            earlier.metric == gate.metric && earlier.scope == gate.scope
                && earlier.excludesByOrder(gate)
        }
        if let rival { report(.contradictoryGates(first: rival.1.location), at: placed.place) }
    }
}
