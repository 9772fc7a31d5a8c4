import GroupSecurity
@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaPhone
@testable import KodamaWorld
import SansIO
import Testing

@Suite("Invites on phones: what a tap opens, and what there is to give")
struct GroupInviteTests {
    private static func invite(to guest: String) -> IntercomAct {
        .makeInvite(for: guest, by: .message, validFor: nil)
    }

    @Test("A tap on an invite opens the app, which goes where it leads and nowhere else (A-F-022)")
    func opensApp() throws {
        var bench = try GroupBench(["ridge", "valley"])
        bench.run(to: .seconds(2))
        bench.does(.killApp(AppID(0)), at: 1)
        bench.undergo(Self.invite(to: "phone-1"), at: 0)
        bench.undergo(.takeInvite(from: "phone-0", isAltered: false), at: 1)
        #expect(bench.app(1).group == nil, "the app is being launched")
        bench.run(to: .seconds(20))
        let answers = bench.records(InviteAnswered.self).map { InviteAnswered($0).outcome.value }
        #expect(answers == [.joined])
        #expect(bench.app(1).group == GroupMembership.credential(of: "ridge", seed: 1))
        let app = bench.app(1).index
        let joined = bench.records(GroupJoined.self).filter { $0.component == app }
        #expect(joined.count == 2, "the valley before, and the ridge")
    }

    @Test("Who followed an invite is a member whose place among the owners is known (S-OWN-002)")
    func identified() throws {
        var bench = try GroupBench(["ridge", "valley"])
        bench.run(to: .seconds(2))
        bench.undergo(.leaveGroup, at: 1)
        bench.undergo(Self.invite(to: "phone-1"), at: 0)
        bench.undergo(.takeInvite(from: "phone-0", isAltered: false), at: 1)
        bench.run(to: .seconds(3))
        let app = bench.app(1).index
        let known = bench.records(MemberIdentified.self).filter { $0.component == app }
        #expect(known.count == 2, "in the valley, and in the ridge's group")
    }

    @Test("Where there is no invite to give a record says what was missing")
    func nothingToGive() throws {
        var bench = try GroupBench(["ridge", "valley"])
        bench.run(to: .seconds(2))
        bench.undergo(.leaveGroup, at: 0)
        bench.undergo(Self.invite(to: "phone-1"), at: 0)
        bench.does(.killApp(AppID(0)), at: 0)
        bench.undergo(Self.invite(to: "phone-1"), at: 0)
        bench.undergo(.takeInvite(from: "phone-0", isAltered: false), at: 1)
        bench.run(to: .seconds(3))
        let lacks = bench.records(InviteUnmade.self).map { InviteUnmade($0).lack.value }
        #expect(lacks == [.group, .app])
        #expect(bench.records(InviteAnswered.self).isEmpty)
    }
}
