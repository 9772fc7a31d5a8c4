import ReplicaSync
import SansIO
import SansIOTesting
import Testing

private typealias Effect = ReplicaEffect
private typealias Story = ReplicaStory

@Suite("One user's rows are never another's (RP-01)")
struct ReplicaOwnerTests {
    private func id(_ number: UInt32) -> OperationID { OperationID(number: number) }

    @Test("Nobody is served by a former session's credential or another user's file (RP-01)")
    func otherUser() throws {
        var story = try Story.asking()
        try story.expect(.signedIn(session: "s-bob"), at: .seconds(1)) {
            Effect.cancelCall(id(4))
            Effect.keepCredential(nil)
            Story.askCredential(5, session: "s-bob")
        }
        let bob = ReplicaCredential(database: "db-bob", token: "token-b")
        try story.expect(.serverAnswered(id(5), .credential(bob)), at: .seconds(1)) {
            Effect.keepCredential(Story.kept(bob, session: "s-bob"))
            Effect.show(.foreign)
        }
        #expect(story.machine.deadline == nil)
        try story.expect(.cameToFront, at: .seconds(2))
        // With a file of his own he is served.
        let own = ReplicaStanding(replica: "r-2", schema: 2, generation: nil, position: 0)
        try story.expect(.opened(own), at: .seconds(3)) {
            Effect.follow("db-bob")
            Effect.callServer(id(6), .snapshot(replica: "r-2", after: nil, bob))
            Effect.show(.syncing)
        }
    }

    @Test("A new file is its user's before any row is asked for, and stays so (RP-01)")
    func newFile() throws {
        var story = Transcript(Story.machine())
        let new = ReplicaStanding(replica: "r-1", schema: 2, generation: nil, position: 0)
        try story.expect(.opened(new), at: .zero)
        try story.expect(.signedIn(session: "s-ada"), at: .zero)
        try story.expect(.pathChanged(isSatisfied: true), at: .zero) {
            Effect.readSecret(id(1), .credential)
            Effect.show(.syncing)
        }
        try story.expect(.secretRead(id(1), .missing), at: .zero) { Story.askCredential(2) }
        let given = ReplicaAnswer.credential(Story.credential)
        try story.expect(.serverAnswered(id(2), given), at: .zero) {
            Effect.keepCredential(Story.kept())
            Effect.follow("db-ada")
            Effect.callServer(id(3), .snapshot(replica: "r-1", after: nil, Story.credential))
        }
        try story.expect(.signedOut, at: .seconds(1)) {
            Effect.cancelCall(id(3))
            Effect.keepCredential(nil)
            Effect.show(.signedOut)
        }
        try story.expect(.signedIn(session: "s-bob"), at: .seconds(2)) {
            Story.askCredential(4, session: "s-bob")
            Effect.show(.syncing)
        }
        let bob = ReplicaCredential(database: "db-bob", token: "token-b")
        try story.expect(.serverAnswered(id(4), .credential(bob)), at: .seconds(2)) {
            Effect.keepCredential(Story.kept(bob, session: "s-bob"))
            Effect.show(.foreign)
        }
    }

    /// Sessions of ada and of bob, as JSON Web Tokens without a signature.
    private static let ada = "x.eyJzdWIiOiJhZGEifQ.1"
    private static let adaAgain = "x.eyJzdWIiOiJhZGEifQ.2"
    private static let bob = "x.eyJzdWIiOiJib2IifQ.1"
    private static let new = ReplicaStanding(
        replica: "r-1",
        schema: 2,
        generation: nil,
        position: 0
    )

    /// A file of nobody's, for which ada signs in while the server gives no credential.
    private func claimed() throws -> Transcript<ReplicaSynchronizer> {
        var story = Transcript(Story.machine())
        try story.expect(.opened(Self.new), at: .zero)
        try story.expect(.signedIn(session: Self.ada), at: .zero) { Effect.claim("ada") }
        try story.expect(.pathChanged(isSatisfied: true), at: .zero) {
            Effect.readSecret(id(1), .credential)
            Effect.show(.syncing)
        }
        try story.expect(.secretRead(id(1), .missing), at: .zero) {
            Story.askCredential(2, session: Self.ada)
        }
        try story.expect(.wrote, at: .seconds(1))
        return story
    }

    @Test("Whoever signs in before the first credential gets nothing of who had signed in (RP-01)")
    func beforeCredential() throws {
        var story = try claimed()
        // Twice in a row.
        for second in [2, 12] as [Int64] {
            let (asked, start) = (second == 2 ? 2 : 3 as UInt32, Duration.seconds(second))
            try story.expect(.signedOut, at: start) {
                Effect.cancelCall(id(asked))
                Effect.keepCredential(nil)
                Effect.show(.signedOut)
            }
            try story.expect(.signedIn(session: Self.bob), at: start + .seconds(1)) {
                Effect.show(.foreign)
            }
            try story.expect(.cameToFront, at: start + .seconds(2))
            #expect(story.machine.deadline == nil)
            try story.expect(.signedIn(session: Self.adaAgain), at: start + .seconds(3)) {
                Effect.keepCredential(nil)
                Story.askCredential(asked + 1, session: Self.adaAgain)
                Effect.show(.syncing)
            }
        }
        let given = ReplicaAnswer.credential(Story.credential)
        try story.expect(.serverAnswered(id(4), given), at: .seconds(16)) {
            Effect.keepCredential(Story.kept(session: Self.adaAgain))
            Effect.follow("db-ada")
            Effect.callServer(id(5), .snapshot(replica: "r-1", after: nil, Story.credential))
        }
    }

    @Test("A launch changes nothing of it: the session in secure storage says whose it is (RP-01)")
    func beforeCredentialRelaunched() throws {
        var standing = Self.new
        standing.claimant = "ada"
        for (session, isOwn) in [(Self.adaAgain, true), (Self.bob, false), ("opaque", true)] {
            var story = Transcript(Story.machine())
            try story.expect(.opened(standing), at: .zero)
            try story.expect(.pathChanged(isSatisfied: true), at: .zero) {
                Effect.readSecret(id(1), .session)
                Effect.show(.syncing)
            }
            let next = isOwn ? Effect.readSecret(id(2), .credential) : Effect.show(.foreign)
            try story.expect(.secretRead(id(1), .found(session)), at: .zero) { next }
        }
    }

    @Test("After a launch too another user's file gives and takes nothing, until its owner is back")
    func otherUserLaunches() throws {
        let theirs = Story.standing(7)
        let bob = ReplicaCredential(database: "db-bob", token: "token-b")
        var story = Transcript(Story.machine())
        try story.expect(.opened(theirs), at: .zero)
        try story.expect(.pathChanged(isSatisfied: true), at: .zero) {
            Effect.readSecret(id(1), .session)
            Effect.show(.syncing)
        }
        try story.expect(.secretRead(id(1), .found("s-bob")), at: .zero) {
            Effect.readSecret(id(2), .credential)
        }
        let kept = SecretAnswer.found(Story.kept(bob, session: "s-bob"))
        try story.expect(.secretRead(id(2), kept), at: .zero) { Effect.show(.foreign) }
        try story.expect(.wrote, at: .seconds(1))
        try story.expect(.syncRequested, at: .seconds(1))
        try story.expect(.pathChanged(isSatisfied: false), at: .seconds(2))
        try story.expect(.pathChanged(isSatisfied: true), at: .seconds(9))
        #expect(story.machine.deadline == nil)
        try story.expect(.signedIn(session: "s-ada"), at: .seconds(10)) {
            Effect.keepCredential(nil)
            Story.askCredential(3)
            Effect.show(.syncing)
        }
        let given = ReplicaAnswer.credential(Story.credential)
        try story.expect(.serverAnswered(id(3), given), at: .seconds(10)) {
            Effect.keepCredential(Story.kept())
            Story.load(4)
        }
    }
}
