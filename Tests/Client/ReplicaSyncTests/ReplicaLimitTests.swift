import ReplicaChanges
import ReplicaSync
import SansIO
import SansIOTesting
import Testing

private typealias Effect = ReplicaEffect
private typealias Story = ReplicaStory

@Suite("A replica at a server or a file that leads nowhere")
struct ReplicaLimitTests {
    /// Ten minutes hold no more than 45 waits that grow to 15 s at least.
    private static let syncsMax = 45

    private func id(_ number: UInt32) -> OperationID { OperationID(number: number) }

    /// Runs ten minutes and expects tries that go on, so many requests for each at most.
    private func expectPatience(
        _ rig: ReplicaRig,
        requestsPerSync: Int,
        server: (ReplicaRequest) -> ReplicaAnswer
    ) {
        var rig = rig
        rig.run(until: .seconds(600), server: server)
        #expect(rig.requests.count >= 20)
        #expect(rig.requests.count <= Self.syncsMax * requestsPerSync)
        #expect(rig.shown.last == .backingOff)
    }

    private func position(_ request: ReplicaRequest) -> Int64? {
        guard case .sync(let exchange, _) = request else { return nil }
        return exchange.position
    }

    @Test("A log that has more for ever and brings nothing")
    func moreForEver() {
        expectPatience(ReplicaRig(), requestsPerSync: 2) { request in
            .page(Story.page(from: position(request) ?? 0, hasMore: true))
        }
    }

    @Test("A primary that never applies what it is sent")
    func neverApplied() {
        var rig = ReplicaRig()
        rig.unsent = Story.unsent(1...3)
        expectPatience(rig, requestsPerSync: 2) { request in
            .page(Story.page(from: position(request) ?? 0))
        }
    }

    @Test("A snapshot that is always needed (410)")
    func snapshotForEver() {
        expectPatience(ReplicaRig(), requestsPerSync: 5) { request in
            position(request) == nil ? .snapshot(Story.rows("a")) : .snapshotNeeded
        }
    }

    @Test("A snapshot whose generation changes with every page")
    func generationsForEver() {
        var page = 0
        expectPatience(
            ReplicaRig(standing: Story.standing(0, generation: nil)),
            requestsPerSync: 4
        ) { _ in
            page += 1
            return .snapshot(Story.rows("a", next: "c-\(page)", generation: "g\(page)"))
        }
    }

    @Test("A snapshot of pages without rows")
    func emptyForEver() {
        var page = 0
        expectPatience(
            ReplicaRig(standing: Story.standing(0, generation: nil)),
            requestsPerSync: 2
        ) { _ in
            page += 1
            return .snapshot(Story.rows(next: "c-\(page)"))
        }
    }

    @Test("A schema that stays behind after every migration (409)")
    func migrationForEver() {
        expectPatience(ReplicaRig(), requestsPerSync: 5) { request in
            position(request) == nil ? .migrated(schema: 2) : .schemaDiffers(1)
        }
    }

    @Test("A schema of the same version that came about in another way (409, RP-05)")
    func otherSchema() {
        expectPatience(ReplicaRig(), requestsPerSync: 1) { _ in .schemaDiffers(2) }
    }

    @Test("A server that refuses every token it gives (401)")
    func refusedForEver() {
        expectPatience(ReplicaRig(), requestsPerSync: 4) { request in
            position(request) == nil ? .credential(Story.renewed) : .unauthorized
        }
    }

    @Test("A file that refuses keeps its place", arguments: [StoreOutcome.failed, .outOfOrder])
    func refusingFile(refusal: StoreOutcome) {
        var rig = ReplicaRig()
        rig.refusal = refusal
        var positions: [Int64] = []
        expectPatience(rig, requestsPerSync: 4) { request in
            guard let from = position(request) else { return .snapshot(Story.rows("a")) }
            positions.append(from)
            return .page(Story.page(from: from, 1))
        }
        #expect(Set(positions) == [7])
    }

    @Test("A file on a full disk keeps its place, and the user reads why")
    func fullDisk() {
        var rig = ReplicaRig()
        rig.refusal = .noRoom
        rig.run(until: .seconds(600)) { request in
            guard let from = position(request) else { return .snapshot(Story.rows("a")) }
            return .page(Story.page(from: from, 1))
        }
        #expect(rig.requests.count >= 20 && rig.requests.count <= Self.syncsMax)
        #expect(rig.requests.allSatisfy { position($0) == 7 })
        #expect(rig.shown.last == .noRoom)
    }

    @Test(
        "A database that has room for a few changes (413) takes those, and gives what others wrote (RP-04)",
        arguments: [0, 5, 199, 200]
    )
    func fullDatabase(room: Int) {
        var rig = ReplicaRig()
        rig.unsent = Story.unsent(1...200)
        var taken: Int64 = 0
        rig.run(until: .seconds(600)) { request in
            guard case .sync(let exchange, _) = request else { return .failed }
            let last = exchange.changes.last?.sequence ?? taken
            guard last <= room else { return .refused(statusCode: 413) }
            taken = last
            let count: Int64 = exchange.position < 10 ? 3 : 0
            return .page(Story.page(from: exchange.position, count, applied: taken))
        }
        #expect(rig.standing.position == 10)
        #expect(rig.unsent.map(\.sequence) == Array(Int64(room) + 1..<201))
        #expect(rig.shown.last == (room < 200 ? .backingOff : .synced))
        #expect(rig.requests.count <= Self.syncsMax * 8)
    }

    @Test("A change that the primary refuses (4xx) hinders no fetch", arguments: [400, 403, 413])
    func refusedChange(statusCode: Int) {
        var rig = ReplicaRig()
        rig.unsent = Story.unsent(1...1)
        expectPatience(rig, requestsPerSync: 2) { request in
            guard case .sync(let exchange, _) = request, exchange.changes.isEmpty else {
                return .refused(statusCode: statusCode)
            }
            return .page(Story.page(from: exchange.position))
        }
    }

    @Test("Changes refused for ever (422) are set aside, and those behind them go on (RP-04)")
    func refusedForGood() {
        let closed: [Int64] = [2, 4, 5, 200]
        for isAtOnce in [true, false] {
            var rig = ReplicaRig()
            rig.unsent = Story.unsent(1...201)
            var told: [Int64] = []
            rig.run(until: .seconds(120)) { request in
                guard case .sync(let exchange, _) = request else {
                    return .snapshot(Story.rows("a"))
                }
                let all = exchange.changes.map(\.sequence).filter {
                    closed.contains($0) && !told.contains($0)
                }
                let refused = isAtOnce ? all : Array(all.prefix(1))
                told += refused
                guard refused.isEmpty else {
                    return .changesRefused(refused.map { .init(sequence: $0, reason: "rule") })
                }
                let last = exchange.changes.last?.sequence ?? 201
                return .page(Story.page(from: exchange.position, applied: last))
            }
            #expect(rig.setAside == closed)
            #expect(rig.unsent.isEmpty && rig.shown.last == .synced)
            #expect(rig.standing.generation == "g1")
            #expect(rig.requests.count < 40)
        }
    }

    @Test("A refusal of nothing, or of what was not handed over, is no answer")
    func refusesNothing() {
        for sequences in [[], [2], [1, 2]] as [[Int64]] {
            var rig = ReplicaRig()
            rig.unsent = Story.unsent(1...1)
            expectPatience(rig, requestsPerSync: 40) { _ in
                .changesRefused(sequences.map { .init(sequence: $0, reason: "rule") })
            }
            rig.run(until: .seconds(60)) { _ in
                .changesRefused(sequences.map { .init(sequence: $0, reason: "rule") })
            }
            #expect(rig.setAside.isEmpty)
        }
    }

    @Test("A file that cannot say what it keeps is asked again after a wait")
    func unreadable() throws {
        var story = try Story.begun()
        try story.expect(.stored(id(2), .failed), at: .zero)
        try story.expect(.stored(id(3), .failed), at: .zero) { Effect.show(.backingOff) }
        let again = try story.due()
        #expect(again >= .milliseconds(500) && again <= .seconds(1))
        try story.expectWake(at: again) {
            Story.load(4)
            Effect.show(.syncing)
        }
        // Whoever asks does not wait.
        try story.expect(.stored(id(4), .failed), at: again) { Effect.show(.backingOff) }
        try story.expect(.syncRequested, at: again) {
            Story.load(5)
            Effect.show(.syncing)
        }
    }

    @Test("After a sync that led nowhere a user who asks does not wait, and a write does")
    func hastened() throws {
        var story = try Story.asking()
        try story.answerEmpty(4, at: .zero)
        try story.expect(.stored(id(5), .failed), at: .zero) { Effect.show(.backingOff) }
        try story.expect(.wrote, at: .milliseconds(10))
        #expect(try story.due() >= .milliseconds(500))
        try story.expect(.syncRequested, at: .milliseconds(20)) {
            Story.load(6)
            Effect.show(.syncing)
        }
    }

    @Test("A log that goes on is followed to its end, however long it is")
    func longLog() {
        var rig = ReplicaRig()
        rig.run(until: .seconds(30)) { request in
            let from = position(request) ?? 0
            return .page(Story.page(from: from, 100, hasMore: from < 4_000))
        }
        #expect(rig.requests.count == 41)
        #expect(rig.shown == [.syncing, .synced])
        #expect(rig.standing.position == 4_107)
    }

    @Test("A page that is not what was asked for is not taken")
    func malformed() throws {
        var gap = Story.page(from: 7, 2)
        gap.changes[1].position = 10
        var short = Story.page(from: 7, 2)
        short.changes.removeLast()
        var back = Story.page(from: 7)
        back.through = 6
        let pages = [
            Story.page(from: 7, 1, generation: "g2"), Story.page(from: 6, 1),
            Story.page(from: 8, 1), gap, short, back, Story.page(from: 7, applied: -1),
        ]
        let answers: [ReplicaAnswer] =
            pages.map(ReplicaAnswer.page) + [
                .malformed, .refused(statusCode: 400), .migrated(schema: 2),
                .snapshot(Story.rows("a")), .credential(Story.credential),
            ]
        for answer in answers {
            var story = try Story.asking()
            try story.expect(.serverAnswered(id(4), answer), at: .seconds(1)) {
                Effect.show(.backingOff)
            }
            #expect(try story.due() <= .seconds(2))
        }
    }

    @Test("A snapshot's page that asks for itself again is not taken")
    func circle() throws {
        var story = try Story.begun(Story.standing(0, generation: nil))
        let first = Story.rows("a", next: "c-1")
        try story.expect(.serverAnswered(id(3), .snapshot(first)), at: .zero) {
            Effect.stage(id(4), first, of: "db-ada", isFirst: true)
        }
        let none = StoreOutcome.done(Story.standing(0, generation: nil))
        try story.expect(.stored(id(4), none), at: .zero) { Story.snapshot(5, after: "c-1") }
        try story.expect(.serverAnswered(id(5), .snapshot(first)), at: .zero) {
            Effect.show(.backingOff)
        }
    }
}
