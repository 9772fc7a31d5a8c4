import AppServer
import ReplicaChanges
import ReplicaSync
import SansIO
import Testing

@Suite("What a primary would not lose (RP-04)")
struct DatabaseDurabilityTests {
    @Test("A change is durable after 10 s, and stays so when the clock is set back (RP-04)")
    func durable() {
        let server = DatabaseBench()
        #expect(server.page([.made("a")])?.durable == 0)
        server.bench.pass(.milliseconds(9_999))
        #expect(server.page(from: 2, [.made("b")])?.durable == 0)
        server.bench.pass(.milliseconds(1))
        #expect(server.page()?.durable == 1)
        server.bench.pass(.seconds(-30))
        #expect(server.page(from: 3, [.made("c")])?.durable == 1)
        // What came later is not durable before what came earlier, whatever the clock said.
        server.bench.pass(.seconds(10))
        #expect(server.page()?.durable == 1)
        server.bench.pass(.seconds(30))
        #expect(server.page()?.durable == 3)
    }

    @Test("A failure loses what is not durable, and another history begins (RP-04)")
    func failure() throws {
        let server = DatabaseBench()
        _ = server.page([.made("a", .words("kept"))])
        server.bench.pass(.seconds(10))
        _ = server.page(from: 2, [.edited("a", .words("lost")), .made("b")])
        _ = server.page(by: "tablet", [.deleted("a")])
        _ = server.bench.server.primaries.takeNews()
        server.bench.server.primaries.fail("mika", at: server.bench.now)
        let news = server.bench.server.primaries.takeNews()
        #expect(news == [.rolledBack(user: "mika", through: 1)])
        #expect(server.rows == [.made("a", .mood(""), .words("kept"), .written(7))])
        #expect(server.sync(after: 1) == .snapshotNeeded)
        let page = try #require(server.snapshot())
        #expect(page.generation != server.generation)
        #expect(page.position == 1 && page.applied == 1 && page.schema == 2)
        #expect(server.snapshot(by: "tablet")?.applied == 0)
        // What was lost is taken again.
        server.generation = page.generation
        let again = server.page(after: 1, from: 2, [.edited("a", .words("lost")), .made("b")])
        #expect(again?.applied == 3 && again?.through == 3 && again?.durable == 1)
        #expect(server.takenCount() == 2)
    }

    @Test("A failure takes back a migration that is not durable, and it is made again (RP-05)")
    func failedMigration() {
        let server = DatabaseBench(version: 1)
        server.bench.pass(.seconds(10))
        #expect(server.migrate(to: 2) == .migrated(schema: 2))
        server.bench.server.primaries.fail("mika", at: server.bench.now)
        #expect(server.sync() == .schemaDiffers(1))
        #expect(server.migrate(to: 2) == .migrated(schema: 2))
        #expect(
            server.bench.server.primaries.takeNews() == [
                .migrated(user: "mika", version: 2), .rolledBack(user: "mika", through: 0),
                .migrated(user: "mika", version: 2),
            ]
        )
    }

    @Test("What was trimmed from the log is lost in a failure only if it was not durable (RP-04)")
    func trimmed() {
        let server = DatabaseBench()
        _ = server.page([.made("a")])
        server.bench.pass(.seconds(10))
        _ = server.page(from: 2, [.made("b")])
        server.bench.server.primaries.trim("mika")
        server.bench.server.primaries.fail("mika", at: server.bench.now)
        #expect(server.rows.map(\.key) == ["a"])
    }

    @Test("Whoever has no database loses none")
    func nobody() {
        let server = DatabaseBench()
        server.bench.server.primaries.fail("jiro", at: server.bench.now)
        server.bench.server.primaries.trim("jiro")
        server.bench.server.primaries.expireTokens(of: "jiro")
        #expect(server.bench.server.primaries.takeNews().isEmpty)
    }
}
