import AppServer
import ReplicaChanges
import ReplicaSync
import SansIO
import SansIOTesting

/// Three replicas, the web and their primary, beside a plain reference of what it must be.
struct PrimaryTown {
    /// How many changes the log keeps.
    static let logMax = 200

    private struct Replica {
        let name: String
        var generation = ""
        var position: Int64 = 0
        var rows = PlainRows()
        /// All the changes that it ever made.
        var made: [UnsentChange] = []
    }

    /// A change that the primary has taken, with when.
    private struct Taken {
        let entry: LoggedChange
        let isSetAside: Bool
        let at: WallTime
    }

    private(set) var faults: [String] = []
    private(set) var snapshotPages = 0
    private(set) var failures = 0
    private(set) var repeats = 0
    private(set) var fullPages = 0
    private(set) var setAside = 0

    private let server = DatabaseBench { $0.databaseLogChangesMax = PrimaryTown.logMax }
    private var random: LawRandom
    private var replicas = ["phone", "tablet", "old-phone", "web"].map { Replica(name: $0) }
    private let web = 3

    // The reference.
    private var taken: [Taken] = []
    /// How many of them have been told as news.
    private var told = 0
    private var rows = PlainRows()
    /// Who made each row last, and where in the log.
    private var origins: [String: (position: Int64, replica: String)] = [:]
    /// Where each history ended.
    private var ends: [String: Int64] = [:]
    private var durable = 0
    private var tail = 0

    init(seed: UInt64) {
        random = LawRandom(seed: seed)
        // The clock will be set back, and tokens were not valid long before they were given.
        server.bench.pass(.seconds(600))
    }

    private var now: WallTime { server.bench.now }

    private mutating func expect(_ condition: Bool, _ fault: String) {
        if !condition { faults.append(fault) }
    }

    /// Lets something happen.
    mutating func step() {
        server.bench.pass(.milliseconds(random.below(3_000)))
        let index = random.below(3)
        switch random.below(100) {
        case ..<3: fail()
        case ..<5: trim()
        case ..<8: server.bench.pass(.seconds(-random.below(20)))
        case ..<12: pushWrongly(index)
        case ..<30: pushFromWeb()
        default:
            for _ in 0..<random.below(8) { write(index) }
            exchange(index, isHeard: random.chance(percent: 70))
        }
        expect(server.rows == rows.inserts, "the primary's rows are not its log's fold")
    }

    /// Lets all replicas hear of everything.
    mutating func settle() {
        for index in [0, 1, 2, 0, 1, 2] {
            for _ in 0..<500 {
                let replica = replicas[index]
                let isDone =
                    replica.generation == server.generation
                    && replica.position == Int64(taken.count)
                    && applied(index) == replica.made.count
                if isDone { break }
                exchange(index, isHeard: true)
            }
            expect(applied(index) == replicas[index].made.count, "a change never arrives")
        }
        for replica in replicas.prefix(3) {
            expect(replica.rows.inserts == rows.inserts, "\(replica.name) has other rows")
        }
    }

    // MARK: What replicas do

    private mutating func write(_ index: Int) {
        let isReflection = random.chance(percent: 60)
        let key = "k\(100 + random.below(120))"
        let number = Int64(random.below(1_000))
        let names = isReflection ? ["mood", "words", "written"] : ["minute", "title"]
        var columns: [ReplicaColumn] = []
        for name in names where random.chance(percent: 60) {
            let isNumber = name == "written" || name == "minute"
            columns.append(
                ReplicaColumn(name, isNumber ? .integer(number) : .text("\(name) \(number)"))
            )
        }
        let chance = random.below(100)
        let kind: ReplicaChange.Kind = chance < 70 ? .insert : chance < 90 ? .update : .delete
        let change = ReplicaChange(
            table: isReflection ? "reflection" : "routine",
            key: key,
            kind: kind,
            columns: kind == .delete ? [] : columns
        )
        let sequence = Int64(replicas[index].made.count) + 1
        let generation = replicas[index].generation
        let madeAt = LogPosition(
            generation: generation.isEmpty ? nil : generation,
            position: replicas[index].position
        )
        replicas[index].made.append(
            UnsentChange(sequence: sequence, change: change, madeAt: madeAt)
        )
    }

    /// The web knows where the log is, and reads nothing.
    private mutating func pushFromWeb() {
        replicas[web].generation = server.generation
        replicas[web].position = Int64(taken.count)
        for _ in 0..<(1 + random.below(60)) { write(web) }
        exchange(web, isHeard: false)
    }

    private mutating func order(_ index: Int, _ changes: [UnsentChange]) -> ReplicaAnswer {
        let replica = replicas[index]
        let exchange = ReplicaExchange(
            replica: replica.name,
            schema: 2,
            generation: replica.generation,
            position: replica.position,
            changes: changes
        )
        return server.ask(.sync(exchange, server.credential))
    }

    private mutating func exchange(_ index: Int, isHeard: Bool) {
        let replica = replicas[index]
        let applied = applied(index)
        // Now and then it has not heard of what the primary has.
        let first = random.chance(percent: 30) ? random.below(applied + 1) : applied
        let batch = replica.made.dropFirst(first).prefix(1 + random.below(60))
        let answer = order(index, Array(batch))
        let position = Int(replica.position)
        guard replica.generation == server.generation, position >= tail, position <= taken.count
        else {
            expect(answer == .snapshotNeeded, "\(replica.name) can not follow, but is let")
            follow(index)
            return
        }
        if first < applied, !batch.isEmpty { repeats += 1 }
        for change in batch where change.sequence > Int64(applied) {
            take(change, of: replica.name)
        }
        guard case .page(let page) = answer else {
            faults.append("\(replica.name) gets no page, but \(answer)")
            return
        }
        check(page, for: index)
        tail = max(tail, taken.count - Self.logMax)
        guard isHeard else { return }
        for change in page.changes { replicas[index].rows.apply(change.change) }
        replicas[index].position = page.through
    }

    /// Takes the rows themselves, while the web goes on writing.
    private mutating func follow(_ index: Int) {
        var rows = PlainRows()
        var first: SnapshotPage?
        var cursor: String?
        repeat {
            guard let page = server.snapshot(by: replicas[index].name, after: cursor) else {
                faults.append("there is no snapshot")
                return
            }
            expect(page.generation == server.generation, "a snapshot is another history's")
            expect(page.position == Int64(taken.count), "a snapshot is not of now")
            expect(page.applied == Int64(applied(index)), "a snapshot says another number")
            for row in page.rows { rows.apply(row) }
            first = first ?? page
            cursor = page.next
            snapshotPages += 1
            if cursor != nil { pushFromWeb() }
        } while cursor != nil
        guard let first else { return }
        replicas[index].generation = first.generation
        replicas[index].position = first.position
        replicas[index].rows = rows
    }

    /// Sends what is refused, and must leave no trace.
    private mutating func pushWrongly(_ index: Int) {
        let replica = replicas[index]
        guard replica.generation == server.generation, Int(replica.position) >= tail else { return }
        let next = Int64(applied(index)) + 1
        let fine = ReplicaChange.made("wrong")
        let foreign = ReplicaChange.made("wrong", ReplicaColumn("weather", .null))
        let mixed = [
            UnsentChange(sequence: next, change: fine),
            UnsentChange(sequence: next + 1, change: foreign),
        ]
        var isRefused = false
        if case .changesRefused(let refusals) = order(index, mixed) {
            isRefused = refusals.map(\.sequence) == [next + 1]
        }
        expect(isRefused, "a wrong change is taken")
        let gap = [UnsentChange(sequence: next + 1, change: fine)]
        expect(order(index, gap) == .refused(statusCode: 409), "a gap is taken")
    }

    // MARK: The reference

    /// How many of a replica's changes the primary has.
    private func applied(_ index: Int) -> Int {
        let name = replicas[index].name
        return Int(taken.last { $0.entry.replica == name }?.entry.sequence ?? 0)
    }

    private mutating func take(_ unsent: UnsentChange, of replica: String) {
        let change = unsent.change
        var isSetAside = false
        var position = unsent.madeAt?.position ?? 0
        if let generation = unsent.madeAt?.generation, let end = ends[generation] {
            position = min(position, end)
        }
        if change.kind != .insert, let origin = origins["\(change.table) \(change.key)"] {
            isSetAside = origin.position > position && origin.replica != replica
        }
        let present = rows.inserts.first { $0.table == change.table && $0.key == change.key }
        let entry = LoggedChange(
            position: Int64(taken.count) + 1,
            replica: replica,
            sequence: unsent.sequence,
            change: isSetAside ? present ?? change : rows.logged(change)
        )
        if isSetAside { setAside += 1 }
        let latest = Taken(entry: entry, isSetAside: isSetAside, at: now)
        taken.append(latest)
        rows.apply(entry.change)
        noteOrigin(latest)
    }

    private mutating func noteOrigin(_ taken: Taken) {
        let change = taken.entry.change
        let name = "\(change.table) \(change.key)"
        switch change.kind {
        case .insert where !taken.isSetAside:
            origins[name] = (taken.entry.position, taken.entry.replica)
        case .delete: origins[name] = nil
        case .insert, .update: break
        }
    }

    private mutating func age() {
        while durable < taken.count, taken[durable].at.advanced(by: .seconds(10)) <= now {
            durable += 1
        }
    }

    private mutating func check(_ page: ReplicaPage, for index: Int) {
        age()
        let from = Int(replicas[index].position)
        let through = from + min(128, taken.count - from)
        expect(page.generation == server.generation, "a page is another history's")
        expect(page.from == Int64(from), "a page follows on another position")
        expect(page.through == Int64(through), "a page ends at \(page.through), not \(through)")
        expect(page.durable == Int64(durable), "\(page.durable) is durable, not \(durable)")
        expect(page.applied == Int64(applied(index)), "a page says another number")
        expect(page.hasMore == (through < taken.count), "a page says wrongly what follows")
        expect(page.changes == taken[from..<through].map(\.entry), "a page has other changes")
        if page.hasMore { fullPages += 1 }
        let isTold = server.takenCount() == taken.count - told
        expect(isTold, "more or fewer changes are told than taken")
        told = taken.count
    }

    private mutating func trim() {
        server.bench.server.primaries.trim("mika")
        tail = taken.count
    }

    private mutating func fail() {
        age()
        taken.removeLast(taken.count - durable)
        rows = PlainRows(taken.map(\.entry.change))
        origins = [:]
        for left in taken { noteOrigin(left) }
        tail = durable
        told = durable
        failures += 1
        ends[server.generation] = Int64(durable)
        server.bench.server.primaries.fail("mika", at: now)
        let news = server.bench.server.primaries.takeNews()
        expect(news == [.rolledBack(user: "mika", through: Int64(durable))], "news of a failure")
        let generation = server.snapshot()?.generation ?? ""
        expect(generation != server.generation, "a failure begins no other history")
        server.generation = generation
    }
}
