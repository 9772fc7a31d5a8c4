import KodamaSimulation
import SansIO

extension PlanBuilder {
    /// The links, with their profiles and changes.
    mutating func links(_ root: CheckedValue) -> [LinkPlan] {
        var links: [LinkPlan] = []
        var nodes: [ResolvedNode] = []
        for value in root["links"]?.entries ?? [] {
            let ends = pair(value["between"], of: .peer, inside: "'between'")
            let shaped = shapedProfile(value)
            guard let (first, second) = ends,
                defineLink(first, second, at: value["between"]?.place ?? value.place)
            else {
                lost.append(.link)
                continue
            }
            guard let shaped else { continue }
            links.append(LinkPlan(first: first, second: second, profile: shaped.profile))
            let origin = ValueOrigin.file(value["between"]?.place.location ?? value.place.location)
            nodes.append(
                .mapping([.init("between", .inline([first, second], origin))] + shaped.entries)
            )
        }
        if root.field("links") != nil { expansions["links"] = .list(nodes) }
        return links
    }

    /// A profile with changes applied, and how it resolves.
    struct ShapedProfile {
        var profile: LinkProfile
        var entries: [ResolvedNode.Entry]
    }

    /// The profile that a link or a change names, with what it says otherwise.
    mutating func shapedProfile(_ value: CheckedValue) -> ShapedProfile? {
        var forward = DirectionChanges(value)
        var backward = forward
        forward.add(value["forward"])
        backward.add(value["backward"])
        let traces = traces(of: [value, value["forward"], value["backward"]])
        guard let name = refer(value["profile"], to: .profile),
            var profile = vocabulary.profiles.first(where: { $0.name == name })
        else { return nil }
        forward.apply(to: &profile.forward, traces: traces)
        backward.apply(to: &profile.backward, traces: traces)
        if checkQuantiles(of: [value, value["forward"], value["backward"]]) {
            checkFaults(of: profile, at: value.place)
        }
        let origin = ValueOrigin.file(value["profile"]?.place.location ?? value.place.location)
        return ShapedProfile(
            profile: profile,
            entries: [
                .init("profile", .value(name, origin)),
                .init("forward", forward.node(profile.forward, profile: name)),
                .init("backward", backward.node(profile.backward, profile: name)),
            ]
        )
    }

    /// Reports what makes a link impossible.
    private mutating func checkFaults(of profile: LinkProfile, at place: Place) {
        var faults: [String] = []
        for fault in profile.forward.faults + profile.backward.faults
        where !faults.contains(fault) {
            faults.append(fault)
            report(.impossibleLink(fault), at: place)
        }
    }

    /// Whether quantiles never fall; those that do are reported, each at its place.
    private mutating func checkQuantiles(of values: [CheckedValue?]) -> Bool {
        var isSound = true
        for value in values {
            let quantiles = value?["jitter"]?["quantiles"]?.entries ?? []
            for (one, next) in zip(quantiles, quantiles.dropFirst()) {
                guard let before = one.duration, let after = next.duration, after < before else {
                    continue
                }
                report(.fallingQuantiles(next.written, before: one.written), at: next.place)
                isSound = false
            }
        }
        return isSound
    }

    /// The traces that a link names, by the text of the name.
    private mutating func traces(of values: [CheckedValue?]) -> [String: DeliveryTrace] {
        var traces: [String: DeliveryTrace] = [:]
        for value in values {
            guard let path = value?["trace"], let name = path.text, traces[name] == nil else {
                continue
            }
            traces[name] = trace(name, at: path.place)
        }
        return traces
    }

    private mutating func trace(_ name: String, at place: Place) -> DeliveryTrace? {
        let path = FileReader.path(name, namedIn: place.location.file)
        switch files.read(path) {
        case .failure(let error):
            report(.unreadableFile(path, reason: error.fault), at: place)
            return nil
        case .success(let text):
            do {
                return try DeliveryTrace.parse(text, name: path)
            } catch {
                for problem in error.problems.prefix(InvalidScenario.printedMax) {
                    report(
                        .faultyTrace(path, line: problem.line, problem.kind),
                        at: place
                    )
                }
                return nil
            }
        }
    }
}

/// What a file says otherwise than a profile about one direction, the last word first.
struct DirectionChanges {
    private var fields: [CheckedField]

    /// Takes the changes that a link makes to both directions.
    init(_ link: CheckedValue) {
        fields = link.fields
    }

    /// Takes the changes to one direction, which win.
    mutating func add(_ direction: CheckedValue?) {
        guard let direction else { return }
        // A rate wins over a trace for both directions, and the other way round.
        let capacity = ["rate", "trace"]
        if direction.fields.contains(where: { capacity.contains($0.key) }) {
            fields.removeAll { capacity.contains($0.key) }
        }
        fields = direction.fields + fields
    }

    private subscript(key: String) -> CheckedValue? {
        fields.first { $0.key == key }?.value
    }

    /// Changes a direction.
    func apply(to direction: inout LinkDirection, traces: [String: DeliveryTrace]) {
        if let rate = self["rate"] {
            direction.capacity =
                rate.number.map { .rate(DataRate(bitsPerSecond: $0)) } ?? .unlimited
        }
        if let trace = self["trace"]?.text.flatMap({ traces[$0] }) {
            direction.capacity = .opportunities(trace)
        }
        if let bytes = self["largest_packet"]?.number { direction.maximumBytes = Int(bytes) }
        if let queue = self["queue"].flatMap(QueueDiscipline.init) { direction.queue = queue }
        if let loss = self["loss"].flatMap(LossModel.init) { direction.loss = loss }
        if let delay = self["delay"]?.duration { direction.delay = delay }
        if let jitter = self["jitter"].flatMap(JitterModel.init) { direction.jitter = jitter }
        if let reorders = self["reordering"]?.boolean { direction.allowsReordering = reorders }
        if let share = self["duplication"]?.probability { direction.duplication = share }
        if let share = self["corruption"]?.probability { direction.corruption = share }
    }

    /// The direction with the origin of each value.
    func node(_ direction: LinkDirection, profile: String) -> ResolvedNode {
        func origin(_ key: String) -> ValueOrigin {
            self[key].map { .file($0.place.location) } ?? .profile(profile)
        }
        var entries: [ResolvedNode.Entry] = []
        switch direction.capacity {
        case .unlimited: entries.append(.init("rate", .value("unlimited", origin("rate"))))
        case .rate(let rate):
            let text = QuantityKind.dataRate.text(of: rate.bitsPerSecond)
            entries.append(.init("rate", .value(text, origin("rate"))))
        case .opportunities:
            // A profile's own trace has no file that could be named.
            if let trace = self["trace"] {
                entries.append(.init("trace", .value(trace.text ?? "", origin("trace"))))
            }
        }
        if let bytes = direction.maximumBytes {
            let text = QuantityKind.dataSize.text(of: Int64(bytes))
            entries.append(.init("largest_packet", .value(text, origin("largest_packet"))))
        }
        entries.append(.init("queue", direction.queue.node(origin("queue"))))
        entries.append(.init("loss", direction.loss.node(origin("loss"))))
        let delay = QuantityKind.duration.text(of: direction.delay.wholeNanoseconds)
        entries.append(.init("delay", .value(delay, origin("delay"))))
        if let jitter = direction.jitter.node(origin("jitter")) {
            entries.append(.init("jitter", jitter))
        }
        let reorders = direction.allowsReordering ? "true" : "false"
        entries.append(.init("reordering", .value(reorders, origin("reordering"))))
        entries.append(
            .init("duplication", .value(direction.duplication.text, origin("duplication")))
        )
        entries.append(.init("corruption", .value(direction.corruption.text, origin("corruption"))))
        return .mapping(entries)
    }
}
