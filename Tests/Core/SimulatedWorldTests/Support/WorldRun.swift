@testable import KodamaBackend
@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaSimulation
@testable import KodamaSpeech
@testable import KodamaWorld
import SansIO

/// A finished run and all that was written about it.
struct WorldRun: Sendable {
    let digest: TraceDigest
    let metrics: [MetricResult]
    let invariants: [InvariantResult]
    let trace: RecordedTrace

    init(
        _ plan: WorldPlan,
        seed: UInt64 = 1,
        material: SpeechMaterial? = nil,
        taps: [String: any SpeakerTap] = [:],
        tieShuffleSeed: UInt64? = nil
    ) throws {
        var world = try World(
            plan: plan,
            seed: seed,
            material: material,
            taps: taps,
            tieShuffleSeed: tieShuffleSeed
        )
        var sink = SinkPair(
            SinkPair(TraceDigest(), TraceRecorder(scenario: plan.name, seed: seed)),
            RunMeter()
        )
        try world.run(into: &sink)
        digest = sink.first.first
        trace = sink.first.second.trace
        metrics = sink.second.metrics
        invariants = sink.second.invariants
    }

    /// The records of one form, of one component if one is named; a phone's apps are the phone's.
    func records(_ form: any TraceForm.Type, of name: String? = nil) -> [TraceRecord] {
        trace.records.filter { record in
            record.kind == form.kind
                && (name == nil || phone(of: record.component) == name)
        }
    }

    /// The name of a component, or of the phone that it is an app of.
    func phone(of component: ComponentIndex) -> String {
        let name = trace.directory.name(of: component)
        return TraceDirectory.owner(of: name) ?? name
    }

    /// What the user of a phone did, in the order of the records.
    func acts(of phone: String) -> [UserAct] {
        values(UserActed.self, of: phone).compactMap { trace.directory.systems.acts[$0.action] }
    }

    /// The values of those records.
    func values<Form: TraceForm>(_ form: Form.Type, of name: String? = nil) -> [Form] {
        records(form, of: name).map(Form.init)
    }

    /// The finding of a metric.
    func metric(_ name: String) -> MetricValue? {
        metrics.first { $0.name == name }?.value
    }

    /// The one number of a counting metric.
    func count(_ name: String) -> Int64? {
        guard case .count(let tally) = metric(name) else { return nil }
        return tally.total
    }

    /// The samples of a metric.
    func distribution(_ name: String) -> Distribution? {
        guard case .distribution(let distribution) = metric(name) else { return nil }
        return distribution
    }

    /// The part of a whole that a metric is.
    func proportion(_ name: String) -> Proportion? {
        guard case .proportion(let proportion) = metric(name) else { return nil }
        return proportion
    }

    /// How many records broke an invariant.
    var violationCount: Int { invariants.reduce(0) { $0 + $1.violationCount } }

    /// What the link did to each voice datagram from one phone to another, by capture index.
    func transits(from sender: String, to receiver: String) -> [Transit] {
        var transits: [Transit] = []
        for record in trace.records {
            let names = [record.component, record.subject].map { phone(of: $0) }
            switch record.kind {
            case PacketSent.kind where names == [sender, receiver]:
                let packet = PacketSent(record)
                guard packet.content.value == .voice else { break }
                transits.append(Transit(index: packet.index, sent: record.instant))
            case PacketArrived.kind where names == [receiver, sender]:
                let packet = PacketArrived(record)
                guard packet.content.value == .voice else { break }
                let place = transits.firstIndex { $0.index == packet.index }
                if let place { transits[place].arrivals.append(record.instant) }
            case PacketDropped.kind where names == [sender, receiver]:
                let packet = PacketDropped(record)
                guard packet.content.value == .voice else { break }
                let place = transits.firstIndex { $0.index == packet.index }
                if let place { transits[place].dropReason = packet.reason.value }
            default:
                break
            }
        }
        return transits
    }

    /// One datagram's way.
    struct Transit {
        var index: Int64
        var sent: Instant
        var arrivals: [Instant] = []
        var dropReason: LinkDropReason?

        /// How long the first copy was under way.
        var delay: Duration? { arrivals.first.map { sent.duration(to: $0) } }
    }
}
