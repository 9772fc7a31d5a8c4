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
    case session, callers, callees, replica, writers, group, coach

    /// The lines of their scenario; all names begin with `aaa`.
    private var lines: [String] {
        let internet = "radios: { wifi: wifi-internet }"
        let calls = "hangs_up: 5s, answers: 2s"
        let span = "from: 2s, until: 20s"
        return switch self {
        case .session:
            ["phones: [{ name: aaa-session, \(internet), apps: { session: { opens: 3s } } }]"]
        case .callers:
            [
                "phones:",
                "  - { name: aaa-one, \(internet), apps: { calls: { user: aaa, contact: aab, \(calls) } } }",
                "  - { name: aaa-two, \(internet), apps: { calls: { user: aab, contact: aaa, \(calls) } } }",
                "faults: [{ of: aaa-one, \(span), every: 9s, kinds: { call: 1 } }]",
            ]
        case .callees:
            ["phones: [{ name: aaa-callee, \(internet), apps: { calls: { user: aac } } }]"]
        case .replica:
            ["phones: [{ name: aaa-replica, \(internet), apps: { replica: { user: aad } } }]"]
        case .writers:
            [
                "phones: [{ name: aaa-writer, \(internet), apps: { replica: { user: aae } } }]",
                "faults: [{ of: aaa-writer, \(span), every: 4s, kinds: { write: 3, web-write: 1 } }]",
            ]
        case .group:
            [
                "phones:",
                "  - { name: aaa-left, radios: { cellular: internet-60 }, apps: { intercom: { secured: true } } }",
                "  - { name: aaa-right, radios: { cellular: internet-60 }, apps: { intercom: { secured: true } } }",
                "voice: sized",
            ].map { $0.replacingOccurrences(of: "secured", with: "group: aaa, secured") }
        case .coach:
            [
                "phones:",
                "  - { name: aaa-coach, \(internet), apps: { coach: { wakes: [06:30:00], realtime: true } } }",
                "clock: 06:29:50",
            ]
        }
    }

    /// Their plan.
    var plan: WorldPlan {
        get throws { try Shipped.plan("newcomers.yaml", Shipped.story(lines)) }
    }

    /// Whether others may not notice them.
    ///
    /// Calls share the connection to the push service, which whoever calls first opens for all; and rows carry
    /// the number of their write, whose digits are sent. Neither is a draw.
    func areApart(from plan: WorldPlan) -> Bool {
        switch self {
        case .callers: !plan.has("calls")
        case .writers: !plan.has("replica")
        case .group: plan.voice != .reachability
        case .session, .callees, .replica, .coach: true
        }
    }
}

/// The shipped scenarios, as plans that end after 75 s: most have done by then what they are about.
private enum Shipped {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Scenarios")

    /// All of them.
    static var names: [String] {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap {
            $0 as? String
        }
        return (files ?? []).filter { $0.hasSuffix(".yaml") && $0.contains("/") }.sorted()
    }

    /// A scenario of these lines.
    static func story(_ lines: [String]) -> String {
        let head = ["version: 2", "scenario: newcomers", "duration: 30s"]
        let gate = "expect: [{ metric: network.up.bytes, value: '>= 1B', allow_no_data: true }]"
        return (head + lines + [gate]).joined(separator: "\n") + "\n"
    }

    /// A scenario's first point; of the alarms in it, those are due that are set for 06:30.
    static func plan(_ name: String, _ text: String? = nil) throws -> WorldPlan {
        let file = folder.appendingPathComponent(name)
        let text = try text ?? String(contentsOf: file, encoding: .utf8)
        let vocabulary = try ScenarioVocabulary(for: file.path, systems: .shipped)
        let scenario = try ScenarioLoader(vocabulary: vocabulary).load(text: text, file: file.path)
        var plan = try #require(scenario.points.first).plan
        plan.duration = min(plan.duration, .seconds(75))
        if plan.voice == .real { plan.voice = .sized }
        plan.timeOfDay = .seconds(6 * 3_600 + 29 * 60 + 50)
        return plan
    }

    /// An app that comes to a phone, which its user never opens.
    static func idleApp(_ system: String) throws -> AppPlan {
        let (app, more) =
            switch system {
            case "coach": ("wakes: [23:00:00], ", ["clock: 22:00:00"])
            case "intercom": ("secured: true, ", ["voice: sized"])
            case "replica": ("user: aaa, ", [])
            default: ("", [] as [String])
            }
        let apps = "apps: { \(system): { \(app)opens: never } }"
        let phone = "phones: [{ name: aaa, radios: { wifi: wifi-internet }, \(apps) }]"
        return try #require(try plan("newcomers.yaml", story(more + [phone])).phones[0].apps.first)
    }
}

extension WorldPlan {
    /// Whether a phone has an app of a system.
    fileprivate func has(_ system: String) -> Bool {
        phones.contains { $0.apps.contains { $0.name == system } }
    }

    /// Whether all of it is in the simulator.
    fileprivate var isWhole: Bool {
        phones.allSatisfy { $0.apps.allSatisfy { $0.settings.program == nil } }
    }

    /// The same with its phones in the opposite order.
    fileprivate var reversed: WorldPlan {
        var reversed = self
        reversed.phones.reverse()
        return reversed
    }

    /// The same with other phones before all of its own.
    fileprivate func joined(by newcomers: [WorldPlan]) -> WorldPlan {
        var joined = self
        joined.phones = newcomers.flatMap(\.phones) + phones
        joined.faults = newcomers.flatMap(\.faults) + faults
        return joined
    }

    /// The same with more apps on the first phone that has some; `nil` if it has them all.
    fileprivate func adding(_ apps: [AppPlan]) -> (plan: WorldPlan, names: Set<String>)? {
        guard let index = phones.firstIndex(where: { !$0.apps.isEmpty }) else { return nil }
        let phone = phones[index]
        let added = apps.filter { app in !phone.apps.contains { $0.name == app.name } }
        guard !added.isEmpty else { return nil }
        var plan = self
        plan.phones[index].apps = (phone.apps + added).sorted { $0.name < $1.name }
        return (plan, Set(added.map { AppPlan.component($0.name, on: phone.name) }))
    }
}

/// The records of a run by component, without those that newcomers have to do with.
private struct Course {
    /// A record, with numbers for labels in the order in which they come.
    struct Line: Hashable {
        let instant: Instant
        let kind: TraceKind
        let subject: String
        var values: SIMD4<Int64>
    }

    private(set) var lines: [String: [Line]] = [:]
    private var labels: [String: [Int64: Int64]] = [:]

    private static let servers = [
        "rooms", "agents", "api", "provider", "push", "database", "match",
    ]

    /// Runs a plan.
    init(_ plan: WorldPlan, without added: Set<String> = []) throws {
        var recorder = TraceRecorder(scenario: plan.name, seed: 1, level: .media)
        try SingleRun(plan: plan, seed: 1, material: nil).run(into: &recorder)
        let directory = recorder.trace.directory
        let parties = directory.names.map { Party($0, isNew: added.contains($0)) } + [Party("-")]
        func party(_ component: ComponentIndex) -> Int {
            min(Int(component.index), directory.names.count)
        }
        var courses = parties.map { _ in [Line]() }
        var forms: [TraceKind: Form] = [:]
        for record in recorder.trace.records {
            let (component, subject) = (party(record.component), party(record.subject))
            guard !parties[component].isNew, !parties[subject].isNew else { continue }
            // What a server writes of nobody may be of a newcomer.
            guard subject < directory.names.count || !parties[component].isServer else { continue }
            let form = forms[record.kind] ?? Form(directory.forms[record.kind].text)
            forms[record.kind] = form
            var line = Line(
                instant: record.instant,
                kind: record.kind,
                subject: form.isOfOne ? parties[subject].name : "-",
                values: record.values
            )
            for (index, field) in form.labels {
                line.values[index] = label(field, record.values[index])
            }
            courses[component].append(line)
        }
        for (party, lines) in zip(parties, courses) where !lines.isEmpty {
            self.lines[party.name] = lines
        }
    }

    /// A component, or none.
    private struct Party {
        let name: String
        let isNew: Bool
        let isServer: Bool

        init(_ name: String, isNew: Bool = false) {
            self.name = name
            self.isNew = isNew || name.hasPrefix("aaa")
            isServer = Course.servers.contains(name)
        }
    }

    /// What is compared of a kind of record.
    private struct Form {
        /// Whether it tells whom it is about.
        ///
        /// What a user does is said of the app that is meant where the phone has several; and a database is
        /// migrated by one of several phones that ask at once.
        let isOfOne: Bool
        /// Servers count calls, participants and databases, and so do the records: these are names.
        let labels: [(index: Int, field: String)]

        init(_ text: TraceFormText) {
            isOfOne = text.name != "user.acted" && text.name != "primary.migrated"
            labels = text.fields.enumerated().map { ($0.offset, $0.element.name) }
                .filter { ["call", "participant", "database"].contains($0.1) }
        }
    }

    private mutating func label(_ field: String, _ value: Int64) -> Int64 {
        let count = Int64(labels[field, default: [:]].count)
        let number = labels[field, default: [:]][value] ?? count
        labels[field, default: [:]][value] = number
        return number
    }

    /// Expects that a run with newcomers has the same records, up to an instant if one is given.
    func expect(_ other: Course, _ change: String, until end: Instant? = nil) {
        func before(_ lines: [Line]?) -> [Line] {
            let lines = lines ?? []
            return end.map { end in lines.filter { $0.instant < end } } ?? lines
        }
        #expect(lines.count > 1)
        for component in lines.keys.sorted() {
            let (mine, others) = (before(lines[component]), before(other.lines[component]))
            guard mine != others else { continue }
            let first = zip(mine, others).first { $0 != $1 }
            let counts = "\(mine.count) and \(others.count)"
            Issue.record("\(change), \(component), \(counts): \(String(describing: first))")
        }
    }
}

/// Gives every system's meter and narrator every record.
private struct Everybody: TraceSink {
    var meter = RunMeter()
    var narrator = RunNarrator()

    mutating func begin(_ directory: TraceDirectory) {
        let whole = TraceDirectory(names: directory.names, systems: directory.systems)
        meter.begin(whole)
        narrator.begin(whole)
    }

    mutating func record(_ record: TraceRecord) { self.record(contentsOf: [record]) }

    mutating func record(contentsOf records: [TraceRecord]) {
        meter.record(contentsOf: records)
        narrator.record(contentsOf: records)
    }
}

@Suite("Nobody's draws depend on who else is there")
struct NeighbourTests {
    private static let isNight = ProcessInfo.processInfo.environment["KODAMA_NEIGHBOURS"] == "all"

    /// A sample by day: of each system something that draws at its servers, with voice that is heard.
    ///
    /// With `KODAMA_NEIGHBOURS=all` every shipped scenario, and each change by itself.
    private static let scenarios =
        isNight
        ? Shipped.names
        : [
            "session/conversation.yaml", "session/agents-restart.yaml",
            "session/refused-storm.yaml",
            "call/ring.yaml", "call/phone-call.yaml", "call/during-session.yaml",
            "replica/online.yaml", "replica/two-devices.yaml", "replica/beside-a-session.yaml",
            "coach/agent.yaml", "intercom/invites.yaml", "intercom/seven.yaml",
            "intercom/two-apps.yaml",
        ]

    @Test(
        "Phones that join a scenario or are listed in reverse, and apps never opened, change nobody's records (HN-01)",
        arguments: scenarios
    )
    func unmoved(name: String) throws {
        let plan = try Shipped.plan(name)
        guard plan.isWhole else { return }
        let alone = try Course(plan)
        let newcomers = Newcomers.allCases.filter { $0.areApart(from: plan) }
        #expect(newcomers.count >= 4)
        let plans = try newcomers.map { try $0.plan }
        let systems = ["replica", "session"] + (plan.voice == .reachability ? [] : ["intercom"])
        let idle = plan.adding(try systems.map { try Shipped.idleApp($0) })
        if Self.isNight {
            alone.expect(try Course(plan.reversed), "listed in reverse")
            alone.expect(try Course(plan.joined(by: plans)), "joined by \(newcomers)")
            if let idle {
                let course = try Course(idle.plan, without: idle.names)
                alone.expect(course, "with \(idle.names.sorted())")
            }
        } else {
            let crowd = (idle?.plan ?? plan).reversed.joined(by: plans)
            let course = try Course(crowd, without: idle?.names ?? [])
            let apps = idle?.names.sorted() ?? []
            alone.expect(course, "listed in reverse, joined by \(newcomers), with \(apps)")
        }
        if let idle = plan.adding([try Shipped.idleApp("coach")]) {
            // With the coach comes a sleeper, who locks the phone after a minute.
            let course = try Course(idle.plan, without: idle.names)
            alone.expect(course, "with a coach", until: .zero.advanced(by: .seconds(60)))
        }
    }

    @Test(
        "Systems that take no part would measure nothing and have nothing to say",
        arguments: scenarios
    )
    func absent(name: String) throws {
        let plan = try Shipped.plan(name)
        guard plan.isWhole, !plan.absentSystems().isEmpty else { return }
        let run = SingleRun(plan: plan, seed: 1, material: nil)
        var sinks = SinkPair(Everybody(), RunNarrator())
        let evidence = try run.measure(beside: &sinks).evidence
        let known = sinks.first.meter.evidence(seed: 1)
        #expect(evidence.metrics == known.metrics)
        #expect(evidence.invariants == known.invariants)
        #expect(sinks.second.sentences == sinks.first.narrator.sentences)
    }
}
