import ReplicaChanges
import ReplicaSync
import SansIO
import SansIOTesting

/// The web's side of the same database: a replica that forgets nothing and has no rows of its own.
struct HouseholdWeb {
    static let name = "web"

    var session = ""
    var credential: ReplicaCredential?
    /// All that was ever written there.
    var outbox: [UnsentChange] = []
    var schema = 1
    var generation: String?
    var position: Int64 = 0
    /// How much of the outbox the primary has.
    var applied: Int64 = 0
}

extension Household {
    /// Somebody writes in a browser.
    func writeOnWeb() {
        writeCount += 1
        let text = "w\(writeCount) web"
        let rows = primaryRows.filter { $0.table == "reflection" }
        let target = rows.isEmpty ? nil : rows[random.below(rows.count)].key
        var change = ReplicaChange(table: "reflection", key: "r\(writeCount)", kind: .insert)
        change.columns = [
            ReplicaColumn("words", .text(text)), ReplicaColumn("written", .integer(writeCount)),
        ]
        if web.schema > 1 { change.columns.insert(ReplicaColumn("mood", .text("")), at: 0) }
        switch random.below(6) {
        case 0, 1:
            guard let target else { break }
            change = ReplicaChange(table: "reflection", key: target, kind: .update)
            change.columns = [ReplicaColumn("words", .text(text))]
        case 2:
            guard let target else { break }
            change = ReplicaChange(table: "reflection", key: target, kind: .delete)
            keysDeleted.append(target)
        default: break
        }
        keepOnWeb(change, change.kind == .delete ? nil : text)
    }

    /// Makes many rows in a browser.
    func fillFromWeb(_ count: Int) {
        for _ in 0..<count {
            writeCount += 1
            let words = ReplicaColumn("words", .text("w\(writeCount) web"))
            let key = "r\(writeCount)"
            keepOnWeb(
                ReplicaChange(table: "reflection", key: key, kind: .insert, columns: [words]),
                "w\(writeCount) web"
            )
        }
        pushFromWeb()
    }

    private func keepOnWeb(_ change: ReplicaChange, _ text: String?) {
        let sequence = Int64(web.outbox.count) + 1
        web.outbox.append(UnsentChange(sequence: sequence, change: change))
        tally.writes += 1
        writes.append(
            HouseholdWrite(
                author: HouseholdWeb.name,
                text: text,
                replica: HouseholdWeb.name,
                sequence: sequence
            )
        )
    }

    /// The web hands over what the primary lacks.
    ///
    /// - Parameter isAnswerLost: Whether it hears nothing of what it sent, and will send it again.
    func pushFromWeb(isAnswerLost: Bool = false) {
        for _ in 0..<40 where faults.isEmpty {
            guard let credential = web.credential else {
                if case .credential(let new) = ask(.credential(session: web.session)) {
                    web.credential = new
                }
                continue
            }
            guard let generation = web.generation else {
                followWeb(ask(.snapshot(replica: HouseholdWeb.name, after: nil, credential)))
                continue
            }
            let lacking = web.outbox.filter { $0.sequence > web.applied }.prefix(50)
            let exchange = ReplicaExchange(
                replica: HouseholdWeb.name,
                schema: web.schema,
                generation: generation,
                position: web.position,
                changes: Array(lacking)
            )
            let answer = ask(.sync(exchange, credential))
            if isAnswerLost, case .page = answer { return }
            followWeb(answer)
            if case .page(let page) = answer, !page.hasMore,
                page.applied == Int64(web.outbox.count)
            {
                return
            }
        }
        if faults.isEmpty { fault("the web does not get its writes to the primary") }
    }

    private func followWeb(_ answer: ReplicaAnswer) {
        switch answer {
        case .page(let page):
            expect(page.from == web.position, "a page from \(page.from), not \(web.position)")
            web.position = page.through
            web.applied = page.applied
        case .snapshot(let page):
            web.generation = page.generation
            web.position = page.position
            web.applied = page.applied
        case .snapshotNeeded: web.generation = nil
        case .unauthorized: web.credential = nil
        case .schemaDiffers(let version) where version > web.schema: web.schema = version
        case .schemaDiffers:
            guard let credential = web.credential else { return }
            let answer = ask(.migrate(Diary.schema(web.schema), credential))
            if case .unauthorized = answer { web.credential = nil }
        case .credential, .migrated, .busy, .refused, .changesRefused, .malformed, .failed:
            fault("the web is told \(answer)")
        }
    }
}
