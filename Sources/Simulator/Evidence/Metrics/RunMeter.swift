/// Measures and checks a run: all metrics of `MetricCatalog` and all invariants of `InvariantCatalog`.
///
/// Each record goes to those meters only that its kind concerns, so that a run without sessions does
/// not pay for them. The world MUST end its run with `run.ended`.
public struct RunMeter: TraceSink, Sendable {
    private var voiceMetrics = VoiceMetrics()
    private var voiceInvariants = VoiceInvariants()
    private var sessions = SessionMeter()
    private var position = 0
    private var routes = KindTable<Route>()

    /// To whom records of a kind go.
    private struct Route {
        var voice = false
        var sessions = false
    }

    /// Makes the meter of a run that has not begun.
    public init() {}

    /// The metrics, in the order of the catalogue; complete after `run.ended`.
    public var metrics: [MetricResult] { voiceMetrics.results + sessions.metrics }

    /// The invariants, in the order of the catalogue; complete after `run.ended`.
    public var invariants: [InvariantResult] { voiceInvariants.results + sessions.invariants }

    /// Starts afresh.
    public mutating func begin(_ directory: TraceDirectory) {
        voiceMetrics.begin(directory)
        voiceInvariants.begin(directory)
        sessions.begin(directory)
        position = 0
        routes = KindTable(directory.forms, repeating: Route())
        for form in VoiceMetrics.forms { routes[form.kind].voice = true }
        for form in SessionMeter.forms { routes[form.kind].sessions = true }
    }

    /// Measures one record.
    public mutating func record(_ record: TraceRecord) {
        voiceInvariants.record(record)
        let route = routes[record.kind]
        if route.voice { voiceMetrics.record(record) }
        if route.sessions { sessions.record(record, position: position) }
        position += 1
    }

    /// Measures several records, in order.
    public mutating func record(contentsOf records: [TraceRecord]) {
        for record in records { self.record(record) }
    }
}
