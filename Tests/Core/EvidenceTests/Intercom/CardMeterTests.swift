@testable import KodamaEvidence
@testable import KodamaIntercom
import PeerTransport
import SansIO
import Testing

@Suite("Cards on screens, held against who is in the group (A-F-005)")
struct CardMeterTests {
    /// Three apps of one group, what their screens show, and when.
    private struct Screens {
        var builder: TraceBuilder

        init(joining: [String: Int64], by ways: [String] = []) {
            builder = TraceBuilder(["a", "b", "c"] + ways)
            for app in joining.keys.sorted() {
                builder.add(GroupJoined(group: 1), at: joining[app] ?? 0, app)
            }
        }

        mutating func leave(_ app: String, at time: Int64) {
            builder.add(GroupLeft(group: 1), at: time, app)
        }

        mutating func join(_ app: String, at time: Int64) {
            builder.add(GroupJoined(group: 1), at: time, app)
        }

        mutating func show(
            _ subject: String,
            _ connection: CardConnection,
            isOwner: Bool = false,
            on screen: String,
            at time: Int64
        ) {
            let card = CardShown(connection: connection, isTalking: false, isOwner: isOwner)
            builder.add(card, at: time, screen, subject)
        }

        func findings(until end: Int64 = 60_000) -> Findings {
            var whole = builder
            whole.end(at: end)
            return Findings(whole.trace)
        }
    }

    @Test("A card is awaited from the later joining until it first says that its phone is reached")
    func shown() {
        var screens = Screens(joining: ["a": 0, "b": 2_000])
        screens.show("b", .connecting, on: "a", at: 2_512)
        screens.show("b", .local, on: "a", at: 3_024)
        screens.show("b", .both, on: "a", at: 9_000)
        // Lost and found again, it is not shown for the first time.
        screens.show("b", .connecting, on: "a", at: 10_000)
        screens.show("b", .local, on: "a", at: 12_000)
        #expect(screens.findings().milliseconds("group.card.shown.time") == [1_024])
        screens.show("a", .internet, on: "b", at: 6_096)
        #expect(screens.findings().milliseconds("group.card.shown.time") == [1_024, 4_096])
        #expect(screens.findings().milliseconds("group.card.stale.time") == [])
    }

    @Test("A card is stale from its phone's leaving until it no longer says that it is reached")
    func stale() {
        var screens = Screens(joining: ["a": 0, "b": 0, "c": 0])
        for (screen, subject) in [("a", "b"), ("b", "a"), ("c", "b")] {
            screens.show(subject, .local, on: screen, at: 1_000)
        }
        screens.leave("b", at: 10_000)
        #expect(
            screens.findings(until: 18_192).milliseconds("group.card.stale.time") == [8_192, 8_192]
        )
        screens.show("b", .gone, on: "a", at: 10_512)
        screens.show("b", .connecting, on: "c", at: 12_048)
        #expect(screens.findings().milliseconds("group.card.stale.time") == [512, 2_048])
        // Who shows it anew shows somebody who is not there.
        screens.show("b", .internet, on: "a", at: 20_000)
        screens.show("b", .gone, on: "a", at: 24_096)
        #expect(screens.findings().milliseconds("group.card.stale.time") == [512, 2_048, 4_096])
    }

    @Test("A phone that comes back makes its stale card right, and awaits nothing of it")
    func comesBack() {
        var screens = Screens(joining: ["a": 0, "b": 0])
        screens.show("b", .local, on: "a", at: 1_024)
        screens.leave("b", at: 10_000)
        screens.join("b", at: 12_048)
        screens.show("b", .both, on: "a", at: 15_000)
        let findings = screens.findings()
        #expect(findings.milliseconds("group.card.stale.time") == [2_048])
        #expect(findings.milliseconds("group.card.shown.time") == [1_024])
    }

    @Test("Whoever was met in a group is awaited on a screen that opens it again (S-UI-001)")
    func missing() {
        var screens = Screens(joining: ["a": 0, "b": 0, "c": 0])
        for subject in ["b", "c"] { screens.show(subject, .local, on: "a", at: 1_000) }
        #expect(screens.findings().milliseconds("group.card.missing.time") == [])
        screens.leave("a", at: 10_000)
        screens.leave("c", at: 11_000)
        screens.join("a", at: 20_000)
        // C has left, and is owed to nobody.
        #expect(
            screens.findings(until: 24_096).milliseconds("group.card.missing.time") == [4_096]
        )
        screens.show("b", .searching, on: "a", at: 20_512)
        screens.show("b", .local, on: "a", at: 26_000)
        #expect(screens.findings().milliseconds("group.card.missing.time") == [512])
        #expect(screens.findings().milliseconds("group.card.stale.time") == [])
    }

    @Test("Who has said goodbye is owed to nobody who heard it, until they meet again (S-UI-001)")
    func parted() {
        for (isHeard, meetsAgain, missing) in [
            (true, false, []), (false, false, [4_096]), (true, true, [4_096]),
        ] as [(Bool, Bool, [Double])] {
            var screens = Screens(joining: ["a": 0, "b": 0])
            screens.show("b", .local, on: "a", at: 1_000)
            screens.leave("b", at: 2_000)
            if isHeard { screens.show("b", .gone, on: "a", at: 2_500) }
            screens.join("b", at: 3_000)
            if meetsAgain { screens.show("b", .local, on: "a", at: 5_000) }
            screens.leave("a", at: 10_000)
            // Its own screen is closed.
            screens.show("b", .gone, on: "a", at: 10_000)
            screens.join("a", at: 20_000)
            let findings = screens.findings(until: 24_096)
            #expect(findings.milliseconds("group.card.missing.time") == missing)
        }
    }

    @Test(
        "The screen of an app that is held is wrong of nobody, and may be as it runs again (S-UI-001)"
    )
    func held() {
        var screens = Screens(joining: ["a": 0, "b": 0])
        screens.show("b", .local, on: "a", at: 1_000)
        for start in [10_000, 30_000] as [Int64] {
            screens.builder.add(GroupHeld(isHeld: TraceFlag(true)), at: start, "a")
            screens.builder.add(MicrophoneMuted(isMuted: TraceFlag(true)), at: start + 1_000, "b")
            screens.builder.add(GroupHeld(isHeld: TraceFlag(false)), at: start + 10_000, "a")
            screens.builder.add(MicrophoneMuted(isMuted: TraceFlag(false)), at: start + 10_512, "b")
        }
        #expect(screens.findings().milliseconds("group.card.mute.time") == [512, 512])
        screens.builder.add(GroupHeld(isHeld: TraceFlag(true)), at: 50_000, "a")
        screens.leave("b", at: 51_000)
        screens.builder.add(GroupHeld(isHeld: TraceFlag(false)), at: 55_000, "a")
        screens.show("b", .gone, on: "a", at: 56_024)
        #expect(screens.findings().milliseconds("group.card.stale.time") == [1_024])
    }

    @Test("Two screens that reach each other and name two owners are in dispute (S-OWN-002)")
    func dispute() {
        var screens = Screens(joining: ["a": 0, "b": 0])
        screens.show("a", .own, isOwner: true, on: "a", at: 100)
        screens.show("b", .own, isOwner: true, on: "b", at: 100)
        #expect(screens.findings().milliseconds("group.owner.dispute.time") == [])
        screens.show("b", .local, on: "a", at: 1_000)
        screens.show("a", .local, on: "b", at: 2_000)
        #expect(
            screens.findings(until: 6_096).milliseconds("group.owner.dispute.time") == [4_096]
        )
        screens.show("b", .own, on: "b", at: 2_512)
        screens.show("a", .local, isOwner: true, on: "b", at: 3_024)
        #expect(screens.findings().milliseconds("group.owner.dispute.time") == [1_024])
    }

    @Test(
        "Two whom nothing reaches from each other are islands, and in no dispute (S-OWN-003)",
        arguments: [["a/b"], ["a/b", "a/cellular", "b/cellular", "match"]]
    )
    func islands(ways: [String]) {
        var screens = Screens(joining: ["a": 0, "b": 0], by: ways)
        screens.show("a", .own, isOwner: true, on: "a", at: 100)
        screens.show("a", .local, isOwner: true, on: "b", at: 1_000)
        screens.show("b", .local, on: "a", at: 1_000)
        for radio in ways where radio == "a/cellular" {
            screens.builder.add(FaultBegan(fault: .radioDown, parameter: 0), at: 8_000, radio)
        }
        let stop = LinkChanged(disruption: .stopped, parameter: 0)
        var disputed = screens
        screens.builder.add(stop, at: 10_000, "a/b")
        // The card of the owner is gone; that of its own phone names another.
        screens.show("b", .own, isOwner: true, on: "b", at: 12_048)
        #expect(screens.findings().milliseconds("group.owner.dispute.time") == [0])
        // From when something passes again they are to agree.
        let back = LinkChanged(disruption: .restored, parameter: 0)
        screens.builder.add(back, at: 16_000, "a/b")
        screens.show("a", .local, isOwner: true, on: "b", at: 16_512)
        #expect(screens.findings().milliseconds("group.owner.dispute.time") == [512])
        // What only thins or delays cuts nobody off.
        let jam = LinkChanged(disruption: .jammed, parameter: 0)
        disputed.builder.add(jam, at: 10_000, "a/b")
        disputed.show("b", .own, isOwner: true, on: "b", at: 12_048)
        disputed.show("a", .gone, on: "b", at: 16_144)
        #expect(disputed.findings().milliseconds("group.owner.dispute.time") == [4_096])
    }

    @Test("A screen that names another than the smallest id that it shows is wrong (A-F-023)")
    func owner() {
        var screens = Screens(joining: ["a": 0, "b": 0, "c": 0])
        for (app, number) in [("a", 30), ("b", 10), ("c", 20)] as [(String, Int64)] {
            screens.builder.add(MemberIdentified(number: number), at: 10, app)
        }
        screens.show("a", .own, isOwner: true, on: "a", at: 1_000)
        #expect(screens.findings().milliseconds("group.owner.wrong.time") == [0, 0, 0])
        // The next in the order of ids is shown, then the smallest, whom the screen names late.
        screens.show("c", .connecting, isOwner: true, on: "a", at: 2_000)
        screens.show("a", .own, on: "a", at: 2_512)
        screens.show("b", .local, on: "a", at: 3_000)
        screens.show("c", .local, on: "a", at: 4_024)
        screens.show("b", .local, isOwner: true, on: "a", at: 5_048)
        #expect(screens.findings().milliseconds("group.owner.wrong.time") == [0, 0, 2_048])
        // It goes, and nobody is named for a while.
        screens.show("b", .gone, on: "a", at: 10_000)
        screens.show("c", .local, isOwner: true, on: "a", at: 14_096)
        #expect(screens.findings().milliseconds("group.owner.wrong.time") == [0, 0, 4_096])
        screens.leave("a", at: 20_000)
        screens.show("c", .gone, on: "a", at: 20_000)
        #expect(screens.findings().milliseconds("group.owner.wrong.time") == [0, 0, 4_096])
    }

    @Test("Who is refused, and how many a screen shows, is counted (S-GRP-001)")
    func size() {
        var screens = Screens(joining: ["a": 0, "b": 0, "c": 0])
        #expect(screens.findings().total("group.members.refused") == 0)
        screens.show("b", .local, on: "a", at: 1_000)
        screens.show("c", .internet, on: "a", at: 2_000)
        screens.show("c", .connecting, on: "a", at: 3_000)
        screens.builder.add(MemberRefused(capacity: 2), at: 4_000, "c")
        let findings = screens.findings()
        #expect(findings.total("group.members.refused") == 1)
        let sizes = findings.distribution("group.members.shown")
        #expect(sizes?.count == 3)
        #expect(sizes?.minimum == 2)
        #expect(sizes?.maximum == 3)
    }
}
