import AppServer
import ReplicaChanges
import ReplicaSync
import SansIO
import Testing

@Suite("A primary's rows, a page at a time (RP-04)")
struct DatabaseSnapshotTests {
    private static func key(_ number: Int) -> String { "k\(1_000 + number)" }

    /// A server with so many reflections and a routine, all taken from `phone`.
    private func server(rowCount: Int) -> DatabaseBench {
        let server = DatabaseBench()
        let routine = ReplicaChange(table: "routine", key: "r", kind: .insert)
        _ = server.page([routine])
        for number in 0..<rowCount {
            let position = Int64(number) + 1
            _ = server.page(
                after: position,
                from: position + 1,
                [.made(Self.key(number), .written(position))]
            )
        }
        return server
    }

    @Test("An empty database is one page without rows (RP-04)")
    func empty() {
        let server = DatabaseBench()
        let page = server.snapshot()
        #expect(page?.rows.isEmpty == true && page?.next == nil)
        #expect(page?.position == 0 && page?.applied == 0 && page?.schema == 2)
    }

    @Test("Pages hold 128 rows, in the order of tables and keys (RP-04)")
    func order() throws {
        let server = server(rowCount: 200)
        let first = try #require(server.snapshot())
        #expect(first.rows.map(\.key) == (0..<128).map(Self.key))
        #expect(first.position == 201 && first.applied == 201 && first.schema == 2)
        let second = try #require(server.snapshot(by: "tablet", after: first.next))
        #expect(second.rows.map(\.key) == (128..<200).map(Self.key) + ["r"])
        #expect(second.next == nil && second.applied == 0)
        #expect(first.rows + second.rows == server.rows)
    }

    @Test("A page holds 64 KiB (RP-04)")
    func size() throws {
        let server = DatabaseBench()
        let long = String(repeating: "語", count: 4_000)
        for number in 1...6 as ClosedRange<Int64> {
            _ = server.page(after: number - 1, from: number, [.made("\(number)", .words(long))])
        }
        let first = try #require(server.snapshot())
        #expect(first.rows.count == 5)
        #expect(server.snapshot(after: first.next)?.rows.map(\.key) == ["6"])
    }

    @Test("A cursor stays good while rows come and go, that which it names too (RP-04)")
    func comingAndGoing() throws {
        let server = server(rowCount: 200)
        let first = try #require(server.snapshot())
        let changes: [ReplicaChange] = [
            .deleted(Self.key(127)), .deleted(Self.key(128)), .deleted(Self.key(3)),
            .made(Self.key(129) + "a"), .made("a"),
        ]
        _ = server.page(by: "tablet", after: 201, changes)
        let second = try #require(server.snapshot(after: first.next))
        let expected = [Self.key(129), Self.key(129) + "a"] + (130..<200).map(Self.key) + ["r"]
        #expect(second.rows.map(\.key) == expected)
        #expect(second.position == 206)
    }

    @Test("The log applied once more to pages that are ahead of it comes to the same rows (RP-04)")
    func replay() throws {
        let server = server(rowCount: 200)
        let first = try #require(server.snapshot())
        // Behind the first page: an edit finds no row, and then the row is made.
        let key = Self.key(500)
        let changes: [ReplicaChange] = [.edited(key, .mood("lost")), .made(key, .words("new"))]
        _ = server.page(by: "tablet", after: first.position, changes)
        let second = try #require(server.snapshot(after: first.next))
        var rows = PlainRows(first.rows + second.rows)
        let page = try #require(server.page(after: first.position))
        for change in page.changes { rows.apply(change.change) }
        #expect(rows.inserts == server.rows)
    }

    @Test("What was not given as a cursor is refused with 400, as is who does not say its name")
    func wrongTargets() {
        let server = server(rowCount: 1)
        let path = "/db/\(server.credential.database)/snapshot"
        let bearer = HTTPField("Authorization", "Bearer " + server.credential.token)
        for query in [
            "", "?replica=", "?replica=a%20b", "?replica=a&replica=b", "?replica=a&after=",
            "?replica=a&after=x", "?replica=a&after=W10", "?replica=a&after=W10&after=W10",
        ] {
            #expect(server.bench.get(path + query, bearer).statusCode == 400, "\(query)")
        }
        #expect(server.bench.get(path + "?replica=a", bearer).statusCode == 200)
    }
}
