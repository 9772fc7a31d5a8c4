import ReplicaChanges
import ReplicaSync
import SansIO
import SansIOTesting
import Testing

private typealias Effect = ReplicaEffect
private typealias Story = ReplicaStory

@Suite("A replica is not suspended in the middle of a transaction (RP-04, 0xdead10cc)")
struct ReplicaBackgroundTests {
    private func id(_ number: UInt32) -> OperationID { OperationID(number: number) }

    /// The file is taking an answer that came at 1 s, as operation 5.
    private func storing() throws -> Transcript<ReplicaSynchronizer> {
        var story = try Story.asking()
        try story.answerEmpty(4, at: .seconds(1))
        return story
    }

    @Test("Who leaves the app while the file takes something gives it the time")
    func left() throws {
        var story = try storing()
        try story.expect(.wentToBackground, at: .seconds(2)) { Effect.beginBackgroundTask }
        try story.expect(.stored(id(5), .done(Story.standing(7))), at: .seconds(3)) {
            Effect.endBackgroundTask
            Effect.show(.synced)
        }
    }

    @Test("What begins in the background has asked for time before the file is locked")
    func begun() throws {
        var story = try Story.asking()
        try story.expect(.wentToBackground, at: .milliseconds(500))
        let page = Story.page(from: 7)
        try story.expect(.serverAnswered(id(4), .page(page)), at: .seconds(1)) {
            Effect.beginBackgroundTask
            Effect.take(id(5), page)
        }
        try story.expect(.cameToFront, at: .seconds(2)) { Effect.endBackgroundTask }
    }

    @Test("Once the time is up nothing more is begun, and the front goes on")
    func expired() throws {
        var story = try Story.asking()
        try story.expect(.wentToBackground, at: .milliseconds(500))
        try story.expect(.timeExpired, at: .milliseconds(700))
        let page = Story.page(from: 7)
        try story.expect(.serverAnswered(id(4), .page(page)), at: .seconds(1)) {
            Effect.show(.backingOff)
        }
        try story.expect(.cameToFront, at: .seconds(60)) {
            Story.load(5)
            Effect.show(.syncing)
        }
    }

    @Test("Time that runs out while the file takes something is given back")
    func expiredWhileStoring() throws {
        var story = try storing()
        try story.expect(.wentToBackground, at: .seconds(2)) { Effect.beginBackgroundTask }
        try story.expect(.timeExpired, at: .seconds(32)) { Effect.endBackgroundTask }
    }
}
