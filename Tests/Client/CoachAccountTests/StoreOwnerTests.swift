import CoachAccount
import Testing

@Suite("A coach's store is one user's")
struct StoreOwnerTests {
    private static let ada = "e30.eyJzdWIiOiJhZGEifQ.1"
    private static let adaAgain = "e30.eyJzdWIiOiJhZGEifQ.2"
    private static let ben = "e30.eyJzdWIiOiJiZW4ifQ.1"

    @Test(
        "The first user who signs in has it; another's session sends nothing, and theirs does again"
    )
    func turns() {
        var owner = StoreOwner(nil)
        #expect(!owner.owns(nil) && !owner.owns("ada"))
        #expect(owner.signedIn(Self.ada) == .claimed(by: "ada"))
        for _ in 0..<2 {
            #expect(owner.signedIn(Self.adaAgain) == .own)
            #expect(owner.session == Self.adaAgain && owner.owns("ada"))
            #expect(owner.signedIn(Self.ben) == .foreign("ben"))
            #expect(owner.session == nil && owner.user == "ada" && !owner.owns("ben"))
            #expect(owner.signedIn(Self.ada) == .own)
            owner.signedOut()
            #expect(owner.session == nil && owner.owns("ada"))
        }
    }

    @Test("A session that does not say whose it is neither claims a store nor sends from it")
    func nameless() {
        for session in ["", "a", "a.b.c", "e30.e30.1", Self.ada + ".x"] {
            for user in [nil, "ada"] {
                var owner = StoreOwner(user)
                #expect(owner.signedIn(session) == .foreign(nil), "\(session)")
                #expect(owner.session == nil && owner.user == user)
            }
        }
    }

    @Test("Names are the same if their bytes are")
    func bytes() {
        let composed = "e30.eyJzdWIiOiJab8OpIn0.1"
        let decomposed = "e30.eyJzdWIiOiJab2XMgSJ9.1"
        var owner = StoreOwner(nil)
        guard case .claimed(by: let user) = owner.signedIn(composed) else {
            Issue.record("the store was nobody's")
            return
        }
        #expect(Array(user.utf8) == Array("Zo\u{E9}".utf8))
        guard case .foreign(let other?) = owner.signedIn(decomposed) else {
            Issue.record("that is another user's session")
            return
        }
        #expect(Array(other.utf8) == Array("Zoe\u{301}".utf8))
        #expect(owner.signedIn(composed) == .own)
    }
}
