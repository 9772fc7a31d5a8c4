import GroupSecurity
@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaLanguage
@testable import KodamaNetwork
@testable import KodamaPhone
@testable import KodamaSimulation
@testable import KodamaWorld
import PeerTransport
import SansIO
import Testing

@Suite("The intercom of groups bound to phones")
struct GroupBindingTests {
    @Test("Two of a group find each other by radio, prove themselves, and voice passes (A-F-006)")
    func radio() throws {
        var bench = try GroupBench(["ridge", "ridge"], talk: true)
        bench.run(to: .seconds(9))
        #expect(bench.connections(0, .local).isEmpty, "a cold link takes 10 s or more")
        bench.run(to: .seconds(30))
        #expect(bench.connections(0, .local).count == 1)
        #expect(bench.connections(0, .local)[0].number == bench.connections(1, .local)[0].number)
        #expect(bench.records(MemberJoined.self).count == 2)
        #expect(bench.records(FramePlayed.self).count > 300)
        #expect(bench.connections(0, .internet).isEmpty, "there is no way to the Internet")
    }

    @Test("Without a radio link two of a group meet by the match service (S-ARCH-003)")
    func internet() throws {
        var bench = try GroupBench(
            ["ridge", "ridge"],
            radio: nil,
            internet: .after(.milliseconds(30)),
            talk: true
        )
        bench.run(to: .seconds(40))
        #expect(bench.connections(0, .internet).count == 1)
        #expect(bench.records(FramePlayed.self).count > 300)
        let paths = bench.records(PacketArrived.self).map { PacketArrived($0).path.value }
        #expect(paths.allSatisfy { $0 == .internet })
    }

    @Test("Another group beside ours: not one connection, by either way (A-F-018)")
    func strangers() throws {
        var bench = try GroupBench(
            ["ridge", "valley"],
            internet: .after(.milliseconds(30)),
            talk: true
        )
        bench.run(to: .seconds(120))
        #expect(bench.app(0).connections.isEmpty && bench.app(1).connections.isEmpty)
        #expect(bench.records(ConnectionUp.self).isEmpty)
        #expect(bench.records(FramePlayed.self).isEmpty)
    }

    @Test("Sized packets are as long as sealed ones: header, tag, UDP and IP on top (S-SEC-003)")
    func sizes() throws {
        var bench = try GroupBench(["ridge", "ridge"])
        bench.run(to: .seconds(60))
        let keepalives = bench.records(PacketSent.self).map { PacketSent($0) }
            .filter { $0.content.value == .keepalive }
        #expect(keepalives.count > 20)
        // A keepalive has 28 bytes, sealing adds 28, UDP and IPv4 another 28.
        #expect(PacketSealer.packetCount(plaintextCount: 28) == 56)
        #expect(keepalives.allSatisfy { $0.bytes == 84 })
    }

    @Test("Noise on the air cuts nobody, with sized voice either (S-SEC-004)")
    func noise() throws {
        var plan = WorldPlan.groups(
            ["ridge", "ridge"],
            radio: .after(.milliseconds(8)),
            internet: nil,
            talk: false
        )
        plan.duration = .seconds(60)
        plan.talk = ["person-0", "person-1"].map {
            .monologue(person: $0, at: .seconds(1), lasting: .seconds(58))
        }
        plan.timeline = [
            TimelineEntry(
                LinkAct.attack(.flood, every: .milliseconds(10), lasting: .seconds(20)),
                to: plan.links[0].name,
                trigger: .at(.seconds(30))
            )
        ]
        let run = try WorldRun(plan, seed: 1)
        #expect(run.records(ConnectionCut.self).isEmpty)
        let noise = run.records(SpoiltArrived.self)
        #expect(noise.count > 1_000 && run.records(PacketRefused.self).count >= noise.count)
        #expect(noise.allSatisfy { SpoiltArrived($0).isCounted.isSet })
        let heard = run.records(FramePlayed.self).count { $0.instant.nanoseconds > 31_000_000_000 }
        #expect(heard > 2_000)
    }

    @Test("What an app has sealed is refused when it comes back, and cuts nobody (S-SEC-003)")
    func reflection() throws {
        var plan = WorldPlan.groups(
            ["ridge", "ridge"],
            radio: .after(.milliseconds(8)),
            internet: nil,
            talk: false
        )
        plan.duration = .seconds(60)
        plan.timeline = [
            TimelineEntry(
                LinkAct.attack(.reflect, every: .milliseconds(10), lasting: .seconds(20)),
                to: plan.links[0].name,
                trigger: .at(.seconds(30))
            )
        ]
        let run = try WorldRun(plan, seed: 1)
        let reasons = run.records(PacketRefused.self).map { PacketRefused($0).reason.value }
        // Packets of the handshake come back as well.
        #expect(reasons.count { $0 == .forged } > 1_000)
        #expect(!reasons.contains(.unreadable))
        #expect(run.records(ConnectionCut.self).isEmpty)
    }

    @Test("What a link damages is refused and counted once, sized voice included (A-NF-003)")
    func damage() throws {
        var direction = LinkDirection.after(.milliseconds(8))
        direction.corruption = .percent(20)
        var bench = try GroupBench(["ridge", "ridge"], radio: direction, talk: true)
        bench.run(to: .seconds(60))
        let spoilt = bench.records(SpoiltArrived.self)
        #expect(spoilt.count > 200)
        #expect(spoilt.allSatisfy { SpoiltArrived($0).isCounted.isSet })
        let reasons = bench.records(PacketRefused.self).map { PacketRefused($0).reason.value }
        #expect(reasons.count >= spoilt.count)
        // A flipped bit of the first byte: another version, or what looks like a handshake.
        #expect(reasons.contains(.unknownVersion) && reasons.contains(.malformed))
        let voice = bench.records(PacketArrived.self).count {
            PacketArrived($0).content.value == .voice
        }
        #expect(bench.records(FramePlayed.self).count < voice * 17 / 20)
    }

    @Test("A datagram of a connection that nobody has is dropped, and its bytes are given back")
    func unknownConnection() throws {
        var bench = try GroupBench(["ridge", "ridge"])
        bench.run(to: .seconds(30))
        let heldBefore = bench.stage.network.datagrams.count
        var (source, destination) = (bench.app(1).others[0].socket, bench.app(0).others[0].socket)
        swap(&source, &destination)
        destination.port |= 99
        source.port |= 99
        let provenance = Provenance(
            device: bench.app(1).index,
            captureIndex: 0,
            capturedNanoseconds: 0
        )
        let label = DatagramLabel(content: .control, provenance: provenance, wireBytes: 100)
        bench.stage.network.datagram.storeBytes(of: 0x1C, as: UInt8.self)
        _ = bench.stage.sendDatagram(label, keptBytes: 1, from: source, to: destination, by: 1)
        let arrivals = bench.records(PacketArrived.self).count { $0.instant > .zero }
        bench.run(to: .milliseconds(30_009))
        let later = bench.records(PacketArrived.self).filter { PacketArrived($0).bytes == 100 }
        #expect(later.isEmpty && arrivals > 0)
        #expect(bench.stage.network.datagrams.count <= heldBefore + 2)
    }

    @Test(
        "A killed app holds nothing; opened again it has another stream and is heard at once again"
    )
    func restarted() throws {
        var bench = try GroupBench(["ridge", "ridge"], talk: true)
        bench.run(to: .seconds(40))
        bench.does(.killApp(AppID(0)), at: 0)
        #expect(bench.app(0).connections.isEmpty)
        #expect(bench.app(0).sound.frames.count == 0)
        bench.run(to: .seconds(41))
        let playedBefore = bench.records(FramePlayed.self).count
        bench.does(.openApp(AppID(0)), at: 0)
        bench.run(to: .seconds(100))
        #expect(bench.records(FramePlayed.self).count > playedBefore + 300)
        #expect(bench.records(MemberJoined.self).count == 4, "each let the other in twice")
        #expect(bench.connections(1, .local).count == 1, "the old connection was replaced")
    }

    @Test("A radio that is switched off passes nothing; this phone knows at once, the other late")
    func radioOff() throws {
        var bench = try GroupBench(["ridge", "ridge"], talk: true)
        bench.run(to: .seconds(40))
        bench.undergo(.peerRadio(isOn: false), at: 0)
        #expect(bench.connections(0, .local).isEmpty)
        #expect(bench.connections(1, .local).count == 1)
        bench.run(to: .milliseconds(40_100))
        let arrivedBefore = bench.records(PacketArrived.self).count
        bench.run(to: .seconds(43))
        #expect(bench.records(PacketArrived.self).count == arrivedBefore)
        bench.undergo(.peerRadio(isOn: true), at: 0)
        bench.run(to: .seconds(110))
        #expect(bench.records(PacketArrived.self).count > arrivedBefore + 300)
    }

    @Test("A radio that is switched while the app is held counts when that runs again (A-F-006)")
    func radioChangesWhileHeld() throws {
        for isOn in [true, false] {
            var bench = try GroupBench(["ridge", "ridge"])
            bench.run(to: .seconds(30))
            bench.undergo(.leaveGroup, at: 1)
            if isOn { bench.undergo(.peerRadio(isOn: false), at: 1) }
            bench.does(.leaveApp, at: 1)
            bench.run(to: .seconds(60))
            #expect(!bench.app(1).isAwake)
            bench.undergo(.peerRadio(isOn: isOn), at: 1)
            bench.does(.openApp(AppID(0)), at: 1)
            bench.run(to: .seconds(65))
            bench.undergo(.joinGroup, at: 1)
            bench.run(to: .seconds(120))
            #expect(bench.connections(1, .local).count == (isOn ? 1 : 0), "switched on: \(isOn)")
        }
    }

    @Test("Who leaves the group is gone at once, and comes back when the group is chosen again")
    func leaving() throws {
        var bench = try GroupBench(["ridge", "ridge"], talk: true)
        bench.run(to: .seconds(40))
        bench.undergo(.leaveGroup, at: 1)
        bench.run(to: .seconds(41))
        #expect(bench.app(0).connections.isEmpty && bench.app(1).connections.isEmpty)
        let playedBefore = bench.records(FramePlayed.self).count
        bench.run(to: .seconds(60))
        #expect(bench.records(FramePlayed.self).count == playedBefore)
        bench.undergo(.joinGroup, at: 1)
        bench.run(to: .seconds(110))
        #expect(bench.records(FramePlayed.self).count > playedBefore + 300)
    }

    @Test("Who is in a group makes no other, and that is told (S-UI-002)")
    func makesInGroup() throws {
        var bench = try GroupBench(["ridge", "ridge"])
        bench.run(to: .seconds(5))
        let entries = bench.records(GroupJoined.self).count
        bench.undergo(.makeGroup, at: 0)
        bench.run(to: .seconds(6))
        let unopened = bench.records(GroupUnopened.self).map { GroupUnopened($0).trouble.value }
        #expect(unopened == [.inAnother])
        #expect(bench.records(GroupJoined.self).count == entries)
    }

    @Test("A mute is heard by nobody and shows on the other's card, until it ends (S-UI-001, K-22)")
    func mute() throws {
        var bench = try GroupBench(["ridge", "ridge"], talk: true)
        bench.run(to: .seconds(40))
        let (screen, subject) = (bench.app(1).index, bench.app(0).index)
        func card(in records: [TraceRecord]) -> CardShown? {
            records.last { $0.component == screen && $0.subject == subject }.map { CardShown($0) }
        }
        let before = card(in: bench.records(CardShown.self))
        #expect(before?.isMuted.isSet == false && before?.isTalking.isSet == true)
        bench.undergo(.mute, at: 0)
        bench.run(to: .seconds(50))
        let muted = card(in: bench.records(CardShown.self))
        #expect(muted?.isMuted.isSet == true && muted?.isTalking.isSet == false)
        let heard = bench.records(FramePlayed.self).map { FramePlayed($0).captured }
        #expect(heard.allSatisfy { $0.nanoseconds < 40_000_000_000 })
        bench.undergo(.unmute, at: 0)
        bench.run(to: .seconds(51))
        let after = card(in: bench.records(CardShown.self))
        #expect(after?.isMuted.isSet == false && after?.isTalking.isSet == true)
        #expect(bench.records(FramePlayed.self).count > heard.count)
    }

    @Test("Every frame that an app was given is given back when it leaves (law L11)")
    func noLeak() throws {
        var direction = LinkDirection.after(.milliseconds(30))
        direction.loss = .independent(.percent(5))
        direction.duplication = .percent(5)
        direction.corruption = .percent(5)
        direction.allowsReordering = true
        direction.jitter = .halfNormal(deviation: .milliseconds(30))
        var bench = try GroupBench(
            ["ridge", "ridge", "ridge"],
            radio: direction,
            internet: direction,
            talk: true
        )
        bench.run(to: .seconds(60))
        #expect(bench.records(FramePlayed.self).count > 300)
        for phone in 0..<3 { bench.undergo(.leaveGroup, at: phone) }
        for phone in 0..<3 { #expect(bench.app(phone).sound.frames.count == 0) }
    }
}
