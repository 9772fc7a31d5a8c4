import ReplicaSync
import SansIO
import SansIOTesting
import Testing

private typealias Effect = ReplicaEffect
private typealias Story = ReplicaStory

@Suite("A replica without a network, and on a bad one (RP-03, D-12)")
struct ReplicaOfflineTests {
    private func id(_ number: UInt32) -> OperationID { OperationID(number: number) }

    @Test("Without a network nothing is asked, whatever the user does (RP-03)")
    func offline() throws {
        var story = Transcript(Story.machine())
        try story.expect(.pathChanged(isSatisfied: false), at: .zero)
        try story.expect(.opened(Story.standing(7)), at: .zero) { Effect.show(.offline) }
        try story.expect(.signedIn(session: "s-ada"), at: .seconds(1))
        try story.expect(.wrote, at: .seconds(2))
        try story.expect(.syncRequested, at: .seconds(3))
        try story.expect(.cameToFront, at: .seconds(4))
        #expect(story.machine.deadline == nil)
    }

    @Test("What was written offline goes at once when the network returns, by itself (RP-03)")
    func pathReturns() throws {
        var story = try Story.synced()
        try story.expect(.pathChanged(isSatisfied: false), at: .seconds(10)) {
            Effect.show(.offline)
        }
        try story.expect(.wrote, at: .seconds(20))
        #expect(story.machine.deadline == nil)
        try story.expect(.pathChanged(isSatisfied: true), at: .seconds(600)) {
            Story.load(6)
            Effect.show(.syncing)
        }
        let batch = UnsentBatch(changes: Story.unsent(1...1), hasMore: false)
        try story.expect(.unsentLoaded(id(6), batch), at: .seconds(600)) {
            Story.sync(7, Story.unsent(1...1))
        }
        let page = Story.page(from: 7, 1, applied: 1)
        try story.expect(.serverAnswered(id(7), .page(page)), at: .seconds(601)) {
            Effect.take(id(8), page)
        }
        try story.expect(.stored(id(8), .done(Story.standing(8))), at: .seconds(601)) {
            Effect.show(.synced)
        }
        #expect(try story.due() == .seconds(661))
    }

    @Test("A busy server is left alone for as long as it asks, though the network returns")
    func leftAlone() throws {
        var story = try Story.synced()
        try story.expect(.syncRequested, at: .seconds(10)) {
            Story.load(6)
            Effect.show(.syncing)
        }
        try story.expect(.unsentLoaded(id(6), Story.nothing), at: .seconds(10)) { Story.sync(7) }
        let busy = ReplicaAnswer.busy(RetryAfter(.seconds(40)))
        try story.expect(.serverAnswered(id(7), busy), at: .seconds(11)) {
            Effect.show(.backingOff)
        }
        try story.expect(.pathChanged(isSatisfied: true), at: .seconds(15))
        #expect(try story.due() == .seconds(51))
        try story.expect(.pathChanged(isSatisfied: false), at: .seconds(20)) {
            Effect.show(.offline)
        }
        try story.expect(.pathChanged(isSatisfied: true), at: .seconds(30))
        #expect(try story.due() == .seconds(51))
    }

    @Test("A network that flaps starts a sync each 2 s at most, even where something was written")
    func flapping() throws {
        var story = try Story.synced()
        try story.expect(.pathChanged(isSatisfied: false), at: .milliseconds(500)) {
            Effect.show(.offline)
        }
        try story.expect(.wrote, at: .milliseconds(500))
        try story.expect(.pathChanged(isSatisfied: true), at: .milliseconds(1_200))
        try story.expectWake(at: .seconds(2)) {
            Story.load(6)
            Effect.show(.syncing)
        }
        try story.expect(.pathChanged(isSatisfied: false), at: .milliseconds(2_100)) {
            Effect.show(.offline)
        }
        try story.expect(.pathChanged(isSatisfied: true), at: .milliseconds(2_200))
        #expect(try story.due() == .seconds(4))
        try story.expectWake(at: .seconds(4)) {
            Story.load(7)
            Effect.show(.syncing)
        }
        try story.syncEmpty(7, at: .seconds(4))
        // Another network is no news where nothing has failed.
        try story.expect(.pathChanged(isSatisfied: true), at: .seconds(7))
        #expect(try story.due() == .seconds(64))
    }

    @Test("Whoever asks is not put off by a network that flaps")
    func askedMeanwhile() throws {
        var story = try Story.synced()
        try story.expect(.pathChanged(isSatisfied: false), at: .milliseconds(500)) {
            Effect.show(.offline)
        }
        try story.expect(.pathChanged(isSatisfied: true), at: .milliseconds(600))
        try story.expect(.syncRequested, at: .milliseconds(700)) {
            Story.load(6)
            Effect.show(.syncing)
        }
    }

    @Test("When the network goes nobody waits for an answer, and a late one is nobody's")
    func pathLost() throws {
        var story = try Story.asking()
        try story.expect(.pathChanged(isSatisfied: false), at: .seconds(1)) {
            Effect.cancelCall(id(4))
            Effect.show(.offline)
        }
        let page = Story.page(from: 7, 1)
        try story.expect(.serverAnswered(id(4), .page(page)), at: .seconds(2))
        #expect(story.machine.deadline == nil)
    }

    @Test("What the file was taking when the network went counts, before another sync begins")
    func pathLostWhileTaking() throws {
        var story = try Story.asking()
        let page = Story.page(from: 7, 2)
        try story.expect(.serverAnswered(id(4), .page(page)), at: .seconds(1)) {
            Effect.take(id(5), page)
        }
        try story.expect(.pathChanged(isSatisfied: false), at: .seconds(2)) {
            Effect.show(.offline)
        }
        try story.expect(.pathChanged(isSatisfied: true), at: .seconds(5))
        #expect(story.machine.deadline == nil)
        try story.expect(.stored(id(5), .done(Story.standing(9))), at: .seconds(6)) {
            Story.load(6)
            Effect.show(.syncing)
        }
        try story.expect(.unsentLoaded(id(6), Story.nothing), at: .seconds(6)) {
            Story.sync(7, at: 9)
        }
    }

    @Test("A request without an answer is made again beside it, and the late answer counts (D-12)")
    func slow() throws {
        var story = try Story.asking(Story.unsent(1...1))
        try story.expectWake(at: .seconds(5)) { Story.sync(5, Story.unsent(1...1)) }
        let page = Story.page(from: 7, 1, applied: 1)
        try story.expect(.serverAnswered(id(4), .page(page)), at: .seconds(7)) {
            Effect.cancelCall(id(5))
            Effect.take(id(6), page)
        }
        try story.expect(.serverAnswered(id(5), .page(page)), at: .seconds(7))
        try story.expect(.stored(id(6), .done(Story.standing(8))), at: .seconds(7)) {
            Effect.show(.synced)
        }
    }

    @Test("A silent server is asked less and less, with two requests in flight at most")
    func silent() throws {
        var story = try Story.asking()
        var operation: UInt32 = 4
        var isWaiting = false
        while try story.due() < .seconds(300) {
            let due = try story.due()
            var machine = story.machine
            let buffer = machine.wake(at: Instant.zero.advanced(by: due))
            let asked = buffer.contains(Story.sync(operation + 1))
            isWaiting = isWaiting || buffer.contains(.show(.backingOff))
            try story.expectWake(at: due) { buffer }
            if asked { operation += 1 }
        }
        #expect(isWaiting)
        #expect((15...28).contains(operation))
    }

    @Test("A server that says when to come again is heeded, for five minutes at most")
    func busy() throws {
        for (told, wait) in [(45, 45), (86_400, 300)] as [(Int64, Int64)] {
            var story = try Story.asking()
            let answer = ReplicaAnswer.busy(RetryAfter(.seconds(told)))
            try story.expect(.serverAnswered(id(4), answer), at: .zero) {
                Effect.show(.backingOff)
            }
            #expect(try story.due() == .seconds(wait))
        }
    }

    @Test("A server that is down is asked again after 1, 2, 4 … 30 s, with what was written since")
    func down() throws {
        var story = try Story.asking()
        var now = Duration.zero
        var operation: UInt32 = 4
        for wait in [1, 2, 4, 8, 16, 30, 30] as [Int64] {
            try story.expect(.serverAnswered(id(operation), .refused(statusCode: 503)), at: now) {
                Effect.show(.backingOff)
            }
            let due = try story.due()
            #expect(due - now >= .milliseconds(wait * 500) && due - now <= .seconds(wait))
            now = due
            try story.expectWake(at: now) {
                Story.load(operation + 1)
                Effect.show(.syncing)
            }
            let batch = UnsentBatch(changes: Story.unsent(1...wait), hasMore: false)
            try story.expect(.unsentLoaded(id(operation + 1), batch), at: now) {
                Story.sync(operation + 2, Story.unsent(1...wait))
            }
            operation += 2
        }
        // A user who comes does not wait, and neither does another network.
        try story.expect(.serverAnswered(id(operation), .failed), at: now) {
            Effect.show(.backingOff)
        }
        var other = story
        try other.expect(.pathChanged(isSatisfied: true), at: now) {
            Story.load(operation + 1)
            Effect.show(.syncing)
        }
        try story.expect(.cameToFront, at: now) {
            Story.load(operation + 1)
            Effect.show(.syncing)
        }
    }

    @Test("Phones that lost one server do not come back to it together")
    func jitter() throws {
        var waits: Set<Int64> = []
        for seed in 0..<20 as Range<UInt64> {
            var rig = ReplicaRig(seed: seed)
            rig.run(until: .zero) { _ in .failed }
            let due = try #require(rig.machine.deadline)
            waits.insert(due.instant.nanoseconds)
        }
        #expect(waits.count > 15)
    }
}
