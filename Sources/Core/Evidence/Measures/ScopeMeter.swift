import SansIO

/// Finds when the windows of scopes open, and what metrics gave in them.
package struct ScopeMeter: Sendable {
    /// A window that opens some time after a record.
    private struct Opening {
        var kind: TraceKind
        var component: ComponentIndex
        /// How many of the records are yet to come.
        var awaited: Int
        var delay: Int64
        var window: Int
    }

    private let scoped: [ScopedMetric]
    private var directory = TraceDirectory(names: [], systems: .core)
    private var owners = Owners(TraceDirectory(names: [], systems: .core))
    private var openings: [Opening] = []
    /// For each scope the stretch in which samples must begin, or end where it asks for that.
    private var windows: [Span] = []

    package init(_ scoped: [ScopedMetric]) {
        self.scoped = scoped
    }

    /// The names of the metrics whose observations have to be kept.
    package var metrics: Set<String> { Set(scoped.map(\.metric)) }

    /// When each scope's window is open in the run; complete after its end.
    package var stretches: [GateScope: Span] {
        Dictionary(zip(scoped.map(\.scope), windows)) { first, _ in first }
    }

    package mutating func begin(_ directory: TraceDirectory) {
        self.directory = directory
        owners = Owners(directory)
        openings = []
        windows = []
        for (index, one) in scoped.enumerated() {
            switch one.scope.window {
            case .between(let from, let until):
                windows.append(Span(start: from, end: until))
            case .lasting(let until):
                windows.append(Span(start: until, end: Span.future))
            case nil:
                windows.append(Span(start: Span.past, end: Span.future))
            case .after(let event, let component, let count, let delay):
                windows.append(Span(start: Span.future, end: Span.future))
                guard let kind = directory.forms.kind(named: event),
                    let owner = directory.names.firstIndex(of: component)
                else { continue }
                openings.append(
                    Opening(
                        kind: kind,
                        component: ComponentIndex(owner),
                        awaited: count,
                        delay: delay,
                        window: index
                    )
                )
            }
        }
    }

    package mutating func record(contentsOf records: [TraceRecord]) {
        guard !openings.isEmpty else { return }
        for record in records {
            for index in openings.indices
            where openings[index].kind == record.kind && openings[index].awaited > 0
                && (isAbout(openings[index].component, record.component)
                    || !isOfPhone(record.component)
                        && isAbout(openings[index].component, record.subject))
            {
                openings[index].awaited -= 1
                guard openings[index].awaited == 0 else { continue }
                let opening = openings[index]
                windows[opening.window].start = record.instant.nanoseconds + opening.delay
            }
        }
    }

    /// Whether a component is a phone or on one: what it writes is about itself, whomever it names.
    private func isOfPhone(_ component: ComponentIndex) -> Bool {
        component != .none && owners.components(of: owners.phone(of: component)).count > 1
    }

    /// Whether a record of a component is about a component, a phone with its apps.
    private func isAbout(_ wanted: ComponentIndex, _ component: ComponentIndex) -> Bool {
        component == wanted || component != .none && owners.phone(of: component) == wanted
    }

    /// What was found in each scope.
    package func results(_ measures: [any AnyMeasure]) -> [ScopedResult] {
        let lines = TraceLines(directory)
        return scoped.enumerated().map { index, one in
            let measure = measures.first { $0.metric.name == one.metric }
            let window = windows.isEmpty ? Span(start: 0, end: 0) : windows[index]
            let found = measure.map { findings(of: $0, in: window, one.scope, lines) } ?? []
            return ScopedResult(scoped: one, findings: found)
        }
    }

    private func findings(
        of measure: any AnyMeasure,
        in window: Span,
        _ scope: GateScope,
        _ lines: TraceLines
    ) -> [(device: String?, result: MetricResult)] {
        func isWithin(_ occurrence: Occurrence) -> Bool {
            scope.counts(occurrence.span, in: window)
        }
        guard scope.isEachDevice else {
            return measure.result(lines, where: isWithin).map { [(nil, $0)] } ?? []
        }
        let phones = Set(measure.keptComponents.filter { $0 != .none }.map(owners.phone(of:)))
        return phones.sorted { $0.index < $1.index }.compactMap { phone in
            let result = measure.result(lines) { occurrence in
                isWithin(occurrence) && occurrence.component != .none
                    && owners.phone(of: occurrence.component) == phone
            }
            guard let result, result.occasions.count > 0 else { return nil }
            return (directory.name(of: phone), result)
        }
    }
}
