@testable import KodamaLanguage
@testable import KodamaReplica
@testable import KodamaSession
@testable import KodamaSimulation
import ReplicaChanges
import ReplicaSync
import SansIO
import Testing

@Suite("From scenario to plan: replicas")
struct ReplicaPlanTests {
    /// A scenario of one phone with a replica, with these keys besides.
    private static func text(
        _ keys: String = "",
        app: String = "user: ada",
        apps: String = ""
    ) -> String {
        """
        version: 2
        scenario: diary
        duration: 60s
        phones:
          - name: ada-phone
            radios: { wifi: local-clean }
            apps: { replica: { \(app) }\(apps) }
        \(keys)
        expect:
          - invariant: voice.order-kept

        """
    }

    /// A timeline of these orders.
    private static func timeline(_ orders: [String]) -> String {
        "timeline:\n" + orders.map { "  - { \($0) }\n" }.joined()
    }

    private func load(_ text: String, settings: [String] = []) throws -> Scenario {
        try Fixture.loader.load(text: text, file: "diary.yaml", settings: settings)
    }

    /// What the timeline of these orders comes to.
    private func entries(_ orders: String...) throws -> [TimelineEntry] {
        try load(Self.text(Self.timeline(orders))).plan.timeline
    }

    /// What is found wrong or doubtful of a scenario, but for what has no data.
    private func codes(_ text: String) -> [String] {
        let found: [Diagnostic]
        do throws(InvalidScenario) {
            found = try Fixture.loader.load(text: text, file: "diary.yaml").warnings
        } catch {
            found = error.diagnostics
        }
        return found.map(\.code).filter { $0 != "no-data" }
    }

    private func settings(_ text: String) throws -> ReplicaAppPlan {
        try #require(try load(text).plan.phones[0].settings(of: ReplicaAppPlan.self))
    }

    @Test("Only the user must be said: signed in, version 1, opened at once, no voice (RP-02)")
    func defaults() throws {
        let plan = try load(Self.text()).plan
        let app = try settings(Self.text())
        #expect(app.user == "ada" && app.isSignedIn && app.schemaVersion == 1)
        #expect(app.configuration == ReplicaConfiguration())
        #expect(app.configuration.syncInterval == .seconds(60))
        #expect(plan.phones[0].apps.map(\.start) == [.opened(at: .zero)])
        #expect(plan.voice == .reachability)
        #expect(plan.replicaServices == ReplicaServicesPlan())
        let other = try settings(Self.text(app: "user: ada, signed_in: false, version: 3"))
        #expect(!other.isSignedIn && other.schemaVersion == 3)
        #expect(other.configuration.schema == ReplicaAppPlan.schema(version: 3))
    }

    @Test("Beside another app the voice is that app's (RP-02)")
    func besideOthers() throws {
        let cases: [(apps: String, voice: VoiceMode)] = [
            (", session: {}", .sized), (", calls: { user: ada }", .sized),
            (", intercom: { group: ridge }", .real),
        ]
        for (apps, voice) in cases {
            #expect(try load(Self.text(apps: apps)).plan.voice == voice, "\(apps)")
        }
        let quiet = Self.text("voice: reachability", apps: ", session: {}")
        #expect(try load(quiet).plan.voice == .reachability)
        #expect(codes(Self.text("voice: sized")) == ["voice-of-other-app"])
    }

    @Test("Each version of the schema only adds to the one before (RP-05)")
    func schemas() {
        let versions = (1...3).map { ReplicaAppPlan.schema(version: $0) }
        for (index, schema) in versions.enumerated() {
            #expect(schema.version == index + 1)
            #expect(schema.versions == Array(versions[2].versions.prefix(index + 1)))
        }
    }

    @Test("Writes on a phone and on the web come one after the other (RP-02, RP-03)")
    func writes() throws {
        let entries = try entries(
            "at: 10s, do: { write: { on: ada-phone, rows: 3, every: 500ms } }",
            "at: 20s, do: { write: { web: ada, row: dawn } }",
            "at: 30s, do: { write: { on: ada-phone, as: edit, row: dawn } }",
            "at: 40s, do: { write: { web: ada, as: delete } }"
        )
        let new = ReplicaAppAct.write(ReplicaWrite(kind: .new))
        let app = "ada-phone.replica"
        func web(_ kind: ReplicaWrite.Kind, _ row: String?, at time: Duration) -> TimelineEntry {
            let act = PrimaryAct.write(user: "ada", ReplicaWrite(kind: kind, row: row))
            return TimelineEntry(act, to: "database", trigger: .at(time))
        }
        let edit = ReplicaAppAct.write(ReplicaWrite(kind: .edit, row: "dawn"))
        #expect(
            entries == [
                TimelineEntry(new, to: app, trigger: .at(.seconds(10))),
                TimelineEntry(new, to: app, trigger: .at(.milliseconds(10_500))),
                TimelineEntry(new, to: app, trigger: .at(.seconds(11))),
                web(.new, "dawn", at: .seconds(20)),
                TimelineEntry(edit, to: app, trigger: .at(.seconds(30))),
                web(.delete, nil, at: .seconds(40)),
            ]
        )
    }

    @Test("What befalls a primary, a file and an app becomes acts of theirs (RP-05, RP-07)")
    func others() throws {
        let entries = try entries(
            "at: 1s, do: { primary: { of: ada, fault: fails } }",
            "at: 2s, do: { primary: { of: ada, fault: trims } }",
            "at: 3s, do: { primary: { of: ada, fault: expires-tokens } }",
            "at: 4s, do: { primary: { of: ada, fault: migrates, version: 2 } }",
            "at: 5s, do: { replica-file: { phone: ada-phone, damage: outbox } }",
            "at: 6s, do: { update-replica-app: { phone: ada-phone, version: 2 } }",
            "at: 7s, do: { user: { of: ada-phone, does: sync-replica } }",
            "at: 8s, do: { user: { of: ada-phone, does: read-replica } }",
            "at: 9s, do: { user: { of: ada-phone, does: sign-out-of-replica } }",
            "at: 10s, do: { user: { of: ada-phone, does: sign-in-to-replica } }",
            "at: 11s, do: { user: { of: ada-phone, does: interrupt-migration } }"
        )
        #expect(
            entries.compactMap { $0.act as? PrimaryAct } == [
                .fail(user: "ada"), .trim(user: "ada"), .expireTokens(user: "ada"),
                .migrate(user: "ada", version: 2),
            ]
        )
        #expect(entries.prefix(4).allSatisfy { $0.target == "database" })
        #expect(
            entries.compactMap { $0.act as? ReplicaAppAct } == [
                .damage(.outbox), .update(version: 2), .sync, .read, .signOut, .signIn,
                .interruptMigration,
            ]
        )
        #expect(entries.dropFirst(4).allSatisfy { $0.target == "ada-phone.replica" })
    }

    @Test("A row is made before it is edited, on any device of its user or by chance (RP-04)")
    func rows() {
        func codes(_ orders: String..., faults: String = "") -> [String] {
            self.codes(Self.text(Self.timeline(orders) + faults))
        }
        let edit = "at: 20s, do: { write: { on: ada-phone, as: edit } }"
        #expect(codes(edit) == ["no-row"])
        #expect(codes(edit, "at: 21s, do: { write: { on: ada-phone } }") == ["no-row"])
        #expect(codes(edit, "at: 20s, do: { write: { on: ada-phone } }") == ["no-row"])
        #expect(codes("at: 20s, do: { write: { on: ada-phone } }", edit).isEmpty)
        let event = "after: { event: speech.began, of: ada-phone }"
        #expect(codes(edit, "\(event), do: { write: { on: ada-phone } }").isEmpty)
        #expect(codes("\(event), do: { write: { web: ada, as: delete } }") == ["no-row"])
        let chance = "faults:\n  - { of: ada-phone, kinds: { write: 1 }, every: 5s }\n"
        #expect(codes(edit, faults: chance).isEmpty)
        let named = "at: 20s, do: { write: { on: ada-phone, as: edit, row: dawn } }"
        #expect(codes(named, faults: chance) == ["no-row"])
        #expect(codes(named, "at: 9s, do: { write: { web: ada, row: dawn } }").isEmpty)
    }

    @Test("Nobody signs out twice, and no phone gets the version that it has (RP-01, RP-05)")
    func vain() {
        func order(_ time: Int, _ version: Int) -> String {
            "at: \(time)s, do: { update-replica-app: { phone: ada-phone, version: \(version) } }"
        }
        func codes(_ orders: String..., app: String = "user: ada") -> [String] {
            self.codes(Self.text(Self.timeline(orders), app: app))
        }
        #expect(codes(order(5, 2), order(6, 3), order(7, 1)).isEmpty)
        #expect(codes(order(5, 1)) == ["order-in-vain"])
        #expect(codes(order(5, 2), order(6, 2)) == ["order-in-vain"])
        let signOut = "do: { user: { of: ada-phone, does: sign-out-of-replica } }"
        let signIn = "do: { user: { of: ada-phone, does: sign-in-to-replica } }"
        #expect(codes("at: 5s, \(signOut)", "at: 6s, \(signIn)", "at: 7s, \(signOut)").isEmpty)
        #expect(codes("at: 5s, \(signOut)", "at: 6s, \(signOut)") == ["order-in-vain"])
        let stranger = "user: ada, signed_in: false"
        #expect(codes("at: 5s, \(signOut)", app: stranger) == ["order-in-vain"])
    }

    @Test("Chance writes on the phone and on the web, and fails the primary (RP-04)")
    func chances() throws {
        let faults = """
            faults:
              - { of: ada-phone, kinds: { write: 1, web-write: 1, primary-fails: 1 }, every: 5s }
            """
        let plan = try load(Self.text(faults)).plan
        var random = RandomStream(seed: 1, purpose: "test", entity: "ada-phone")
        var kinds: [ReplicaWrite.Kind] = []
        for share in plan.faults[0].shares {
            for _ in 0..<100 {
                let drawn = share.chance.draw(
                    at: Instant(nanoseconds: 7),
                    of: plan.phones[0],
                    app: nil,
                    from: &random
                )
                #expect(drawn.acts.count == 1 && drawn.end == Instant(nanoseconds: 7))
                guard let act = drawn.acts.first else { continue }
                switch (share.chance.name, act.act as? ReplicaAppAct, act.act as? PrimaryAct) {
                case ("write", .write(let write)?, nil):
                    #expect(act.target == "ada-phone.replica" && write.row == nil)
                    kinds.append(write.kind)
                case ("web-write", nil, .write(user: "ada", _)?),
                    ("primary-fails", nil, .fail(user: "ada")?):
                    #expect(act.target == "database")
                default:
                    Issue.record("\(share.chance.name) draws \(act)")
                }
            }
        }
        #expect(kinds.count { $0 == .new } > kinds.count { $0 == .edit })
        #expect(kinds.count { $0 == .edit } > kinds.count { $0 == .delete })
        #expect(kinds.contains(.delete))
    }

    @Test("The app's own server also fails by chance where only replicas ask it (RP-01)")
    func chancesOfServer() throws {
        func mix(_ app: String) -> String {
            """
            faults:
              - { of: ada-phone,\(app) kinds: { dark-api: 1, silent-api: 1 }, every: 5s }
            """
        }
        let plan = try load(Self.text(mix(""))).plan
        #expect(plan.faults[0].shares.map(\.chance.name).sorted() == ["dark-api", "silent-api"])
        var random = RandomStream(seed: 1, purpose: "test", entity: "ada-phone")
        for share in plan.faults[0].shares {
            let drawn = share.chance.draw(
                at: Instant(nanoseconds: 7),
                of: plan.phones[0],
                app: nil,
                from: &random
            )
            #expect(drawn.acts.map(\.target) == [ServicesPlan.apiName])
        }
        #expect(codes(Self.text(mix(""))).isEmpty)
        #expect(codes(Self.text(mix(" app: replica,"))).isEmpty)
        let radio = Self.text(mix("")).replacing("replica: { user: ada }", with: "intercom: {}")
        #expect(codes(radio) == ["fault-of-other-app", "fault-of-other-app"])
    }

    @Test("Figures of the app, its phone and the server are parameters (HN-05)")
    func parameters() throws {
        let keys = """
            parameters:
              replica: { sync_interval: 30s, durability_delay: 1s, log_changes_max: 8 }
              api.work_time: 1s
            """
        let plan = try load(Self.text(keys), settings: ["replica.write_delay=0s"]).plan
        let app = try #require(plan.phones[0].settings(of: ReplicaAppPlan.self))
        #expect(app.configuration.syncInterval == .seconds(30))
        #expect(app.configuration.writeDelay == .zero)
        #expect(plan.replicaServices.durabilityDelay == .seconds(1))
        #expect(plan.replicaServices.logChangesMax == 8)
        #expect(plan.services.apiWorkTime == .seconds(1))
        #expect(codes(Self.text(keys)).isEmpty)
        #expect(codes(Self.text("parameters: { api.token_ttl: 9s }")) == ["parameter-of-nobody"])
        let turned = "parameters: { replica.backoff_first: 40s }"
        #expect(codes(Self.text(turned)) == ["parameter-conflict"])
    }

    @Test("As specified a write waits for the interval (RP-02)")
    func asSpecified() throws {
        let app = try settings(Self.text("preset: as-specified"))
        #expect(app.configuration.writeDelay == app.configuration.syncInterval)
    }

    @Test("The app's own server can be silenced, the room server cannot be harmed (RP-01)")
    func servers() {
        func codes(_ verb: String) -> [String] {
            self.codes(Self.text(Self.timeline(["at: 5s, do: { \(verb) }"])))
        }
        #expect(codes("api: { does: silent, for: 2s }").isEmpty)
        #expect(codes("server: { does: crash, for: 2s }") == ["server-of-nobody"])
    }

    @Test("What is measured of writes on phones and of damaged files needs some (HN-03)")
    func needs() {
        func lack(_ name: String, _ keys: String = "", app: String = "user: ada") -> String? {
            let plan = try? load(Self.text(keys, app: app)).plan
            return plan.flatMap { Vocabularies.shipped.lack(of: name, in: $0) }
        }
        #expect(lack("replica.sync.lag") == nil)
        #expect(lack("replica.writes.lost") == "nobody writes on a phone")
        #expect(lack("replica.damage-reported") == "no replica's file is damaged")
        let written = Self.timeline(["at: 5s, do: { write: { on: ada-phone } }"])
        #expect(lack("replica.order-kept", written) == nil)
        let web = Self.timeline(["at: 5s, do: { write: { web: ada } }"])
        #expect(lack("replica.order-kept", web) == "nobody writes on a phone")
        let chance = "faults:\n  - { of: ada-phone, kinds: { write: 1 }, every: 5s }\n"
        #expect(lack("replica.writes.lost", chance) == nil)
        let damaged = "at: 5s, do: { replica-file: { phone: ada-phone, damage: header } }"
        #expect(lack("replica.damage-reported", Self.timeline([damaged])) == nil)
    }
}
