import KodamaShipped
@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaPhone
@testable import KodamaReplica
@testable import KodamaSimulation
import RealtimeVoice
import SansIO
import Testing

@Suite("Replicas of a user's own database: what is written, and what is left of it")
struct ReplicaTests {
    private static let phone = "mika-phone"
    private static let app = "mika-phone.replica"
    private static let primary = "database"

    /// A phone on clean Wi-Fi whose user has the app in front from the start.
    private static func plan(
        lasting duration: Duration,
        on phones: [String] = [ReplicaTests.phone]
    ) -> WorldPlan {
        var plan = WorldPlan(name: "replica", duration: duration, systems: .shipped)
        plan.voice = .reachability
        let direction = LinkDirection.after(.milliseconds(20))
        let profile = LinkProfile(name: "test", summary: "", source: "", forward: direction)
        for name in phones {
            var settings = ReplicaAppPlan()
            settings.user = "mika"
            var phone = PhonePlan(name: name)
            phone.radios = [RadioPlan(.wifi, profile: profile)]
            phone.apps = [AppPlan(settings, start: .opened(at: .zero))]
            plan.phones.append(phone)
        }
        return plan
    }

    private static func entry(_ seconds: Int64, _ act: ReplicaAppAct) -> TimelineEntry {
        TimelineEntry(act, to: app, trigger: .at(.seconds(seconds)))
    }

    private static func entry(_ seconds: Int64, _ act: PhoneAct) -> TimelineEntry {
        TimelineEntry(act, to: phone, trigger: .at(.seconds(seconds)))
    }

    private static func entry(_ seconds: Int64, _ act: PrimaryAct) -> TimelineEntry {
        TimelineEntry(act, to: primary, trigger: .at(.seconds(seconds)))
    }

    private static func wifi(_ seconds: Int64, isUp: Bool) -> TimelineEntry {
        entry(seconds, PhoneAct.radio(.wifi, isUp: isUp, .immediate))
    }

    private static func write(_ seconds: Int64, _ kind: ReplicaWrite.Kind = .new) -> TimelineEntry {
        entry(seconds, ReplicaAppAct.write(ReplicaWrite(kind: kind)))
    }

    /// Which writes the primary took, in order.
    private static func taken(_ run: WorldRun) -> [Int64] {
        run.values(PrimaryTook.self).map(\.write)
    }

    private static func sides(_ run: WorldRun, of phone: String = ReplicaTests.phone) -> [Bool] {
        run.values(ReplicaSides.self, of: phone).map(\.isEqual.isSet)
    }

    @Test("What is written without a network is at the primary once it is back (RP-02, RP-04)")
    func offline() throws {
        var plan = Self.plan(lasting: .seconds(60))
        plan.timeline = [
            Self.wifi(10, isUp: false), Self.write(15), Self.write(16, .edit), Self.write(17),
            Self.write(18, .delete), Self.wifi(30, isUp: true),
        ]
        let run = try WorldRun(plan)
        #expect(run.values(ReplicaWritten.self).map(\.write) == [1, 2, 3, 4])
        #expect(Self.taken(run) == [1, 2, 3, 4])
        let took = run.records(PrimaryTook.self)
        #expect(took.allSatisfy { $0.instant > Instant.zero.advanced(by: .seconds(30)) })
        #expect(took.allSatisfy { run.phone(of: $0.subject) == Self.phone })
        #expect(Self.sides(run) == [true, false, true])
        #expect(run.records(ReplicaTokenFound.self).isEmpty)
        #expect(run.digest.run == (try WorldRun(plan)).digest.run)
    }

    @Test("A process's end leaves the file, and its writes arrive from the next one (RP-04)")
    func relaunch() throws {
        var plan = Self.plan(lasting: .seconds(60))
        plan.timeline = [
            Self.wifi(10, isUp: false), Self.write(15),
            Self.entry(20, PhoneAct.killApp(ReplicaAppPlan.system)), Self.wifi(25, isUp: true),
            Self.entry(30, PhoneAct.openApp(ReplicaAppPlan.system)),
        ]
        let run = try WorldRun(plan)
        let openings = run.values(ReplicaOpened.self)
        #expect(openings.map(\.opening.value) == [.made, .opened])
        #expect(openings.map(\.unsent) == [0, 1])
        #expect(Self.taken(run) == [1])
        #expect(Self.sides(run).last == true)
    }

    @Test("The run's end says what a file keeps, whether its process runs or not (RP-04)")
    func kept() throws {
        for isKilled in [false, true] {
            var plan = Self.plan(lasting: .seconds(40))
            plan.timeline = [Self.wifi(10, isUp: false), Self.write(15)]
            if isKilled {
                let kill = PhoneAct.killApp(ReplicaAppPlan.system)
                plan.timeline.append(Self.entry(20, kill))
            }
            let run = try WorldRun(plan)
            #expect(run.values(ReplicaKept.self).map(\.write) == [1])
            #expect(Self.taken(run).isEmpty)
        }
    }

    @Test("What is written on the web and on one phone is on the other one (RP-01)")
    func shared() throws {
        let phones = [Self.phone, "pad"]
        var plan = Self.plan(lasting: .seconds(200), on: phones)
        let note = ReplicaWrite(kind: .new, row: "note")
        let edit = ReplicaWrite(kind: .edit, row: "note")
        plan.timeline = [
            Self.entry(10, PrimaryAct.write(user: "mika", note)),
            Self.entry(90, ReplicaAppAct.write(edit)),
        ]
        let run = try WorldRun(plan)
        #expect(Self.taken(run) == [1, 2])
        let subjects = run.records(PrimaryTook.self).map(\.subject)
        #expect(subjects.first == ComponentIndex.none)
        for phone in phones {
            #expect(Self.sides(run, of: phone).last == true, "\(phone)")
        }
    }

    @Test("How long a log is, and what a primary would lose, are the plan's figures (RP-04)")
    func serverFigures() throws {
        var plan = Self.plan(lasting: .seconds(60))
        let write = PrimaryAct.write(user: "mika", ReplicaWrite(kind: .new))
        plan.timeline = [
            Self.wifi(10, isUp: false), Self.entry(12, write), Self.entry(13, write),
            Self.entry(14, write), Self.entry(15, write), Self.wifi(30, isUp: true),
            Self.entry(40, write), Self.entry(45, PrimaryAct.fail(user: "mika")),
        ]
        /// How many snapshots the phone asks for, and what the primary has after its failure.
        func outcome() throws -> [Int64] {
            let run = try WorldRun(plan)
            let asked = run.values(ReplicaAsked.self).count { $0.request.value == .snapshot }
            return [Int64(asked)] + run.values(PrimaryRolledBack.self).map(\.through)
        }
        // Two of a new file, of which the first one finds no schema.
        #expect(try outcome() == [2, 4])
        plan.replicaServices.logChangesMax = 2
        plan.replicaServices.durabilityDelay = .seconds(1)
        #expect(try outcome() == [3, 5])
    }

    @Test(
        "A damaged file is found at the next launch, which says so, also damaged so again (RP-07)",
        arguments: FileDamage.allCases,
        [1, 2, 4]
    )
    func damaged(_ damage: FileDamage, times: Int) throws {
        var plan = Self.plan(lasting: .seconds(60))
        plan.timeline = [
            Self.wifi(10, isUp: false), Self.write(15),
            Self.entry(20, PhoneAct.killApp(ReplicaAppPlan.system)), Self.wifi(25, isUp: true),
            Self.entry(30, PhoneAct.openApp(ReplicaAppPlan.system)),
        ]
        let acts = (0..<times).map { _ in Self.entry(16, ReplicaAppAct.damage(damage)) }
        plan.timeline.insert(contentsOf: acts, at: 2)
        let run = try WorldRun(plan)
        let damaged = run.records(ReplicaFileDamaged.self)
        #expect(damaged.map { ReplicaFileDamaged($0).unsent } == Array(repeating: 1, count: times))
        // The process that has it open does not notice.
        let end = run.records(AppTerminated.self).map(\.instant)
        #expect(end.count == 1 && damaged.allSatisfy { $0.instant == end.first })
        #expect(run.values(ReplicaOpened.self).map(\.opening.value) == [.made, .rebuilt])
        #expect(run.records(ReplicaDamageReported.self).count == 1)
        #expect(Self.sides(run).last == true)
    }

    @Test(
        "A file of which next to nothing is left can be damaged in every way",
        arguments: FileDamage.allCases
    )
    func damagedFurther(_ damage: FileDamage) throws {
        var plan = Self.plan(lasting: .seconds(30))
        plan.timeline = [Self.write(5)]
        plan.timeline += (0..<20).map { _ in Self.entry(10, ReplicaAppAct.damage(.cut)) }
        plan.timeline += [
            Self.entry(11, ReplicaAppAct.damage(damage)),
            Self.entry(12, PhoneAct.killApp(ReplicaAppPlan.system)),
            Self.entry(15, PhoneAct.openApp(ReplicaAppPlan.system)),
        ]
        let opened = try WorldRun(plan).values(ReplicaOpened.self)
        #expect(opened.map(\.opening.value) == [.made, .rebuilt])
    }

    @Test("A file that is opened late, since the disk was full, is exchanged all the same (RP-03)")
    func openedLate() throws {
        var plan = Self.plan(lasting: .seconds(60))
        plan.timeline = [
            Self.entry(0, PhoneAct.disk(isFull: true)),
            Self.entry(10, PhoneAct.leaveApp), Self.entry(12, PhoneAct.disk(isFull: false)),
            Self.entry(15, PhoneAct.openApp(ReplicaAppPlan.system)), Self.write(20),
        ]
        let run = try WorldRun(plan)
        #expect(run.values(ReplicaOpened.self).map(\.opening.value).last == .made)
        #expect(Self.taken(run) == [1])
    }

    @Test(
        "A file is opened once the disk has room, though its user stays in the app, twice in a row (RP-03)"
    )
    func openedInFront() throws {
        for asks in [false, true] {
            var plan = Self.plan(lasting: .seconds(200))
            plan.timeline = [Self.write(5)]
            // What needs room: a migration, and a file that is made anew.
            for (start, act) in [
                (20, ReplicaAppAct.update(version: 2)), (110, .damage(.header)),
            ] as [(Int64, ReplicaAppAct)] {
                plan.timeline += [
                    Self.entry(start, PhoneAct.disk(isFull: true)), Self.entry(start, act),
                    Self.entry(start + 1, PhoneAct.killApp(ReplicaAppPlan.system)),
                    Self.entry(start + 2, PhoneAct.openApp(ReplicaAppPlan.system)),
                    Self.entry(start + 5, ReplicaAppAct.read),
                    Self.entry(start + 10, PhoneAct.disk(isFull: false)),
                ]
                if asks { plan.timeline.append(Self.entry(start + 11, ReplicaAppAct.read)) }
                plan.timeline.append(Self.entry(start + 45, ReplicaAppAct.read))
            }
            let run = try WorldRun(plan)
            let opened = run.values(ReplicaOpened.self).map(\.opening.value)
            #expect(opened.filter { $0 != .noRoom } == [.made, .opened, .rebuilt], "\(opened)")
            #expect(opened.filter { $0 == .noRoom }.count >= 4, "\(opened)")
            #expect(run.violationCount == 0, "\(run.invariants.filter { $0.violationCount > 0 })")
            let reads = run.values(ReplicaRead.self).map(\.isServed.isSet)
            #expect(
                reads
                    == (asks
                        ? [false, true, true, false, true, true] : [false, true, false, true])
            )
            #expect(run.count("replica.reads.failed") == 0)
            #expect(Self.sides(run).last == true)
        }
    }

    @Test("What the primary refuses for ever is set aside and told; the rest arrives (RP-04)")
    func refusedForGood() throws {
        var plan = Self.plan(lasting: .seconds(90))
        func dawn(_ seconds: Int64, _ kind: ReplicaWrite.Kind) -> TimelineEntry {
            Self.entry(seconds, ReplicaAppAct.write(ReplicaWrite(kind: kind, row: "dawn")))
        }
        plan.timeline = [
            Self.entry(5, PrimaryAct.close(user: "mika", row: "dawn")),
            Self.wifi(10, isUp: false), dawn(15, .new), Self.write(16), dawn(17, .edit),
            Self.write(18), Self.wifi(25, isUp: true),
            // The second round is like the first.
            dawn(50, .new), Self.write(51), Self.entry(70, ReplicaAppAct.read),
        ]
        let run = try WorldRun(plan)
        #expect(run.values(PrimaryRefused.self).map(\.write) == [1, 3, 5])
        #expect(run.values(ReplicaRefusalTold.self).map(\.write) == [1, 3, 5])
        #expect(Self.taken(run).filter { $0 > 0 } == [2, 4, 6])
        #expect(Self.sides(run).last == true)
        #expect(run.values(ReplicaRead.self).map(\.isServed.isSet) == [true])
        #expect(run.values(ReplicaKept.self).allSatisfy { ![1, 3, 5].contains($0.write) })
        #expect(run.count("replica.writes.rejected") == 3)
        #expect(run.count("replica.writes.lost") == 0)
    }

    @Test("A migration that is cut short is made at the next launch (RP-05)")
    func migration() throws {
        var plan = Self.plan(lasting: .seconds(90))
        let open = PhoneAct.openApp(ReplicaAppPlan.system)
        plan.timeline = [
            Self.write(10), Self.entry(20, ReplicaAppAct.interruptMigration),
            Self.entry(21, ReplicaAppAct.update(version: 2)), Self.entry(25, open),
            Self.entry(40, open),
        ]
        let run = try WorldRun(plan)
        #expect(run.records(AppLaunched.self).count == 3)
        #expect(run.records(AppTerminated.self).count == 2)
        #expect(run.values(ReplicaOpened.self).map(\.opening.value) == [.made, .opened])
        let seen = run.values(ReplicaSchemaSeen.self)
        #expect(seen.map(\.version) == [1, 2] && seen.allSatisfy(\.isWhole.isSet))
        #expect(run.values(PrimaryMigrated.self).map(\.version) == [1, 2])
        #expect(Self.sides(run).last == true)
    }

    @Test("What a later version of the app wrote is left alone, and nothing is written (RP-05)")
    func laterVersion() throws {
        var plan = Self.plan(lasting: .seconds(60))
        for index in plan.phones.indices {
            var settings = ReplicaAppPlan()
            settings.user = "mika"
            settings.schemaVersion = 2
            plan.phones[index].apps = [AppPlan(settings, start: .opened(at: .zero))]
        }
        plan.timeline = [
            Self.wifi(5, isUp: false), Self.write(10),
            Self.entry(20, ReplicaAppAct.update(version: 1)), Self.write(25),
            Self.entry(26, ReplicaAppAct.read),
        ]
        let run = try WorldRun(plan)
        #expect(run.values(ReplicaOpened.self).map(\.opening.value) == [.made, .refused])
        #expect(run.values(ReplicaWritten.self).map(\.write) == [1])
        #expect(run.values(ReplicaWriteRefused.self).map(\.write) == [2])
        #expect(run.values(ReplicaRead.self).map(\.isServed.isSet) == [false])
        #expect(run.values(ReplicaKept.self).map(\.write) == [1])
        // With a version of the app that is as new as the file that would have been a failure.
        let unread = run.metrics.first { $0.name == "replica.reads.failed" }
        #expect(unread?.occasions.excludedCount == 1)
    }
}
