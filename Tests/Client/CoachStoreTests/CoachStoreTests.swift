import CoachAccount
import CoachExchange
import CoachStore
import ReplicaChanges
import ReplicaStore
import SansIO
import SansIOTesting
import Testing

/// The user's cloud as a mirror: the last writer per property counts, whatever its stamp.
struct CloudMirror {
    var records: [[String]: MirrorRecord] = [:]
    mutating func save(_ record: MirrorRecord) {
        let key = [record.table, record.id]
        let present = records[key]
        let names = record.fields.map(\.name)
        let others = present?.fields.filter { !names.contains($0.name) } ?? []
        records[key] = MirrorRecord(
            table: record.table,
            id: record.id,
            fields: record.fields + others,
            deleted: record.deleted ?? present?.deleted
        )
    }

    var all: [MirrorRecord] {
        records.values.sorted { ($0.table, $0.id) < ($1.table, $1.id) }
    }
}

/// So many seconds after 1970.
func time(_ seconds: Int64) -> WallTime { WallTime(secondsSince1970: seconds) }

@Suite("The coach's records live in one file and mirror to the cloud (AN-18, D-28)")
struct CoachStoreTests {
    private static func store(
        _ name: String,
        _ image: [UInt8]? = nil
    ) throws -> CoachStore.Opening {
        try CoachStore.open(.image(image), newDevice: name)
    }

    private static func event(_ id: String, _ seconds: Int64 = 1) -> MetricEvent {
        MetricEvent(id: id, name: .wakeDone, time: time(seconds), detail: "é\u{0}")
    }

    private static func reflection(_ id: String) -> CoachReflection {
        let report = ReflectionReport(
            id: id,
            day: "2026-11-27",
            summary: "slept badly",
            affect: "tired",
            topics: ["work", "tea"]
        )
        return CoachReflection(report, phrases: ["up now"])
    }

    /// All that a phone would hand out if the mirror had nothing.
    private static func everything(_ store: CoachStore) throws -> [MirrorRecord] {
        let copy = try CoachStore.open(.image(store.image()), newDevice: "copy").store
        _ = try copy.take([], isEverything: true)
        return try copy.unmirrored(10_000).records.sorted { ($0.table, $0.id) < ($1.table, $1.id) }
    }

    @Test("Topics and phrases come back each by itself, whatever line ends they have (AN-18)")
    func texts() throws {
        let cases: [[String]] = [
            [], [""], ["", ""], ["sleep\r", "work"], ["a\nb", "c"], ["\n"], ["\r\n", "x"],
            ["[\"a\"]", "b"], ["[\"", "b"], ["\u{301}a", "b"], ["plain", "two words"],
        ]
        let store = try Self.store("a").store
        for (number, texts) in cases.enumerated() {
            var reflection = Self.reflection("\(number)")
            (reflection.report.topics, reflection.phrases) = (texts, texts.reversed())
            try store.save(reflection, at: time(1))
            let read = try #require(try store.record(CoachReflection.self, "\(number)"))
            #expect(read.report.topics.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
            #expect(read.phrases.map { Array($0.utf8) } == texts.reversed().map { Array($0.utf8) })
        }
    }

    @Test("Every kind of record comes back as it was kept, after another launch as well")
    func roundTrip() throws {
        let store = try Self.store("a").store
        let profile = CoachProfile(name: "Mika", voiceMode: "clone", flags: [.realtime])
        let routine = CoachRoutine(id: "r", wakeMinute: 390, weekdays: 31, timeZone: "Asia/Tokyo")
        let voice = CoachVoice(id: "v", voice: "x", consented: time(9), consentVersion: 2)
        for _ in 0..<2 {
            try store.save(profile, at: time(1))
            try store.save(routine, at: time(1))
            try store.save(voice, at: time(1))
            try store.save(Self.reflection("e"), at: time(1))
            try store.save(CoachInteraction(Self.event("i")), at: time(1))
        }
        let again = try Self.store("other", store.image())
        #expect(!again.isNew && again.store.device == "a")
        #expect(try again.store.records(of: CoachProfile.self) == [profile])
        #expect(try again.store.record(CoachRoutine.self, "r") == routine)
        #expect(try again.store.records(of: CoachVoice.self) == [voice])
        #expect(try again.store.records(of: CoachReflection.self) == [Self.reflection("e")])
        #expect(try again.store.records(of: CoachInteraction.self).map(\.event.id) == ["i"])
        #expect(try again.store.unmirrored().records.count == 5, "the same again is no change")
    }

    @Test("A deleted record is gone, keeps none of its fields and is never kept again")
    func deletion() throws {
        let store = try Self.store("a").store
        try store.save(CoachVoice(id: "v", voice: "secret voice"), at: time(1))
        try store.delete(CoachVoice.self, "v", at: time(2))
        #expect(try store.record(CoachVoice.self, "v") == nil)
        #expect(try !store.save(CoachVoice(id: "v", voice: "again"), at: time(3)))
        #expect(try store.records(of: CoachVoice.self).isEmpty)
        #expect(try store.isVoiceDeleted("v"))
        let sent = try store.unmirrored().records
        #expect(sent.count == 1 && sent[0].fields.isEmpty && sent[0].deleted != nil)
    }

    @Test("Two stores merged in every order converge", arguments: 0..<12 as Range<UInt64>)
    func everyOrder(seed: UInt64) throws {
        var random = LawRandom(seed: seed)
        var made: [MirrorRecord] = []
        for name in ["a", "b"] {
            let store = try Self.store(name).store
            for step in 0..<8 { try Self.edit(store, at: time(Int64(step)), &random) }
            made += try Self.everything(store)
        }
        var images: [[MirrorRecord]] = []
        for _ in 0..<4 {
            let store = try Self.store("c").store
            var order = made
            while !order.isEmpty {
                let record = order.remove(at: random.below(order.count))
                for _ in 0...random.below(2) { try store.take([record]) }
            }
            images.append(try Self.everything(store))
        }
        #expect(images.allSatisfy { $0 == images[0] })
        #expect(!images[0].isEmpty)
    }

    private static func edit(
        _ store: CoachStore,
        at time: WallTime,
        _ random: inout LawRandom
    ) throws {
        let number = "\(random.below(3))"
        switch random.below(10) {
        case 0: try store.delete(CoachRoutine.self, number, at: time)
        case 1..<4:
            var routine = try store.record(CoachRoutine.self, number) ?? CoachRoutine(id: number)
            routine.wakeMinute = Int64(random.below(1_440))
            try store.save(routine, at: time)
        case 4..<6:
            var routine = try store.record(CoachRoutine.self, number) ?? CoachRoutine(id: number)
            routine.script = "script \(random.below(100))"
            try store.save(routine, at: time)
        case 6..<8:
            var profile = try store.record(CoachProfile.self, "profile") ?? CoachProfile()
            profile.name = "name \(random.below(100))"
            try store.save(profile, at: time)
        default:
            try store.save(CoachInteraction(event("\(store.device)\(random.next())")), at: time)
        }
    }

    @Test(
        "Phones that edit offline converge over a mirror that keeps the last to arrive and drops some",
        arguments: 0..<16 as Range<UInt64>
    )
    func convergence(seed: UInt64) throws {
        var random = LawRandom(seed: seed)
        var mirror = CloudMirror()
        let stores = try ["a", "b", "c"].map { try Self.store($0).store }
        var isDropping = true
        func sync(_ store: CoachStore, everything: Bool) throws -> Int {
            let batch = try store.unmirrored(1 + random.below(5))
            var saved: [MirrorRecord] = []
            for record in batch.records where random.chance(percent: isDropping ? 70 : 100) {
                saved.append(record)
                // What is dropped was said to be saved.
                if !isDropping || random.chance(percent: 90) { mirror.save(record) }
            }
            try store.noteMirrored(batch, saved: saved)
            let outcome = try store.take(mirror.all, isEverything: everything, token: "t")
            return batch.records.count + outcome.changed + outcome.queuedAgain
        }
        for step in 0..<60 {
            let store = stores[random.below(3)]
            // Clocks differ by an hour, and one goes back.
            let clock = Int64(step) + (store.device == "b" ? 3_600 : step > 30 ? -50 : 0)
            try Self.edit(store, at: time(clock), &random)
            if random.chance(percent: 30) {
                _ = try sync(stores[random.below(3)], everything: false)
            }
        }
        isDropping = false
        var rounds = 0
        while rounds < 200 {
            rounds += 1
            if try stores.map({ try sync($0, everything: true) }) == [0, 0, 0] { break }
        }
        #expect(rounds < 200, "it never comes to rest")
        let views = try stores.map { try Self.everything($0) }
        #expect(views.allSatisfy { $0 == views[0] } && !views[0].isEmpty)
        #expect(try mirror.all == Self.everything(stores[0]))
        for store in stores { #expect(try store.mirrorToken() == "t") }
    }

    @Test("Who edits what they see wins, on a phone whose clock is behind as well")
    func clockBehind() throws {
        let ahead = try Self.store("a").store
        let behind = try Self.store("b").store
        try ahead.save(CoachRoutine(id: "1", script: "old"), at: time(9_000))
        try behind.take(ahead.unmirrored().records)
        try behind.save(CoachRoutine(id: "1", script: "new"), at: time(5))
        try ahead.take(behind.unmirrored().records)
        #expect(try ahead.record(CoachRoutine.self, "1")?.script == "new")
        try behind.delete(CoachRoutine.self, "1", at: time(6))
        try ahead.take(behind.unmirrored().records)
        #expect(try ahead.records(of: CoachRoutine.self).isEmpty)
    }

    @Test("What the mirror refuses stays in the outbox, and what is written meanwhile as well")
    func partlySaved() throws {
        let store = try Self.store("a").store
        try store.save(CoachRoutine(id: "1"), at: time(1))
        try store.save(CoachRoutine(id: "2"), at: time(1))
        let batch = try store.unmirrored()
        try store.save(CoachRoutine(id: "1", wakeMinute: 5), at: time(2))
        try store.noteMirrored(batch, saved: batch.records.filter { $0.id == "1" })
        let left = try store.unmirrored().records
        #expect(left.map(\.id) == ["2", "1"])
        #expect(left[1].fields.map(\.name) == ["wake_minute"])
    }

    @Test("Fields and tables that only a later version knows are passed over, and asked for again")
    func laterVersion() throws {
        let store = try Self.store("a").store
        let stamp = FieldStamp(ticks: 1, device: "z")
        let fields = [
            MirrorRecord.Field("name", .text("Mika"), stamp),
            MirrorRecord.Field("shoe_size", .integer(38), stamp),
        ]
        let odd = MirrorRecord(table: "pets", id: "1", fields: fields)
        let known = MirrorRecord(table: "profile", id: "profile", fields: fields)
        let outcome = try store.take([odd, known], token: "t")
        #expect(outcome.unknown == 2 && outcome.changed == 1 && outcome.queuedAgain == 0)
        #expect(try store.mirrorToken() == "t")
        var schema = CoachSchema.schema
        schema.versions.append([.addColumn("profile", .init("shoe_size", .integer))])
        schema.versions[1].append(.addColumn("profile", .init("shoe_size_at", .text)))
        let image = try store.image()
        let later = try CoachStore.open(.image(image), newDevice: "b", form: .init(of: schema))
            .store
        #expect(try later.mirrorToken() == nil, "what was passed over comes once more")
        #expect(try later.record(CoachProfile.self, "profile")?.name == "Mika")
        #expect(try later.take([known]).changed == 1)
    }

    @Test(
        "A damaged file is set aside; what the mirror lacks is saved, the rest comes back (RP-07)"
    )
    func damage() throws {
        let store = try Self.store("a").store
        var mirror = CloudMirror()
        for number in 0..<40 {
            try store.save(CoachRoutine(id: "\(number)", script: "old"), at: time(1))
        }
        let batch = try store.unmirrored()
        for record in batch.records { mirror.save(record) }
        try store.noteMirrored(batch, saved: batch.records)
        try store.save(CoachRoutine(id: "3", script: "new"), at: time(2))
        try store.save(Self.reflection("e"), at: time(2))
        try store.keep(OnboardingProgress(outcomes: [.done, .declined]), at: time(2))
        var image = try store.image()
        for index in 0..<100 { image[index] = 0 }
        let opening = try Self.store("new", image)
        let rescue = try #require(opening.rescue)
        #expect(rescue.isComplete && rescue.unsentCount == 3)
        let found = opening.store
        #expect(found.device == "a")
        #expect(try found.mirrorToken() == nil)
        #expect(
            try found.batch(of: .reflections, countMax: 1)
                == .reflection(Self.reflection("e").report)
        )
        #expect(try found.onboardingProgress().outcomes == [.done, .declined])
        try found.take(mirror.all, isEverything: true, token: "t")
        #expect(try found.records(of: CoachRoutine.self).count == 40)
        #expect(try found.record(CoachRoutine.self, "3")?.script == "new")
        try found.noteRescueShown()
        #expect(try Self.store("x", found.image()).rescue == nil)
    }

    @Test("A store is claimed by one user, for every launch, and no other claims it (AN-08)")
    func claimed() throws {
        var image = try Self.store("a").store.image()
        for round in 0..<2 {
            let store = try Self.store("other", image).store
            #expect(try store.owner() == (round == 0 ? nil : "Zo\u{E9}"))
            try store.save(Self.reflection("\(round)"), at: time(1))
            try store.claim(for: "Zo\u{E9}")
            #expect(throws: CoachStore.Failure.self) { try store.claim(for: "ben") }
            #expect(throws: CoachStore.Failure.self) { try store.claim(for: "Zoe\u{301}") }
            #expect(try store.owner() == "Zo\u{E9}")
            image = try store.image()
        }
        let store = try Self.store("other", image).store
        #expect(try store.records(of: CoachReflection.self).count == 2)
    }

    @Test("The outboxes hold what was not delivered, the oldest first, and what was not rejected")
    func outboxes() throws {
        let store = try Self.store("a").store
        #expect(try store.batch(of: .metrics, countMax: 9) == .empty)
        for (id, seconds) in [("c", 3), ("a", 1), ("b", 2)] as [(String, Int64)] {
            try store.save(CoachInteraction(Self.event(id, seconds)), at: time(seconds))
        }
        let first = [Self.event("a", 1), Self.event("b", 2)]
        #expect(try store.batch(of: .metrics, countMax: 2) == .metrics(first))
        let refused = RefusedEvent(id: "b", why: "too old")
        let mark = OutboxDelivery.Mark(taken: ["a", "nobody"], rejected: [refused])
        try store.mark(mark, in: .metrics, at: time(4))
        #expect(try store.batch(of: .metrics, countMax: 9) == .metrics([Self.event("c", 3)]))
        #expect(try store.record(CoachInteraction.self, "b")?.delivery == .rejected("too old"))
        #expect(try store.records(of: CoachInteraction.self).count == 3)
    }

    @Test("What this phone alone does is kept, and no other phone takes it for its own")
    func ownValues() throws {
        let store = try Self.store("a").store
        let offer = CloneOffer(
            profile: "p",
            consentVersion: 1,
            consented: time(5),
            salt: [UInt8](repeating: 3, count: 16),
            partCount: 4
        )
        let all: [VoiceProgress] = [
            .sealed(offer), .registered(profile: "p", voice: "v"), .deleting(profile: "p"), .none,
        ]
        for progress in all {
            try store.keep(progress, at: time(6))
            #expect(try store.voiceProgress() == progress)
        }
        #expect(try store.records(of: CoachVoice.self).isEmpty)
        let signed = SignedSubscription(transaction: "t", renewalInfo: "r")
        let record = EntitlementRecord(subscription: signed, fetched: time(1), latestKnown: time(2))
        try store.keep(record, at: time(7))
        #expect(try store.entitlement() == record)
        let other = try Self.store("b").store
        try other.take(store.unmirrored().records)
        #expect(try other.entitlement() == EntitlementRecord())
        #expect(try other.isVoiceDeleted("p"))
    }
}
