import AppServer
import ReplicaChanges
import ReplicaSync
import SansIO
import Testing

@Suite("Exchanges with a primary (RP-04)")
struct DatabaseSyncTests {
    @Test("A change comes back to who sent it and goes to everybody else, in one order (RP-04)")
    func echo() throws {
        let server = DatabaseBench()
        let first = try #require(server.page([.made("a", .words("こだま"), .written(1))]))
        #expect(first.changes.map(\.position) == [1])
        #expect(first.changes.map(\.replica) == ["phone"])
        let made = ReplicaChange.made("a", .mood(""), .words("こだま"), .written(1))
        #expect(first.changes.map(\.change) == [made])
        #expect(first.applied == 1 && first.from == 0 && first.through == 1 && !first.hasMore)
        let edit = ReplicaChange.edited("a", .mood("calm"))
        let second = try #require(server.page(by: "tablet", after: 1, [edit]))
        #expect(second.changes.map(\.replica) == ["tablet"])
        #expect(second.changes.map(\.sequence) == [1])
        #expect(second.applied == 1)
        let third = try #require(server.page(after: 1))
        #expect(third.changes.map(\.position) == [2] && third.applied == 1)
        let rest = try #require(server.page(after: 2))
        #expect(rest.changes.isEmpty && rest.from == 2 && rest.through == 2)
    }

    @Test("Changes that are sent again are taken once, whatever comes with them (RP-04)")
    func repeats() throws {
        let server = DatabaseBench()
        _ = server.page([.made("a", .words("1")), .edited("a", .words("2"))])
        _ = server.page(by: "tablet", after: 1, [.edited("a", .words("3"))])
        #expect(server.takenCount() == 3)
        _ = server.page([.made("a", .words("1")), .edited("a", .words("2"))])
        #expect(server.takenCount() == 0)
        let page = try #require(
            server.page(from: 2, [.edited("a", .words("2")), .edited("a", .mood("calm"))])
        )
        #expect(page.applied == 3)
        #expect(server.takenCount() == 1)
        #expect(server.rows == [.made("a", .mood("calm"), .words("3"), .written(7))])
    }

    @Test(
        "What was done to a row that another made anew meanwhile leaves the new one alone (RP-04)",
        arguments: [.edited("a", .words("old")), .deleted("a")] as [ReplicaChange]
    )
    func remade(late: ReplicaChange) throws {
        let server = DatabaseBench()
        _ = server.page([.made("a", .words("1"))])
        _ = server.page(by: "tablet", after: 1, [.deleted("a"), .made("a", .words("2"))])
        _ = server.bench.server.primaries.takeNews()
        let made = ReplicaChange.made("a", .mood(""), .words("2"), .written(7))
        // It knew the first row, and is told what the second is, as its own change.
        let page = try #require(server.page(after: 1, from: 2, [late, .made("b")]))
        #expect(server.rows.first == made)
        #expect(page.changes.map(\.change).dropLast() == [.deleted("a"), made, made])
        #expect(page.changes.map(\.sequence) == [1, 2, 2, 3] && page.applied == 3)
        let news = server.bench.server.primaries.takeNews()
        #expect(news.first == .setAside(user: "mika", page.changes[2], asked: late))
        #expect(news.count == 2)
        // A change set aside makes nobody the row's maker: the next one is as old.
        _ = server.page(after: 1, from: 4, [late])
        #expect(server.rows.first == made)
        // Whoever knows the new row may do what they like, and so may its maker.
        _ = server.page(by: "web", after: 6, [.edited("a", .words("3"))])
        _ = server.page(by: "tablet", after: 1, from: 3, [.edited("a", .mood("calm"))])
        #expect(server.rows.first == .made("a", .mood("calm"), .words("3"), .written(7)))
        _ = server.page(after: 7, from: 5, [late])
        #expect(server.rows.first != .made("a", .mood("calm"), .words("3"), .written(7)))
    }

    @Test("A change is judged by what was known when it was made, twice in a row (RP-04)")
    func madeEarlier() throws {
        let server = DatabaseBench()
        _ = server.page([.made("a", .words("1"))])
        _ = server.page(by: "tablet", after: 1, [.deleted("a"), .made("a", .words("2"))])
        let made = ReplicaChange.made("a", .mood(""), .words("2"), .written(7))
        // Its exchange before has told it what the new row is, but not when it deleted the first one.
        for sequence in [2, 3] as [Int64] {
            _ = server.sync(
                after: 3,
                from: sequence,
                madeAt: LogPosition(position: 1),
                [.deleted("a")]
            )
            #expect(server.rows == [made])
        }
        _ = server.sync(after: 3, from: 4, madeAt: LogPosition(position: 3), [.deleted("a")])
        #expect(server.rows.isEmpty)
        // What does not say it was made when it is handed over.
        _ = server.page(by: "tablet", after: 6, from: 3, [.made("a", .words("3"))])
        _ = server.page(after: 6, from: 5, [.deleted("a")])
        #expect(server.rows.count == 1)
        _ = server.page(after: 8, from: 6, [.deleted("a")])
        #expect(server.rows.isEmpty)
    }

    @Test("Of a history that failed, what was lost of it was never known (RP-04)")
    func madeInAnotherHistory() throws {
        let server = DatabaseBench()
        _ = server.page([.made("a", .words("1")), .made("b", .words("1"))])
        server.bench.pass(.seconds(20))
        let lost: [ReplicaChange] = [.edited("a", .words("2")), .edited("b", .words("2"))]
        _ = server.page(by: "web", after: 2, lost)
        let first = server.generation
        server.bench.server.primaries.fail("mika", at: server.bench.now)
        server.generation = try #require(server.snapshot()?.generation)
        // The tablet makes one row anew at a position that the phone had known of another history.
        let anew: [ReplicaChange] = [.deleted("a"), .made("a", .words("3"))]
        _ = server.page(by: "tablet", after: 2, anew)
        server.bench.server.primaries.fail("mika", at: server.bench.now.advanced(by: .seconds(20)))
        server.generation = try #require(server.snapshot()?.generation)
        let known = LogPosition(generation: first, position: 4)
        _ = server.sync(after: 4, from: 3, madeAt: known, [.deleted("a"), .deleted("b")])
        #expect(server.rows == [.made("a", .mood(""), .words("3"), .written(7))])
    }

    @Test("What was made of a row by two at once is the later insert's (RP-04)")
    func madeTwice() {
        let server = DatabaseBench()
        _ = server.page([.made("a", .words("1"))])
        _ = server.page(by: "tablet", [.made("a", .words("2")), .edited("a", .mood("calm"))])
        #expect(server.rows == [.made("a", .mood("calm"), .words("2"), .written(7))])
        // The phone has not heard of it, and its row is no more.
        _ = server.page(after: 1, from: 2, [.deleted("a")])
        #expect(server.rows == [.made("a", .mood("calm"), .words("2"), .written(7))])
    }

    @Test("Changes with others missing before them are refused with 409, and none is taken (RP-04)")
    func gap() {
        let server = DatabaseBench()
        #expect(server.sync(from: 2, [.made("a")]) == .refused(statusCode: 409))
        _ = server.page([.made("a")])
        #expect(server.sync(from: 3, [.made("b")]) == .refused(statusCode: 409))
        #expect(server.sync(by: "tablet", from: 2, [.made("b")]) == .refused(statusCode: 409))
        #expect(server.sync(from: 0, [.made("b")]) == .refused(statusCode: 400))
        #expect(server.takenCount() == 1)
        #expect(server.page()?.applied == 1)
    }

    @Test("A request with wrong changes is refused whole, and they are named (422, RP-04)")
    func wrongChanges() {
        let wrong: [ReplicaChange] = [
            ReplicaChange(table: "diary", key: "a", kind: .insert),
            .made("b", ReplicaColumn("weather", .text("rain"))),
            .made("b", ReplicaColumn("id", .text("c"))),
            .made("b", ReplicaColumn("words", .integer(1))),
            .made("b", ReplicaColumn("written", .text("1"))),
            .made("b", ReplicaColumn("written", .null)),
            .edited("nothing", ReplicaColumn("mood", .null)),
            ReplicaChange(table: "reflection", key: "b", kind: .delete, columns: [.words("")]),
        ]
        let server = DatabaseBench()
        for change in wrong {
            let answer = server.sync([.made("a"), change, .made("c"), change])
            guard case .changesRefused(let refusals) = answer else {
                Issue.record("\(answer) to \(change)")
                continue
            }
            #expect(refusals.map(\.sequence) == [2, 4], "\(change)")
            #expect(refusals.allSatisfy { !$0.reason.isEmpty }, "\(change)")
        }
        #expect(server.rows.isEmpty)
        #expect(server.takenCount() == 0)
        #expect(server.page([.made("a", ReplicaColumn("words", .null))])?.applied == 1)
    }

    @Test("A row may be closed: its changes are refused for ever, all others taken (RP-04)")
    func closedRow() {
        let server = DatabaseBench()
        _ = server.page([.made("a"), .made("b")])
        server.bench.server.primaries.close("a", of: "mika")
        let reason = "the row may not be changed"
        for _ in 1...2 {
            let answer = server.sync(from: 3, [.made("c"), .made("a"), .made("d")])
            #expect(answer == .changesRefused([ChangeRefusal(sequence: 4, reason: reason)]))
        }
        // What it has already may be said again.
        #expect(server.page(from: 1, [.made("a"), .made("b"), .made("c")])?.applied == 3)
        // One that is taken stays.
        #expect(server.rows.map(\.key) == ["a", "b", "c"])
    }

    @Test("A body that is no exchange is refused with 400, one that is too long with 413 (RP-04)")
    func wrongBodies() {
        let server = DatabaseBench()
        let credential = server.credential
        let change = #"{"sequence":1,"table":"reflection","key":"a","kind":"insert","columns":{}}"#
        func status(
            replica: String = #""phone""#,
            position: String = "0",
            changes: String
        ) -> Int {
            let exchange = ReplicaExchange(
                replica: "phone",
                schema: 2,
                generation: server.generation,
                position: 0,
                changes: []
            )
            var request = HTTPRequest.sync(
                exchange,
                database: credential.database,
                token: credential.token
            )
            request.body =
                #"{"replica":\#(replica),"schema":2,"generation":"\#(server.generation)","#
                + #""position":\#(position),"changes":\#(changes)}"#
            return server.bench.ask(request).statusCode
        }
        let long = String(repeating: "a", count: 65)
        for replica in ["1", "\"\"", "\"a b\"", "\"\(long)\""] {
            #expect(status(replica: replica, changes: "[]") == 400, "\(replica)")
        }
        #expect(status(position: "1.5", changes: "[]") == 400)
        #expect(status(position: "\"0\"", changes: "[]") == 400)
        let third = #"{"sequence":3,"table":"reflection","key":"a","kind":"insert","columns":{}}"#
        for changes in ["{}", "null", "[1]", "[\(change),\(change)]", "[\(change),\(third)]"] {
            #expect(status(changes: changes) == 400, "\(changes)")
        }
        let row = #""sequence":1,"table":"reflection""#
        for members in [
            #"\#(row),"kind":"insert","columns":{}"#,
            #"\#(row),"key":1,"kind":"insert","columns":{}"#,
            #"\#(row),"key":"a","kind":"upsert","columns":{}"#,
            #"\#(row),"key":"a","kind":"insert","columns":[]"#,
            #"\#(row),"key":"a","kind":"insert","columns":{"words":1.5}"#,
            #"\#(row),"key":"a","kind":"insert","columns":{"words":true}"#,
        ] {
            #expect(status(changes: "[{\(members)}]") == 400, "\(members)")
        }
        let huge = String(repeating: "a", count: 65_536)
        #expect(status(changes: "[\"\(huge)\"]") == 413)
        #expect(server.takenCount() == 0)
        #expect(status(changes: "[\(change)]") == 200)
    }

    @Test("A long text is a change like others, and nobody's is read without the token (RP-03)")
    func longText() {
        let server = DatabaseBench()
        // A diary's entry of twenty thousand characters.
        let long = String(repeating: "語", count: 20_000)
        #expect(server.page([.made("a", .words(long))])?.applied == 1)
        #expect(server.rows == [.made("a", .mood(""), .words(long), .written(7))])
        #expect(server.snapshot()?.rows == server.rows)
        server.credential.token = "x"
        #expect(server.sync(from: 2, [.made("b", .words(long))]) == .unauthorized)
    }

    @Test("Every change has a place in the log, also one that changes nothing (RP-04)")
    func nothing() throws {
        let server = DatabaseBench()
        let changes: [ReplicaChange] = [.edited("a", .words("x")), .deleted("a")]
        let page = try #require(server.page(changes))
        #expect(page.applied == 2)
        #expect(page.changes.map(\.change) == changes)
        #expect(server.rows.isEmpty)
    }

    @Test("In the log an insert that makes a row names all columns, another only its own (RP-04)")
    func logged() throws {
        let server = DatabaseBench()
        let page = try #require(server.page([.made("a", .words("1")), .made("a", .words("2"))]))
        let made = ReplicaChange.made("a", .mood(""), .words("1"), .written(7))
        #expect(page.changes.map(\.change) == [made, .made("a", .words("2"))])
    }

    @Test("Changes set the columns that they name, and a new row has the standards (RP-04)")
    func applying() {
        let server = DatabaseBench()
        let words = ReplicaColumn("words", .null)
        _ = server.page([.made("a", .mood("calm"))])
        #expect(server.rows == [.made("a", .mood("calm"), words, .written(7))])
        _ = server.page(by: "tablet", [.made("a", .words("both")), .edited("a", .written(9))])
        #expect(server.rows == [.made("a", .mood("calm"), .words("both"), .written(9))])
        _ = server.page(after: 3, from: 2, [.deleted("a"), .edited("a", .mood("gone"))])
        #expect(server.rows.isEmpty)
        _ = server.page(from: 4, [.made("a")])
        #expect(server.rows == [.made("a", .mood(""), words, .written(7))])
    }

    @Test("Keys that look alike are two rows where their bytes differ, as for SQLite (RP-04)")
    func likeKeys() {
        let server = DatabaseBench()
        _ = server.page([.made("\u{E9}", .written(1)), .made("e\u{301}", .written(2)), .made("")])
        #expect(server.rows.count == 3)
        #expect(server.rows.map { Array($0.key.utf8) } == [[], [0x65, 0xCC, 0x81], [0xC3, 0xA9]])
    }

    @Test("A replica of another schema is told the primary's version, and nothing is taken (RP-05)")
    func schemaDiffers() {
        let server = DatabaseBench()
        for schema in [0, 1, 3] {
            #expect(server.sync(schema: schema, [.made("a")]) == .schemaDiffers(2))
        }
        #expect(server.takenCount() == 0)
        let fresh = DatabaseBench(version: 0)
        #expect(fresh.sync(schema: 1) == .schemaDiffers(0))
    }

    @Test("Who follows another log, or is ahead of it, needs the rows; nothing is taken (RP-04)")
    func snapshotNeeded() {
        let server = DatabaseBench()
        _ = server.page([.made("a")])
        #expect(server.sync(after: 2, from: 2, [.made("b")]) == .snapshotNeeded)
        #expect(server.sync(after: -1, from: 2, [.made("b")]) == .snapshotNeeded)
        #expect(server.sync(after: .max) == .snapshotNeeded)
        let generation = server.generation
        server.generation = "another"
        #expect(server.sync(from: 2, [.made("b")]) == .snapshotNeeded)
        server.generation = generation
        server.bench.server.primaries.trim("mika")
        #expect(server.sync(from: 2, [.made("b")]) == .snapshotNeeded)
        #expect(server.takenCount() == 1)
        #expect(server.page(after: 1, from: 2, [.made("b")])?.through == 2)
    }

    @Test("A page holds 128 changes or 64 KiB, and says whether the log goes on (RP-04)")
    func pages() throws {
        let server = DatabaseBench()
        for batch in 0..<4 as Range<Int64> {
            let changes = (0..<50).map { ReplicaChange.made("a", .written($0)) }
            _ = server.page(after: batch * 50, from: batch * 50 + 1, changes)
        }
        let first = try #require(server.page(by: "tablet"))
        #expect(first.changes.count == 128 && first.through == 128 && first.hasMore)
        let second = try #require(server.page(by: "tablet", after: 128))
        #expect(second.changes.count == 72 && second.through == 200 && !second.hasMore)
        let long = String(repeating: "語", count: 4_000)
        for number in 201...206 as ClosedRange<Int64> {
            _ = server.page(after: number - 1, from: number, [.made("b", .words(long))])
        }
        // Five of 12 KiB and some are within 64 KiB, six are not.
        let third = try #require(server.page(by: "tablet", after: 200))
        #expect(third.changes.count == 5 && third.hasMore)
    }

    @Test("The log keeps so many changes, and leaves nobody behind by their own (RP-04)")
    func logLimit() throws {
        let server = DatabaseBench { $0.databaseLogChangesMax = 10 }
        let changes = (0..<15).map { ReplicaChange.made("a\($0)") }
        #expect(server.page(changes)?.through == 15)
        #expect(server.sync(by: "tablet", after: 4) == .snapshotNeeded)
        #expect(server.page(by: "tablet", after: 5)?.changes.count == 10)
        #expect(server.rows.count == 15)
    }
}
