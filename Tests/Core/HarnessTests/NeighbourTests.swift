import Foundation
import KodamaEvidence
@testable import KodamaHarness
@testable import KodamaLanguage
import KodamaShipped
import KodamaWorld
import SansIO
import Testing

/// Phones that come to a shipped scenario's: nothing joins them to those that are there.
private enum Newcomers: String, CaseIterable {
    case session, calls, replica, group, coach

    /// Their phones; all names begin with `aaa`.
    private var phones: [String] {
        let internet = "radios: { wifi: wifi-internet }"
        return switch self {
        case .session:
            ["{ name: aaa-one, \(internet), apps: { session: { opens: 3s } } }"]
        case .calls:
            [("one", "aaa", "aab"), ("two", "aab", "aaa")].map { phone, user, contact in
                "{ name: aaa-\(phone), \(internet), apps: { calls: { user: \(user), "
                    + "contact: \(contact), answers: 2s, hangs_up: 5s } } }"
            }
        case .replica:
            ["{ name: aaa-one, \(internet), apps: { replica: { user: aaa } } }"]
        case .group:
            ["one", "two"].map { phone in
                "{ name: aaa-\(phone), radios: { cellular: internet-60 }, "
                    + "apps: { intercom: { group: aaa, secured: true } } }"
            }
        case .coach:
            [
                "{ name: aaa-one, \(internet), apps: { coach: { wakes: [00:00:10], realtime: true } } }"
            ]
        }
    }

    /// What they do, as an entry of `faults`.
    private var deeds: String? {
        let time = "of: aaa-one, from: 2s, until: 20s"
        return switch self {
        case .session, .group, .coach: nil
        case .calls: "{ \(time), every: 9s, kinds: { call: 1 } }"
        case .replica: "{ \(time), every: 4s, kinds: { write: 3, web-write: 1 } }"
        }
    }

    /// A scenario with them, before all others.
    func joining(_ scenario: String) -> String {
        let entries = phones.map { "  - \($0)\n" }.joined()
        var text = scenario.replacingOccurrences(of: "\nphones:\n", with: "\nphones:\n" + entries)
        guard let deeds else { return text }
        if text.contains("\nfaults:\n") {
            text = text.replacingOccurrences(of: "\nfaults:\n", with: "\nfaults:\n  - \(deeds)\n")
        } else {
            text += "\nfaults:\n  - \(deeds)\n"
        }
        return text
    }
}

/// An app that comes to a phone of a shipped scenario, before those that it has; its user never opens it.
///
/// The app for calls is none of them: it keeps its token for pushes whether it is opened or not, by the link that
/// the others share with it.
private enum AddedApp: String, CaseIterable {
    case session, replica, intercom, coach

    private var entry: String {
        switch self {
        case .session: "session: { opens: never }"
        case .replica: "replica: { user: aaa, opens: never }"
        case .intercom: "intercom: { secured: true, opens: never }"
        case .coach: "coach: { wakes: [23:00:00], opens: never }"
        }
    }

    /// A scenario with it on the first phone that has apps; `nil` if that has it already.
    func joining(_ scenario: String) -> String? {
        let lines = scenario.split(separator: "\n", omittingEmptySubsequences: false)
        guard let place = lines.firstIndex(where: { $0.contains(" apps:") }) else { return nil }
        let apps = lines[place...].prefix { $0.contains(" apps:") || $0.hasPrefix("      ") }
        guard !apps.contains(where: { $0.contains("\(rawValue):") }) else { return nil }
        var joined = lines.map(String.init)
        if joined[place].contains("apps: {") {
            joined[place] = joined[place].replacingOccurrences(
                of: "apps: {",
                with: "apps: { \(entry),"
            )
        } else {
            joined.insert("      \(entry)", at: place + 1)
        }
        return joined.joined(separator: "\n")
    }
}

/// The shipped scenarios, in a folder of the test's own.
private struct Copies {
    private let folder: URL

    init() throws {
        let shipped = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Scenarios")
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("neighbours-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: shipped, to: folder)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// A scenario's first point, no longer than a minute, with what comes to it.
    ///
    /// - Parameters:
    ///   - name: The scenario's file.
    ///   - change: Brings it; `nil` if there is no place for it.
    /// - Returns: The plan; `nil` without a place.
    /// - Throws: Why there is no such scenario.
    func plan(of name: String, changed change: (String) -> String?) throws -> WorldPlan? {
        let file = folder.appendingPathComponent(name)
        let text = try String(contentsOf: file, encoding: .utf8)
        guard let changed = change(text) else { return nil }
        try changed.write(to: file, atomically: true, encoding: .utf8)
        defer { try? text.write(to: file, atomically: true, encoding: .utf8) }
        let vocabulary = try ScenarioVocabulary(for: file.path, systems: .shipped)
        let scenario = try ScenarioLoader(vocabulary: vocabulary).load(file: file.path)
        var plan = try #require(scenario.points.first).plan
        plan.duration = min(plan.duration, .seconds(60))
        // The alarms of its mornings are due at 06:30.
        if name.hasPrefix("coach/") { plan.timeOfDay = .seconds(6 * 3_600 + 29 * 60 + 50) }
        return plan
    }

    /// The same as it is.
    func plan(of name: String) throws -> WorldPlan { try #require(try plan(of: name) { $0 }) }

    /// The same with newcomers.
    func plan(of name: String, with newcomers: Newcomers) throws -> WorldPlan {
        let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        let joined = newcomers.joining(text)
        try #require(joined != text, "\(name) has no phones of its own")
        return try #require(try plan(of: name) { _ in joined })
    }

    /// The records of its run by component, without those that newcomers have to do with.
    ///
    /// - Parameters:
    ///   - plan: The scenario.
    ///   - added: The names of the apps that came to phones.
    /// - Returns: The records as text.
    /// - Throws: What kept the run from its end.
    static func records(
        of plan: WorldPlan,
        without added: Set<String> = []
    ) throws -> [String: [String]] {
        let run = SingleRun(plan: plan, seed: 1, material: nil)
        let trace = try run.measure(keepingTraceOf: "neighbours", level: .media).trace
        return texts(of: trace, without: added)
    }

    private static let servers = [
        "rooms", "agents", "api", "provider", "push", "database", "match",
    ]

    /// A trace's records as text, with a number for each label in the order in which they come.
    ///
    /// Servers count calls, participants and databases, and so do the records: these are names.
    private static func texts(
        of trace: RecordedTrace,
        without added: Set<String>
    ) -> [String: [String]] {
        var labels: [String: [Int64: Int]] = [:]
        var texts: [String: [String]] = [:]
        let names = trace.directory.names
        func name(_ component: ComponentIndex) -> String {
            Int(component.index) < names.count ? names[Int(component.index)] : "-"
        }
        for record in trace.records {
            let (component, subject) = (name(record.component), name(record.subject))
            guard !component.hasPrefix("aaa"), !subject.hasPrefix("aaa") else { continue }
            guard !added.contains(component), !added.contains(subject) else { continue }
            // What a server writes of nobody may be of a newcomer.
            guard subject != "-" || !servers.contains(component) else { continue }
            let form = trace.directory.forms[record.kind].text
            // What a user does is said of the app that is meant where the phone has several.
            let about = form.name == "user.acted" ? "-" : subject
            var line = "\(record.instant.nanoseconds) \(form.name) \(about)"
            let values = (0..<form.fields.count).map { record.values[$0] }
            for (field, value) in zip(form.fields, values) {
                let label = ["call", "participant", "database"].first { field.name == $0 }
                guard let label else {
                    line += " \(value)"
                    continue
                }
                let count = labels[label, default: [:]].count
                line += " \(labels[label, default: [:]][value, default: count])"
                labels[label, default: [:]][value] = labels[label]?[value] ?? count
            }
            texts[component, default: []].append(line)
        }
        return texts
    }
}

/// Gives every system's meter every record.
private struct EveryMeter: TraceSink {
    var meter = RunMeter()

    mutating func begin(_ directory: TraceDirectory) {
        meter.begin(TraceDirectory(names: directory.names, systems: directory.systems))
    }

    mutating func record(_ record: TraceRecord) { meter.record(record) }

    mutating func record(contentsOf records: [TraceRecord]) { meter.record(contentsOf: records) }
}

extension WorldPlan {
    /// The names of its apps.
    fileprivate var apps: [String] {
        phones.flatMap { phone in phone.apps.map { AppPlan.component($0.name, on: phone.name) } }
    }
}

@Suite("Nobody's draws depend on who else is there")
struct NeighbourTests {
    /// A sample: of each system something that draws at its servers, with voice that is heard.
    private static let sample = [
        "session/conversation.yaml", "session/agents-restart.yaml", "session/refused-storm.yaml",
        "call/ring.yaml", "call/phone-call.yaml", "call/during-session.yaml",
        "replica/online.yaml", "replica/two-devices.yaml", "replica/beside-a-session.yaml",
        "coach/agent.yaml", "intercom/invites.yaml", "intercom/seven.yaml",
        "intercom/two-apps.yaml",
    ]

    @Test(
        "Phones that join a shipped scenario leave all records of the others as they were (HN-01)",
        arguments: sample
    )
    func joined(name: String) throws {
        let copies = try Copies()
        defer { copies.remove() }
        let plan = try copies.plan(of: name)
        let alone = try Copies.records(of: plan)
        #expect(alone.count > 1)
        // The intercom needs voice. Calls share the connection to the push service, which whoever calls first
        // opens for all, and rows carry the number of their write: that is no draw.
        let all = Newcomers.allCases.filter { newcomers in
            switch newcomers {
            case .session: true
            case .coach: !name.hasPrefix("coach/")
            case .replica: !name.hasPrefix("replica/")
            case .calls: !name.hasPrefix("call/")
            case .group: plan.voice != .reachability
            }
        }
        for newcomers in all {
            let crowded = try Copies.records(of: try copies.plan(of: name, with: newcomers))
            Self.compare(alone, crowded, newcomers.rawValue)
        }
    }

    @Test(
        "An app that comes to a phone of a shipped scenario, never opened, leaves all records as they were (HN-01)",
        arguments: sample
    )
    func added(name: String) throws {
        let copies = try Copies()
        defer { copies.remove() }
        let plan = try copies.plan(of: name)
        let alone = try Copies.records(of: plan)
        var count = 0
        for app in AddedApp.allCases where app != .intercom || plan.voice != .reachability {
            guard let joined = try copies.plan(of: name, changed: app.joining) else { continue }
            let added = Set(joined.apps).subtracting(plan.apps)
            #expect(!added.isEmpty)
            Self.compare(alone, try Copies.records(of: joined, without: added), "\(added)")
            count += 1
        }
        #expect(count >= 1)
    }

    private static func compare(
        _ alone: [String: [String]],
        _ crowded: [String: [String]],
        _ change: String
    ) {
        #expect(alone.count > 1)
        for (component, records) in alone.sorted(by: { $0.key < $1.key }) {
            let others = crowded[component] ?? []
            let first = zip(records, others).first { $0 != $1 }
            let difference = "\(change), \(component): \(String(describing: first))"
            #expect(records == others, Comment(rawValue: difference))
        }
    }

    @Test("Systems that take no part in a run would measure nothing of it", arguments: sample)
    func absent(name: String) throws {
        let copies = try Copies()
        defer { copies.remove() }
        let plan = try copies.plan(of: name)
        #expect(!plan.absentSystems().isEmpty)
        let run = SingleRun(plan: plan, seed: 1, material: nil)
        var all = EveryMeter()
        let evidence = try run.measure(beside: &all).evidence
        let known = all.meter.evidence(seed: 1)
        #expect(evidence.metrics == known.metrics)
        #expect(evidence.invariants == known.invariants)
    }
}
