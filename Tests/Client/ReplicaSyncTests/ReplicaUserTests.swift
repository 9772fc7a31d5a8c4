import ReplicaChanges
import ReplicaSync
import SansIO
import SansIOTesting
import Testing

private typealias Effect = ReplicaEffect
private typealias Story = ReplicaStory

@Suite("Whose replica it is (RP-01, RP-05, RP-06)")
struct ReplicaUserTests {
    private func id(_ number: UInt32) -> OperationID { OperationID(number: number) }

    @Test("A token that has run out is replaced once, and the exchange goes on with it (RP-01)")
    func tokenExpired() throws {
        var story = try Story.asking(Story.unsent(1...1))
        try story.expect(.serverAnswered(id(4), .unauthorized), at: .zero) {
            Story.askCredential(5)
        }
        let given = ReplicaAnswer.credential(Story.renewed)
        try story.expect(.serverAnswered(id(5), given), at: .zero) {
            Effect.keepCredential(Story.kept(Story.renewed))
            Story.load(6)
        }
        let batch = UnsentBatch(changes: Story.unsent(1...1), hasMore: false)
        try story.expect(.unsentLoaded(id(6), batch), at: .zero) {
            Story.sync(7, Story.unsent(1...1), with: Story.renewed)
        }
        try story.expect(.serverAnswered(id(7), .unauthorized), at: .zero) {
            Effect.show(.backingOff)
        }
    }

    @Test("Where nobody is signed in nothing is asked, and no credential is kept")
    func nobody() throws {
        for answer in [SecretAnswer.missing, .found("")] {
            var story = Transcript(Story.machine())
            try story.expect(.opened(Story.standing(7)), at: .zero)
            try story.expect(.pathChanged(isSatisfied: true), at: .zero) {
                Effect.readSecret(id(1), .session)
                Effect.show(.syncing)
            }
            try story.expect(.secretRead(id(1), answer), at: .zero) {
                Effect.keepCredential(nil)
                Effect.show(.signedOut)
            }
            try story.expect(.wrote, at: .seconds(1))
            try story.expect(.syncRequested, at: .seconds(2))
            #expect(story.machine.deadline == nil)
            try story.expect(.signedIn(session: "s-ada"), at: .seconds(3)) {
                Story.askCredential(2)
                Effect.show(.syncing)
            }
        }
    }

    @Test("A session that the server refuses asks the user to sign in, and nothing until then")
    func sessionRefused() throws {
        var story = Transcript(Story.machine())
        try story.expect(.opened(Story.standing(7)), at: .zero)
        try story.expect(.signedIn(session: "s-ada"), at: .zero)
        try story.expect(.pathChanged(isSatisfied: true), at: .zero) {
            Effect.readSecret(id(1), .credential)
            Effect.show(.syncing)
        }
        try story.expect(.secretRead(id(1), .missing), at: .zero) { Story.askCredential(2) }
        try story.expect(.serverAnswered(id(2), .unauthorized), at: .zero) {
            Effect.keepCredential(nil)
            Effect.signInRequired
            Effect.show(.signedOut)
        }
        #expect(story.machine.deadline == nil)
        try story.expect(.cameToFront, at: .seconds(1))
        try story.expect(.signedIn(session: "s-new"), at: .seconds(2)) {
            Story.askCredential(3, session: "s-new")
            Effect.show(.syncing)
        }
    }

    @Test("What secure storage holds is asked for anew if it is no credential of this session")
    func junk() throws {
        let texts = [
            "", "junk", "{}", #"{"database":"db-ada","token":"token-1"}"#,
            #"{"database":"","session":"s-ada","token":"token-1"}"#,
            #"{"database":"db-ada","session":"s-ada","token":""}"#, Story.kept(session: "s-bob"),
        ]
        for text in texts {
            var story = Transcript(Story.machine())
            try story.expect(.opened(Story.standing(7)), at: .zero)
            try story.expect(.signedIn(session: "s-ada"), at: .zero)
            try story.expect(.pathChanged(isSatisfied: true), at: .zero) {
                Effect.readSecret(id(1), .credential)
                Effect.show(.syncing)
            }
            try story.expect(.secretRead(id(1), .found(text)), at: .zero) {
                Story.askCredential(2)
            }
        }
    }

    @Test("Before the phone's first unlock it waits, until the app comes to the front")
    func locked() throws {
        var story = Transcript(Story.machine())
        try story.expect(.opened(Story.standing(7)), at: .zero)
        try story.expect(.pathChanged(isSatisfied: true), at: .zero) {
            Effect.readSecret(id(1), .session)
            Effect.show(.syncing)
        }
        try story.expect(.secretRead(id(1), .unavailable), at: .zero) {
            Effect.show(.backingOff)
        }
        let again = try story.due()
        #expect(again >= .milliseconds(500) && again <= .seconds(1))
        try story.expectWake(at: again) {
            Effect.readSecret(id(2), .session)
            Effect.show(.syncing)
        }
        try story.expect(.secretRead(id(2), .found("s-ada")), at: .seconds(1)) {
            Effect.readSecret(id(3), .credential)
        }
        try story.expect(.secretRead(id(3), .unavailable), at: .seconds(1)) {
            Effect.show(.backingOff)
        }
        try story.expect(.cameToFront, at: .milliseconds(1_100)) {
            Effect.readSecret(id(4), .credential)
            Effect.show(.syncing)
        }
        try story.expect(.secretRead(id(4), .found(Story.kept())), at: .milliseconds(1_100)) {
            Story.load(5)
        }
    }

    @Test("A sign-out in the middle of a request cancels it and deletes the credential (RP-06)")
    func signedOutWhileAsking() throws {
        var story = try Story.asking()
        try story.expectWake(at: .seconds(5)) { Story.sync(5) }
        try story.expect(.signedOut, at: .seconds(6)) {
            Effect.cancelCall(id(4))
            Effect.cancelCall(id(5))
            Effect.keepCredential(nil)
            Effect.show(.signedOut)
        }
        let page = Story.page(from: 7, 1)
        try story.expect(.serverAnswered(id(5), .page(page)), at: .seconds(7))
        try story.expect(.pathChanged(isSatisfied: false), at: .seconds(8))
        try story.expect(.pathChanged(isSatisfied: true), at: .seconds(9))
        try story.expect(.cameToFront, at: .seconds(10))
        #expect(story.machine.deadline == nil)
    }

    @Test("A sign-out in the middle of anything ends it, and its answer moves nothing (RP-06)")
    func signedOutAnywhere() throws {
        let page = Story.page(from: 7, 1)
        var reading = Transcript(Story.machine())
        try reading.expect(.opened(Story.standing(7)), at: .zero)
        try reading.expect(.pathChanged(isSatisfied: true), at: .zero) {
            Effect.readSecret(id(1), .session)
            Effect.show(.syncing)
        }
        var readingCredential = reading
        try readingCredential.expect(.secretRead(id(1), .found("s-ada")), at: .zero) {
            Effect.readSecret(id(2), .credential)
        }
        var taking = try Story.asking()
        try taking.expect(.serverAnswered(id(4), .page(page)), at: .zero) {
            Effect.take(id(5), page)
        }
        let stories: [(Transcript<ReplicaSynchronizer>, ReplicaEvent)] = [
            (reading, .secretRead(id(1), .found("s-ada"))),
            (readingCredential, .secretRead(id(2), .found(Story.kept()))),
            (try Story.begun(), .unsentLoaded(id(3), Story.nothing)),
            (taking, .stored(id(5), .done(Story.standing(8)))),
            (try Story.synced(), .stored(id(5), .done(Story.standing(7)))),
        ]
        for (start, answer) in stories {
            var story = start
            try story.expect(.signedOut, at: .seconds(1)) {
                Effect.keepCredential(nil)
                Effect.show(.signedOut)
            }
            try story.expect(answer, at: .seconds(2))
            #expect(story.machine.deadline == nil)
        }
        // What the file took counts all the same when the user is back.
        try taking.expect(.signedOut, at: .seconds(1)) {
            Effect.keepCredential(nil)
            Effect.show(.signedOut)
        }
        try taking.expect(.signedIn(session: "s-2"), at: .seconds(1))
        try taking.expect(.stored(id(5), .done(Story.standing(8))), at: .seconds(2)) {
            Story.askCredential(6, session: "s-2")
            Effect.show(.syncing)
        }
        let given = ReplicaAnswer.credential(Story.credential)
        try taking.expect(.serverAnswered(id(6), given), at: .seconds(2)) {
            Effect.keepCredential(Story.kept(session: "s-2"))
            Story.load(7)
        }
        try taking.expect(.unsentLoaded(id(7), Story.nothing), at: .seconds(2)) {
            Story.sync(8, at: 8)
        }
    }

    @Test("A primary of an older schema is migrated, by a snapshot's word or the log's (RP-05)")
    func migrates() throws {
        var story = try Story.begun(Story.standing(0, generation: nil))
        let migration = { (number: UInt32) in
            Effect.callServer(self.id(number), .migrate(Story.schema, Story.credential))
        }
        let empty = Story.rows(schema: 0)
        try story.expect(.serverAnswered(id(3), .snapshot(empty)), at: .zero) { migration(4) }
        try story.expect(.serverAnswered(id(4), .migrated(schema: 2)), at: .zero) {
            Story.snapshot(5)
        }
        var other = try Story.asking()
        try other.expect(.serverAnswered(id(4), .schemaDiffers(1)), at: .zero) { migration(5) }
        try other.expect(.serverAnswered(id(5), .migrated(schema: 2)), at: .zero) { Story.load(6) }
    }

    @Test("A later schema is shown and not tried again, and the user can still sign out (RP-05)")
    func outdated() throws {
        var story = try Story.asking()
        try story.expect(.serverAnswered(id(4), .schemaDiffers(3)), at: .zero) {
            Effect.show(.outdated)
        }
        try story.expect(.wrote, at: .seconds(1))
        try story.expect(.syncRequested, at: .seconds(1))
        try story.expect(.pathChanged(isSatisfied: false), at: .seconds(2))
        try story.expect(.pathChanged(isSatisfied: true), at: .seconds(9))
        #expect(story.machine.deadline == nil)
        try story.expect(.signedOut, at: .seconds(10)) {
            Effect.keepCredential(nil)
            Effect.show(.signedOut)
        }
        // Whoever signs in may have a primary of an earlier schema.
        try story.expect(.signedIn(session: "s-bob"), at: .seconds(11)) {
            Story.askCredential(5, session: "s-bob")
            Effect.show(.syncing)
        }
        // Nothing of a later version's rows is put aside.
        var other = try Story.begun(Story.standing(0, generation: nil))
        let later = ReplicaAnswer.snapshot(Story.rows("a", next: "c-1", schema: 3))
        try other.expect(.serverAnswered(id(3), later), at: .zero) { Effect.show(.outdated) }
        // A migration that meets another app's is no different.
        var met = try Story.asking()
        try met.expect(.serverAnswered(id(4), .schemaDiffers(1)), at: .zero) {
            Effect.callServer(id(5), .migrate(Story.schema, Story.credential))
        }
        try met.expect(.serverAnswered(id(5), .schemaDiffers(3)), at: .zero) {
            Effect.show(.outdated)
        }
    }
}
