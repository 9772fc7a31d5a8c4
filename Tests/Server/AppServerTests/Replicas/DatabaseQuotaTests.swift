@testable import AppServer
import ReplicaChanges
import ReplicaSync
import SansIO
import Testing

@Suite("One user's database has an end, and is nobody else's (RP-01, RP-04)")
struct DatabaseQuotaTests {
    private static let words = String(repeating: "w", count: 1_000)

    /// Hands over one reflection after the other until one is refused.
    private func fill(_ server: DatabaseBench, until most: Int) -> Int {
        for number in 0..<most {
            let made = ReplicaChange.made("k\(number)", .words(Self.words))
            guard case .page = server.sync(from: Int64(number) + 1, [made]) else { return number }
            server.bench.pass(.milliseconds(20))
        }
        return most
    }

    @Test("A full database refuses more by name and keeps all; a deletion makes room again")
    func full() {
        let server = DatabaseBench { $0.databaseBytesMax = 100_000 }
        let count = fill(server, until: 200)
        #expect((70...95).contains(count), "\(count) rows of some 1,200 bytes")
        let next = Int64(count) + 1
        for _ in 0..<2 {
            #expect(
                server.sync(from: next, [.made("more", .words(Self.words))])
                    == .refused(statusCode: 413)
            )
            #expect(server.rows.count == count)
        }
        // Others go on, and so does whoever only asks.
        #expect(server.page()?.applied == Int64(count))
        let hana = server.bench.session(of: "hana")
        #expect(server.bench.ask(.databaseCredential(bearer: hana)).statusCode == 200)
        // What an exchange comes to counts.
        let swap: [ReplicaChange] = [
            .made("more", .words(Self.words)), .deleted("k0"), .deleted("k1"),
        ]
        #expect(server.page(from: next, swap)?.applied == next + 2)
        #expect(server.page(from: next + 3, [.edited("k2", .words(""))])?.applied == next + 3)
        let more = (0..<3).map { ReplicaChange.made("n\($0)", .words(Self.words)) }
        #expect(server.page(from: next + 4, [more[0]])?.applied == next + 4)
        #expect(server.sync(from: next + 5, more) == .refused(statusCode: 413), "all or none")
    }

    @Test("The answer to one change too many says quota")
    func named() {
        let server = DatabaseBench { $0.databaseBytesMax = 0 }
        let exchange = ReplicaExchange(
            replica: "phone",
            schema: 2,
            generation: server.generation,
            position: 0,
            changes: [UnsentChange(sequence: 1, change: .made("a"))]
        )
        let request = HTTPRequest.sync(
            exchange,
            database: server.credential.database,
            token: server.credential.token
        )
        #expect(server.bench.ask(request).body == #"{"error":"quota"}"#)
    }

    @Test("A row counts with all columns that it is laid out with, however few were sent")
    func laidOut() {
        let server = DatabaseBench(version: 0) { $0.databaseBytesMax = 1_000_000 }
        let columns = (0..<250).map { ReplicaSchema.Column("c\($0)", .text, standard: .text("")) }
        let schema = ReplicaSchema(versions: [[.createTable("wide", columns)]])
        #expect(server.ask(.migrate(schema, server.credential)) == .migrated(schema: 1))
        var taken = 0
        for first in stride(from: 0, to: 1_000, by: 10) {
            let rows = (first..<first + 10).map {
                ReplicaChange(table: "wide", key: "k\($0)", kind: .insert)
            }
            guard case .page = server.sync(schema: 1, from: Int64(first) + 1, rows) else { break }
            taken += 10
        }
        // 48 bytes for each of 250 columns.
        #expect((70...90).contains(taken), "\(taken)")
    }

    @Test("1,000 replicas are known; one that somebody makes up beside them is refused")
    func replicas() {
        let server = DatabaseBench()
        for number in 0..<Primary.replicasMax {
            server.bench.pass(.milliseconds(20))
            #expect(server.page(by: "r\(number)", [.deleted("a")])?.applied == 1)
        }
        for number in 0..<100 {
            server.bench.pass(.milliseconds(20))
            let answer = server.sync(by: "x\(number)", [.deleted("a")])
            #expect(answer == .refused(statusCode: 413))
        }
        #expect(server.page(by: "r7", from: 2, [.deleted("a")])?.applied == 2)
        #expect(server.page(by: "x7") != nil, "whoever only reads needs no place")
    }

    @Test("Neither the log nor what is not durable yet grows beyond its end")
    func changes() {
        let server = DatabaseBench { $0.databaseLogChangesMax = 1_000_000 }
        let long = String(repeating: "w", count: 60_000)
        #expect(server.page([.made("a")])?.applied == 1)
        var sequence: Int64 = 1
        var firstRefusal: Int64?
        for _ in 0..<600 {
            // One row is edited over and over: the rows do not grow.
            let edit = [ReplicaChange.edited("a", .words(long))]
            switch server.sync(after: sequence, from: sequence + 1, edit) {
            case .page: sequence += 1
            case .busy(let wait):
                #expect(wait.wait <= .seconds(10))
                firstRefusal = firstRefusal ?? sequence
                server.bench.pass(wait.wait)
            case let other: Issue.record("\(other)")
            }
        }
        // 16 MiB in changes of 60,000 bytes.
        #expect((270...290).contains(firstRefusal ?? 0) && sequence > 500, "\(sequence)")
        #expect(server.sync(after: sequence - 300) == .snapshotNeeded)
        #expect(server.page(after: sequence - 200) != nil)
    }
}
