import CoachStore
import KodamaEvidence
import KodamaLanguage
import ReplicaChanges
import SansIO
import Testing

@testable import KodamaCoach

@Suite("Two phones of an account come to hold the same, and lose nothing (D-28, AN-18)")
struct MirrorTests {
    private static func field(
        _ name: String,
        _ value: String,
        _ ticks: UInt64
    ) -> MirrorRecord.Field {
        MirrorRecord.Field(name, .text(value), FieldStamp(ticks: ticks, device: "a"))
    }

    private static func profile(_ fields: [MirrorRecord.Field]) -> MirrorRecord {
        MirrorRecord(table: "profile", id: "profile", fields: fields)
    }

    @Test("The mirror keeps the last writer of each property, whatever the stamps say")
    func lastWriter() {
        var mirror = MirrorDatabase()
        mirror.save([
            Self.profile([Self.field("name", "late", 9), Self.field("language", "ja", 1)])
        ])
        let (_, token) = mirror.records(since: nil)
        mirror.save([Self.profile([Self.field("name", "early", 5)])])
        let (changed, next) = mirror.records(since: token)
        #expect(changed.first?["name"]?.value == .text("early"))
        #expect(changed.first?["language"]?.value == .text("ja"))
        #expect(mirror.records(since: next).records.isEmpty)
    }

    @Test("What was deleted stays so")
    func deletion() {
        var mirror = MirrorDatabase()
        mirror.save([Self.profile([Self.field("name", "mika", 1)])])
        let stamp = FieldStamp(ticks: 2, device: "b")
        mirror.save([MirrorRecord(table: "profile", id: "profile", fields: [], deleted: stamp)])
        mirror.save([Self.profile([Self.field("name", "again", 3)])])
        #expect(mirror.records(since: nil).records.first?.deleted == stamp)
    }

    private static func weekend(seed: UInt64, more: String = "") throws -> CoachStory {
        try CoachStory(
            app: "account: mika,",
            radios: "wifi: wifi-internet",
            parameters: """
                sleeper.kind: light, mirror.on: true, mirror.edits: 12, mirror.edited_until: 80h
                """,
            timeline: """
                  - { at: 20h, do: { outage: { of: mika-phone-1, for: 50h } } }
                  - { at: 22h, do: { outage: { of: mika-phone-2, for: 47h } } }
                \(more)
                """,
            duration: "108h",
            phones: 2,
            seed: seed
        )
    }

    private static func held(_ story: CoachStory) -> [[Int64: Int64]] {
        var held: [ComponentIndex: [Int64: Int64]] = [:]
        for record in story.trace.records {
            if record.kind == FieldEdited.kind {
                let form = FieldEdited(record)
                held[record.component, default: [:]][form.field] = form.edit
            } else if record.kind == FieldHeld.kind {
                let form = FieldHeld(record)
                held[record.component, default: [:]][form.field] = form.edit
            }
        }
        return Array(held.values)
    }

    @Test("After a weekend apart both show each field's latest edit", arguments: 1...4)
    func weekend(seed: Int) throws {
        let story = try Self.weekend(seed: UInt64(seed))
        #expect(story.invariants.allSatisfy { $0.violationCount == 0 })
        #expect(try story.count("mirror.fields.lost").total == 0)
        let converge = try #require(story.metrics.first { $0.name == "mirror.converge.time" })
        guard case .distribution(let times) = converge.known else {
            throw StoryError("nothing has converged")
        }
        #expect((times.maximum ?? .max) <= 86_400 * 1_000_000_000)
        #expect(converge.occasions.censoredCount == 0)
        let held = Self.held(story).map { $0.filter { $0.key < 1_000 } }
        #expect(held.count == 2)
        let latest = Dictionary(
            story.records(FieldEdited.self).filter { $0.1.field < 1_000 }.map {
                ($0.1.field, $0.1)
            },
            uniquingKeysWith: { $0.clock > $1.clock ? $0 : $1 }
        )
        for (field, edit) in latest { #expect(held.allSatisfy { $0[field] == edit.edit }) }
    }

    @Test("A kill while a request to the mirror is under way loses nothing and gives nothing twice")
    func kills() throws {
        let whole = try Self.weekend(seed: 5)
        let syncs = whole.records(MirrorSynced.self).map(\.at)
        #expect(syncs.count > 20)
        for instant in syncs.prefix(12) {
            for back in [200, 700] {
                let milliseconds = instant.nanoseconds / 1_000_000 - Int64(back)
                let kill =
                    "  - { at: \(milliseconds)ms, do: { end-process: { of: mika-phone-1 } } }"
                let story = try Self.weekend(seed: 5, more: kill)
                #expect(story.invariants.allSatisfy { $0.violationCount == 0 }, "at \(instant)")
                #expect(try story.count("mirror.fields.lost").total == 0, "at \(instant)")
            }
        }
    }

    @Test("Reports of both phones are at the server once, though each may send those of the other")
    func reports() throws {
        let story = try Self.weekend(seed: 6)
        var times: [Int64: Int64] = [:]
        for (_, form) in story.records(ReportCounted.self) { times[form.report] = form.times }
        let kept = story.records(ReportKept.self).map(\.1.report)
        #expect(kept.count > 10)
        #expect(kept.allSatisfy { times[$0] == 1 })
    }
}

@Suite("What is measured of a mirror (D-28)")
struct MirrorMeterTests {
    private let phones = [ComponentIndex(1), ComponentIndex(2)]
    private let directory = TraceDirectory(
        names: ["api-server", "a.coach", "b.coach"],
        systems: CoachStory.registry.evidence
    )

    private func meter(_ forms: [(Int, any TraceForm)]) -> MirrorMeter {
        var meter = MirrorMeter()
        let reach = MirrorReach(account: 1, isReachable: TraceFlag(true))
        let all = [(0, reach), (1, reach)] + forms
        for (second, (phone, form)) in all.enumerated() {
            let at = Instant.zero.advanced(by: .seconds(second))
            let isMirrors = meter.take(TraceRecord(form, at: at, of: phones[phone]), at: second)
            #expect(isMirrors)
        }
        return meter
    }

    private func edited(_ edit: Int64, _ clock: Int64) -> any TraceForm {
        FieldEdited(account: 1, field: 1, edit: edit, clock: clock)
    }

    private func held(_ edit: Int64) -> any TraceForm {
        FieldHeld(account: 1, field: 1, edit: edit)
    }

    private func result(_ name: String, _ meter: MirrorMeter) throws -> MetricResult {
        let metric = try #require(meter.metrics.first { $0.metric.name == name })
        return metric.result(TraceLines(directory))
    }

    private func lost(_ meter: MirrorMeter) throws -> Int64 {
        guard case .count(let tally) = try result("mirror.fields.lost", meter).value else {
            return -1
        }
        return tally.total
    }

    @Test("The later of two concurrent edits wins; the earlier on both phones is a loss")
    func rule() throws {
        let good = meter([(0, edited(1, 10)), (1, edited(2, 20)), (0, held(2))])
        #expect(try lost(good) == 0)
        #expect(good.invariants[0].result(TraceLines(directory)).violationCount == 0)
        #expect(try result("mirror.converge.time", good).samples == 2)
        let bad = meter([(0, edited(1, 10)), (1, edited(2, 20)), (1, held(1))])
        #expect(try lost(bad) == 1)
        #expect(bad.invariants[0].result(TraceLines(directory)).violationCount == 1)
    }

    @Test("An edit that has reached one phone only is open, and one that is offline gives no time")
    func open() throws {
        let open = meter([(0, edited(1, 10))])
        #expect(try result("mirror.converge.time", open).occasions.count == 1)
        #expect(try result("mirror.converge.time", open).samples == 0)
        let away = MirrorReach(account: 1, isReachable: TraceFlag(false))
        let offline = meter([(0, edited(1, 10)), (0, away), (1, held(1))])
        #expect(try result("mirror.converge.time", offline).occasions.excludedCount == 1)
    }
}
