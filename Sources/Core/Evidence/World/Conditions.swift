import SansIO

/// What the world has taken away from each component, and when: a fold of the records of faults, of paths
/// and of calls' sound.
///
/// Meters ask it what an app had to do without, and keep no account of faults themselves.
package struct Conditions: Sendable {
    /// What is known of one reason to go without something, at one component.
    private struct Lack {
        /// How often it has begun and not ended.
        var count = 0
        var since: Int64 = 0
        var over: [Span] = []
    }

    private let faults: DeclaredWords<WorldFault>
    private let owners: Owners
    /// By fault, then for paths and for calls' sound, what is known of each component.
    private var lacks: [[ComponentIndex: Lack]]
    /// By resource the places in `lacks` of what withholds it.
    private var reasons: [Resource: [Int]] = [:]
    /// How many reasons there are now.
    private var lackCount = 0

    package init(_ directory: TraceDirectory) {
        faults = directory.systems.faults
        owners = Owners(directory)
        lacks = Array(repeating: [:], count: faults.all.count + 2)
        reasons = [.path: [path], .sound: [sound]]
        for (index, fault) in faults.all.enumerated() {
            for resource in fault.withholds { reasons[resource, default: []].append(index) }
        }
    }

    private var path: Int { faults.all.count }
    private var sound: Int { faults.all.count + 1 }

    /// Takes a record.
    ///
    /// - Returns: What it may have taken away or given back.
    package mutating func take(_ record: TraceRecord) -> [Resource] {
        let component = record.component
        let now = record.instant.nanoseconds
        switch record.kind {
        case FaultBegan.kind: return begin(FaultBegan(record).fault, of: component, at: now)
        case FaultEnded.kind: return end(FaultEnded(record).fault, of: component, at: now)
        case PathLost.kind: begin(path, of: component, at: now)
        case PathUsable.kind: finish(path, of: component, at: now)
        case CallAudioChanged.kind:
            if CallAudioChanged(record).isActive.isSet {
                begin(sound, of: component, at: now)
            } else {
                finish(sound, of: component, at: now)
            }
            return [.sound]
        case AppTerminated.kind:
            // An app that dies in a call has its sound no more, though no record says so.
            finish(sound, of: component, at: now)
            return [.sound]
        default: return []
        }
        return [.path]
    }

    private mutating func begin(
        _ word: TraceWord<WorldFault>,
        of component: ComponentIndex,
        at now: Int64
    ) -> [Resource] {
        guard let index = faults.index(of: word) else { return [] }
        let fault = faults.all[index]
        switch fault.course {
        case .instant: return fault.withholds
        case .repairs(let others): return finish(others, of: component, at: now)
        case .lasting: begin(index, of: component, at: now)
        case .stacking: begin(index, of: component, at: now, isStacking: true)
        }
        return fault.withholds + finish(fault.replaces, of: component, at: now)
    }

    private mutating func end(
        _ word: TraceWord<WorldFault>,
        of component: ComponentIndex,
        at now: Int64
    ) -> [Resource] {
        guard let index = faults.index(of: word) else { return [] }
        let fault = faults.all[index]
        if fault.isRepair { return finish(fault.ended, of: component, at: now) }
        if let lack = lacks[index][component] {
            if lack.count > 1 {
                lacks[index][component]?.count -= 1
            } else {
                finish(index, of: component, at: now)
            }
        } else {
            // One that there was from the beginning on is no fault that began.
            lacks[index][component] = Lack(over: [Span(start: Span.past, end: now)])
        }
        return fault.withholds
    }

    private mutating func begin(
        _ index: Int,
        of component: ComponentIndex,
        at now: Int64,
        isStacking: Bool = false
    ) {
        var lack = lacks[index][component] ?? Lack()
        if lack.count == 0 {
            lack.since = now
            lackCount += 1
        }
        if lack.count == 0 || isStacking { lack.count += 1 }
        lacks[index][component] = lack
    }

    private mutating func finish(_ index: Int, of component: ComponentIndex, at now: Int64) {
        guard let lack = lacks[index][component], lack.count > 0 else { return }
        lacks[index][component]?.over.append(Span(start: lack.since, end: now))
        lacks[index][component]?.count = 0
        lackCount -= 1
    }

    /// Faults are over, as far as there are any.
    private mutating func finish(
        _ faults: [WorldFault],
        of component: ComponentIndex,
        at now: Int64
    ) -> [Resource] {
        for fault in faults {
            if let index = self.faults.all.firstIndex(of: fault) {
                finish(index, of: component, at: now)
            }
        }
        return faults.flatMap(\.withholds)
    }

    // MARK: Questions

    /// Whether a component goes without something now; any component if none is named, for servers.
    package func isWithout(_ resource: Resource, of component: ComponentIndex? = nil) -> Bool {
        guard lackCount > 0 else { return false }
        return reasons[resource, default: []].contains { index in
            lacks(index, of: component).contains { $0.count > 0 }
        }
    }

    /// When a component, or any, went without something, in a run that ends at `end`.
    package func without(
        _ resource: Resource,
        of component: ComponentIndex? = nil,
        end: Int64
    ) -> Spans {
        Spans(
            reasons[resource, default: []].flatMap { lacks($0, of: component) }.flatMap { lack in
                lack.count > 0 ? lack.over + [Span(start: lack.since, end: end)] : lack.over
            }
        )
    }

    /// How much of a time a component had something.
    package func time(
        with resource: Resource,
        of component: ComponentIndex,
        from: Int64,
        to: Int64
    ) -> Int64 {
        guard from < to else { return 0 }
        return without(resource, of: component, end: to)
            .complement(in: Span(start: from, end: to)).length
    }

    /// What is known of a reason at a component, or at all; an app's hold of the sound is its phone's.
    private func lacks(_ index: Int, of component: ComponentIndex?) -> [Lack] {
        guard let component else { return Array(lacks[index].values) }
        guard index == sound else { return lacks[index][component].map { [$0] } ?? [] }
        return owners.components(of: component).compactMap { lacks[index][$0] }
    }
}
