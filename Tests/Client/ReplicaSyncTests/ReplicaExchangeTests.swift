import ReplicaChanges
import ReplicaSync
import SansIO
import SansIOTesting
import Testing

private typealias Effect = ReplicaEffect
private typealias Story = ReplicaStory

@Suite("What a replica and its primary exchange, and when (RP-01, RP-02, RP-04)")
struct ReplicaExchangeTests {
    private func id(_ number: UInt32) -> OperationID { OperationID(number: number) }

    @Test("A new replica gets the user's database, its rows, and then the log (RP-01)")
    func launch() throws {
        var story = Transcript(Story.machine())
        try story.expect(.pathChanged(isSatisfied: true), at: .zero)
        try story.expect(.opened(Story.standing(0, generation: nil)), at: .zero) {
            Effect.readSecret(id(1), .session)
            Effect.show(.syncing)
        }
        try story.expect(.secretRead(id(1), .found("s-ada")), at: .zero) {
            Effect.readSecret(id(2), .credential)
        }
        try story.expect(.secretRead(id(2), .missing), at: .zero) { Story.askCredential(3) }
        let given = ReplicaAnswer.credential(Story.credential)
        try story.expect(.serverAnswered(id(3), given), at: .zero) {
            Effect.keepCredential(Story.kept())
            Story.snapshot(4)
        }
        let first = Story.rows("a", "b", next: "c-1")
        try story.expect(.serverAnswered(id(4), .snapshot(first)), at: .zero) {
            Effect.stage(id(5), first, of: "db-ada", isFirst: true)
        }
        let none = Story.standing(0, generation: nil)
        try story.expect(.stored(id(5), .done(none)), at: .zero) { Story.snapshot(6, after: "c-1") }
        let last = Story.rows("c")
        try story.expect(.serverAnswered(id(6), .snapshot(last)), at: .zero) {
            Effect.stage(id(7), last, of: "db-ada", isFirst: false)
        }
        try story.expect(.stored(id(7), .done(Story.standing(40))), at: .zero) { Story.load(8) }
        try story.expect(.unsentLoaded(id(8), Story.nothing), at: .zero) { Story.sync(9, at: 40) }
        let page = Story.page(from: 40, 2)
        try story.expect(.serverAnswered(id(9), .page(page)), at: .zero) {
            Effect.take(id(10), page)
        }
        try story.expect(.stored(id(10), .done(Story.standing(42))), at: .zero) {
            Effect.show(.synced)
        }
    }

    @Test("A sync follows 60 s after the last, and at once when it is asked for (RP-02)")
    func interval() throws {
        var story = try Story.synced()
        try story.expectWake(at: .seconds(60)) {
            Story.load(6)
            Effect.show(.syncing)
        }
        try story.syncEmpty(6, at: .seconds(61))
        try story.expect(.syncRequested, at: .seconds(70)) {
            Story.load(9)
            Effect.show(.syncing)
        }
        try story.syncEmpty(9, at: .seconds(71))
        try story.expect(.cameToFront, at: .seconds(80)) {
            Story.load(12)
            Effect.show(.syncing)
        }
        try story.syncEmpty(12, at: .seconds(80))
        #expect(try story.due() == .seconds(140))
    }

    @Test("Interval, delay after a write and batch are the configuration's (RP-02)")
    func configured() throws {
        var configuration = ReplicaConfiguration(schema: Story.schema)
        configuration.syncInterval = .seconds(7)
        configuration.writeDelay = .seconds(2)
        configuration.batchCountMax = 3
        configuration.batchBytesMax = 100
        var story = try Story.begun(with: configuration)
        try story.syncEmpty(3, at: .zero)
        let load = { (number: UInt32) in
            Effect.loadUnsent(self.id(number), countMax: 3, bytesMax: 100)
        }
        try story.expectWake(at: .seconds(7)) {
            load(6)
            Effect.show(.syncing)
        }
        try story.syncEmpty(6, at: .seconds(7))
        try story.expect(.wrote, at: .seconds(8))
        try story.expectWake(at: .seconds(10)) {
            load(9)
            Effect.show(.syncing)
        }
    }

    @Test("Several writes share one exchange, half a second after the first")
    func burst() throws {
        var story = try Story.synced()
        try story.expect(.wrote, at: .seconds(1))
        try story.expect(.wrote, at: .milliseconds(1_400))
        try story.expectWake(at: .milliseconds(1_500)) {
            Story.load(6)
            Effect.show(.syncing)
        }
        let batch = UnsentBatch(changes: Story.unsent(1...2), hasMore: false)
        try story.expect(.unsentLoaded(id(6), batch), at: .milliseconds(1_500)) {
            Story.sync(7, Story.unsent(1...2))
        }
        let page = Story.page(from: 7, 2, applied: 2)
        try story.expect(.serverAnswered(id(7), .page(page)), at: .seconds(2)) {
            Effect.take(id(8), page)
        }
        try story.expect(.stored(id(8), .done(Story.standing(9))), at: .seconds(2)) {
            Effect.show(.synced)
        }
        #expect(try story.due() == .seconds(62))
    }

    @Test("What has other numbers since the primary's were higher is handed over at once (RP-04)")
    func numberedAnew() throws {
        var story = try Story.begun()
        let old = UnsentBatch(changes: Story.unsent(1...2), hasMore: false)
        try story.expect(.unsentLoaded(id(3), old), at: .zero) { Story.sync(4, old.changes) }
        let page = Story.page(from: 7, 0, applied: 5)
        try story.expect(.serverAnswered(id(4), .page(page)), at: .zero) {
            Effect.take(id(5), page)
        }
        try story.expect(.stored(id(5), .done(Story.standing(7))), at: .zero) { Story.load(6) }
    }

    @Test("A write in the middle of a sync is followed by another sync")
    func writeMeanwhile() throws {
        var story = try Story.begun()
        try story.expect(.unsentLoaded(id(3), Story.nothing), at: .zero) { Story.sync(4) }
        try story.expect(.wrote, at: .milliseconds(100))
        try story.answerEmpty(4, at: .milliseconds(200))
        try story.expect(.stored(id(5), .done(Story.standing(7))), at: .milliseconds(200)) {
            Effect.show(.synced)
        }
        try story.expect(.wrote, at: .milliseconds(300))
        try story.expectWake(at: .milliseconds(600)) {
            Story.load(6)
            Effect.show(.syncing)
        }
        try story.syncEmpty(6, at: .milliseconds(650))
        #expect(try story.due() == .milliseconds(60_650))
    }

    @Test("What is asked for in the middle of a sync follows it at once; no two run at a time")
    func requestedMeanwhile() throws {
        var story = try Story.asking()
        try story.expect(.syncRequested, at: .seconds(1))
        try story.expect(.syncRequested, at: .seconds(1))
        try story.expect(.cameToFront, at: .seconds(1))
        try story.answerEmpty(4, at: .seconds(2))
        try story.expect(.syncRequested, at: .seconds(2))
        let done = StoreOutcome.done(Story.standing(7))
        try story.expect(.stored(id(5), done), at: .seconds(2)) { Story.load(6) }
        try story.syncEmpty(6, at: .seconds(3))
        #expect(try story.due() == .seconds(63))
    }

    @Test("A sync goes on while either side has more")
    func more() throws {
        var story = try Story.begun()
        let full = UnsentBatch(changes: Story.unsent(1...2), hasMore: true)
        try story.expect(.unsentLoaded(id(3), full), at: .zero) {
            Story.sync(4, Story.unsent(1...2))
        }
        let first = Story.page(from: 7, 2, applied: 2)
        try story.expect(.serverAnswered(id(4), .page(first)), at: .zero) {
            Effect.take(id(5), first)
        }
        try story.expect(.stored(id(5), .done(Story.standing(9))), at: .zero) {
            Story.load(6, times: 2)
        }
        let rest = UnsentBatch(changes: Story.unsent(3...3), hasMore: false)
        try story.expect(.unsentLoaded(id(6), rest), at: .zero) {
            Story.sync(7, at: 9, Story.unsent(3...3))
        }
        let second = Story.page(from: 9, 3, applied: 3, hasMore: true)
        try story.expect(.serverAnswered(id(7), .page(second)), at: .zero) {
            Effect.take(id(8), second)
        }
        try story.expect(.stored(id(8), .done(Story.standing(12))), at: .zero) {
            Story.load(9, times: 2)
        }
        try story.expect(.unsentLoaded(id(9), Story.nothing), at: .zero) { Story.sync(10, at: 12) }
        let third = Story.page(from: 12, 1, applied: 3)
        try story.expect(.serverAnswered(id(10), .page(third)), at: .zero) {
            Effect.take(id(11), third)
        }
        try story.expect(.stored(id(11), .done(Story.standing(13))), at: .zero) {
            Effect.show(.synced)
        }
    }

    /// A sync that has much to hand over, whose exchanges are answered after these times, or fail.
    ///
    /// - Returns: How many times as much as the first each later exchange may hand over.
    private func factors(answeredAfter waits: [Duration?]) throws -> [Int] {
        var machine = Story.machine()
        var (now, factors) = (Instant.zero, [Int]())
        var latest: [Effect] = []
        func drive(_ event: ReplicaEvent?) {
            latest = machine.drive(event, at: now)
            for case .loadUnsent(_, let count, let bytes) in latest {
                #expect(count * 96 == bytes)
                factors.append(count / 128)
            }
        }
        drive(.opened(Story.standing(7)))
        drive(.pathChanged(isSatisfied: true))
        drive(.secretRead(id(1), .found("s-ada")))
        drive(.secretRead(id(2), .found(Story.kept())))
        var position: Int64 = 7
        for wait in waits {
            for case .loadUnsent(let load, _, _) in latest {
                let changes = Story.unsent(position - 6...position - 6)
                drive(.unsentLoaded(load, UnsentBatch(changes: changes, hasMore: true)))
            }
            guard case .callServer(let call, _)? = latest.last else { return factors }
            guard let wait else {
                drive(.serverAnswered(call, .failed))
                now = try #require(machine.deadline).instant
                drive(nil)
                continue
            }
            now = now.advanced(by: wait)
            let page = Story.page(from: position, 1, applied: position - 6)
            drive(.serverAnswered(call, .page(page)))
            position += 1
            guard case .take(let take, _)? = latest.last else { return factors }
            drive(.stored(take, .done(Story.standing(position))))
        }
        return Array(factors.dropFirst())
    }

    @Test("Quick answers let each exchange hand over twice as much, up to four times (K-18)")
    func batches() throws {
        let (quick, slow) = (Duration.milliseconds(1_250), Duration.milliseconds(1_251))
        #expect(try factors(answeredAfter: [quick, quick, quick, quick]) == [2, 4, 4, 4])
        #expect(try factors(answeredAfter: [quick, quick, slow, quick]) == [2, 4, 1, 2])
        #expect(try factors(answeredAfter: [quick, nil, quick]) == [2, 1, 2])
    }

    @Test("What the primary did not apply is sent again in the same sync (RP-04)")
    func leftOver() throws {
        var story = try Story.asking(Story.unsent(1...3))
        let page = Story.page(from: 7, 2, applied: 2)
        try story.expect(.serverAnswered(id(4), .page(page)), at: .zero) {
            Effect.take(id(5), page)
        }
        try story.expect(.stored(id(5), .done(Story.standing(9))), at: .zero) { Story.load(6) }
    }

    @Test("Where the log was cut the rows themselves are fetched, and unsent changes go after them")
    func snapshotNeeded() throws {
        var story = try Story.asking(Story.unsent(1...1))
        try story.expect(.serverAnswered(id(4), .snapshotNeeded), at: .zero) { Story.snapshot(5) }
        let rows = Story.rows("a", generation: "g2")
        try story.expect(.serverAnswered(id(5), .snapshot(rows)), at: .zero) {
            Effect.stage(id(6), rows, of: "db-ada", isFirst: true)
        }
        let replaced = Story.standing(40, generation: "g2")
        try story.expect(.stored(id(6), .done(replaced)), at: .zero) { Story.load(7) }
        let batch = UnsentBatch(changes: Story.unsent(1...1), hasMore: false)
        try story.expect(.unsentLoaded(id(7), batch), at: .zero) {
            Story.sync(8, at: 40, Story.unsent(1...1), generation: "g2")
        }
    }

    @Test("A snapshot whose generation changes between two pages begins anew")
    func snapshotOfTwoGenerations() throws {
        var story = try Story.begun(Story.standing(0, generation: nil))
        let first = Story.rows("a", next: "c-1")
        try story.expect(.serverAnswered(id(3), .snapshot(first)), at: .zero) {
            Effect.stage(id(4), first, of: "db-ada", isFirst: true)
        }
        let none = StoreOutcome.done(Story.standing(0, generation: nil))
        try story.expect(.stored(id(4), none), at: .zero) { Story.snapshot(5, after: "c-1") }
        let other = Story.rows("b", next: "c-2", generation: "g2")
        try story.expect(.serverAnswered(id(5), .snapshot(other)), at: .zero) { Story.snapshot(6) }
        try story.expect(.serverAnswered(id(6), .snapshot(other)), at: .zero) {
            Effect.stage(id(7), other, of: "db-ada", isFirst: true)
        }
    }

    @Test("A snapshot goes on where the network left it")
    func snapshotInterrupted() throws {
        var story = try Story.begun(Story.standing(0, generation: nil))
        let first = Story.rows("a", next: "c-1")
        try story.expect(.serverAnswered(id(3), .snapshot(first)), at: .zero) {
            Effect.stage(id(4), first, of: "db-ada", isFirst: true)
        }
        let none = StoreOutcome.done(Story.standing(0, generation: nil))
        try story.expect(.stored(id(4), none), at: .zero) { Story.snapshot(5, after: "c-1") }
        try story.expect(.pathChanged(isSatisfied: false), at: .seconds(1)) {
            Effect.cancelCall(id(5))
            Effect.show(.offline)
        }
        try story.expect(.pathChanged(isSatisfied: true), at: .seconds(9)) {
            Story.snapshot(6, after: "c-1")
            Effect.show(.syncing)
        }
    }

    @Test("A piece that the file finds out of order is asked for again, then the rows themselves")
    func outOfOrder() throws {
        var story = try Story.asking()
        try story.answerEmpty(4, at: .zero)
        try story.expect(.stored(id(5), .outOfOrder), at: .zero) { Story.load(6) }
        try story.expect(.unsentLoaded(id(6), Story.nothing), at: .zero) { Story.sync(7) }
        try story.answerEmpty(7, at: .zero)
        try story.expect(.stored(id(8), .outOfOrder), at: .zero) { Story.snapshot(9) }
    }

    @Test("A file that is opened anew ends what was under way with the former")
    func openedAnew() throws {
        var story = try Story.asking()
        try story.expect(.opened(Story.standing(3)), at: .seconds(1)) {
            Effect.cancelCall(id(4))
            Story.load(5)
        }
        var taking = try Story.asking()
        try taking.answerEmpty(4, at: .zero)
        try taking.expect(.opened(Story.standing(3)), at: .seconds(1)) { Story.load(6) }
        try taking.expect(.stored(id(5), .done(Story.standing(7))), at: .seconds(2))
        try taking.expect(.unsentLoaded(id(6), Story.nothing), at: .seconds(2)) {
            Story.sync(7, at: 3)
        }
    }
}
