/// Which of a metric's samples a gate bounds, where it is not all of them.
public struct GateScope: Sendable, Hashable, Codable {
    /// When samples must begin, or end, to count.
    public enum Window: Sendable, Hashable, Codable {
        /// From one instant of the run on, and before another; in nanoseconds since its beginning.
        case between(from: Int64, until: Int64)
        /// Lasting until an instant of the run or longer, whenever they began; in nanoseconds since its beginning.
        case lasting(until: Int64)
        /// So long after the n-th record of a kind about a component; never, if it does not come.
        case after(event: String, component: String, count: Int, delay: Int64)
    }

    /// When samples must begin, or end; at any time if there is none.
    public var window: Window?
    /// Whether the gate must hold at each phone by itself.
    public var isEachDevice: Bool

    /// Describes a scope.
    public init(window: Window? = nil, isEachDevice: Bool = false) {
        self.window = window
        self.isEachDevice = isEachDevice
    }

    /// Whether what lasts from one instant to another counts.
    ///
    /// - Parameters:
    ///   - span: When it is.
    ///   - stretch: When the window is open in the run.
    /// - Returns: Whether its beginning lies there, or its end if the window asks for that.
    package func counts(_ span: Span, in stretch: Span) -> Bool {
        let moment = if case .lasting = window { span.end } else { span.start }
        return stretch.start <= moment && moment < stretch.end
    }

    /// The scope for people, to follow a rule.
    public var text: String {
        var words: [String] = []
        switch window {
        case .between(let from, let until):
            let unit = MetricUnit.nanoseconds
            words.append("from \(unit.exactText(from)) until \(unit.exactText(until))")
        case .lasting(let until):
            words.append("lasting until \(MetricUnit.nanoseconds.exactText(until)) or longer")
        case .after(let event, let component, let count, let delay):
            let ordinal = count > 1 ? " number \(count)" : ""
            let late = delay > 0 ? "\(MetricUnit.nanoseconds.exactText(delay)) " : ""
            words.append("\(late)after \(event)\(ordinal) of \(component)")
        case nil:
            break
        }
        if isEachDevice { words.append("at each device") }
        return words.joined(separator: " ")
    }
}

/// A metric in a scope.
public struct ScopedMetric: Sendable, Hashable {
    /// The metric's name.
    public var metric: String
    /// Which of its samples count.
    public var scope: GateScope

    /// Describes a metric in a scope.
    public init(metric: String, scope: GateScope) {
        self.metric = metric
        self.scope = scope
    }
}

extension [Gate] {
    /// What runs have to measure besides every metric as a whole, each once.
    public var scopedMetrics: [ScopedMetric] {
        reduce(into: []) { scoped, gate in
            guard let scope = gate.scope else { return }
            let one = ScopedMetric(metric: gate.metric, scope: scope)
            if !scoped.contains(one) { scoped.append(one) }
        }
    }
}

/// What a run gave of a metric in a scope.
public struct ScopedResult: Sendable, Equatable {
    /// The metric in its scope.
    public var scoped: ScopedMetric
    /// The findings; at each device by its name, those with samples alone.
    public var findings: [(device: String?, result: MetricResult)]

    /// Compares everything.
    public static func == (left: ScopedResult, right: ScopedResult) -> Bool {
        left.scoped == right.scoped && left.findings.map(\.device) == right.findings.map(\.device)
            && left.findings.map(\.result) == right.findings.map(\.result)
    }
}
