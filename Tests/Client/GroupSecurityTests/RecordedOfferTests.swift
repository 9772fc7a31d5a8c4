import GroupSecurity
import SansIO
import Testing

/// Two members who reach each other in 20 ms, and somebody who plays their recorded offers back.
private struct PlayedBack {
    private var anna: GroupHandshake
    private var ben: GroupHandshake
    private var flying: [(due: Int64, toBen: Bool, packet: [UInt8])] = []
    private(set) var isEstablished = (anna: false, ben: false)
    private let recorded: (ofAnna: [[UInt8]], ofBen: [[UInt8]])
    private var played = 0
    /// When the offers are played back.
    var bursts: [Range<Int64>] = [0..<Int64.max]
    /// How many packets each has sent that are as long as an answer.
    private(set) var answers = (ofAnna: 0, ofBen: 0)

    init(recording count: UInt64) {
        anna = People.handshake(of: People.anna, seed: 1_000)
        ben = People.handshake(of: People.ben, seed: 1_001)
        func offers(_ person: MemberIdentity) -> [[UInt8]] {
            (0..<count).map { seed in
                var machine = People.handshake(of: person, seed: seed)
                return machine.call(.requested).sent[0]
            }
        }
        recorded = (offers(People.anna), offers(People.ben))
    }

    /// Plays back every `period` ms from the start on, and lets one or both begin at `start`.
    ///
    /// - Returns: How many milliseconds later both have a session; `nil` if not within 30 s.
    mutating func time(every period: Int64, from start: Int64, bothBegin: Bool) -> Int64? {
        for now in 0..<start + 30_000 {
            if now % period == 0 { playBack(at: now) }
            if now >= start, (now - start) % 11_000 == 0, !isEstablished.anna {
                take(anna.call(.requested, at: now), ofBen: false, now)
                if bothBegin { take(ben.call(.requested, at: now), ofBen: true, now) }
            }
            let due = flying.filter { $0.due <= now }
            flying.removeAll { $0.due <= now }
            for flight in due {
                let event = GroupHandshake.Event.packetReceived(flight.packet)
                if flight.toBen {
                    take(ben.call(event, at: now), ofBen: true, now)
                } else {
                    take(anna.call(event, at: now), ofBen: false, now)
                }
            }
            take(anna.wake(at: now), ofBen: false, now)
            take(ben.wake(at: now), ofBen: true, now)
            if isEstablished == (true, true) { return now - start }
        }
        return nil
    }

    /// Plays recorded offers back until then, and nobody wants a session.
    mutating func listen(every period: Int64, until end: Int64) {
        for now in 0..<end {
            if now % period == 0 { playBack(at: now) }
            take(anna.wake(at: now), ofBen: false, now)
            take(ben.wake(at: now), ofBen: true, now)
        }
    }

    private mutating func playBack(at now: Int64) {
        guard !recorded.ofAnna.isEmpty, bursts.contains(where: { $0.contains(now) }) else { return }
        let turn = played % recorded.ofAnna.count
        take(ben.call(.packetReceived(recorded.ofAnna[turn]), at: now), ofBen: true, now)
        take(anna.call(.packetReceived(recorded.ofBen[turn]), at: now), ofBen: false, now)
        played += 1
    }

    private mutating func take(_ effects: [GroupHandshake.Effect], ofBen: Bool, _ now: Int64) {
        for effect in effects {
            switch effect {
            case .send(let packet):
                if packet.count == 133 {
                    answers.ofBen += ofBen ? 1 : 0
                    answers.ofAnna += ofBen ? 0 : 1
                }
                flying.append((now + 20, !ofBen, packet))
            case .established:
                if ofBen { isEstablished.ben = true } else { isEstablished.anna = true }
            case .refused, .timedOut: continue
            }
        }
    }
}

@Suite("Recorded offers, played back by somebody without the group's key")
struct RecordedOfferTests {
    @Test(
        "Twenty recorded offers a second to both delay no handshake by a second (S-SEC-001)",
        arguments: [false, true]
    )
    func playedBack(bothBegin: Bool) throws {
        for recorded in [0, 4, 24, 200] as [UInt64] {
            for start in stride(from: Int64(12_000), to: 16_000, by: 410) {
                var scene = PlayedBack(recording: recorded)
                let time = scene.time(every: 50, from: start, bothBegin: bothBegin)
                let took = try #require(time, "\(recorded) recorded, begun at \(start) ms")
                #expect(took <= 1_000, "\(recorded) recorded, begun at \(start) ms")
            }
        }
    }

    @Test(
        "A second burst after a rest of a minute delays a handshake no more than the first (S-SEC-001)",
        arguments: [false, true]
    )
    func secondBurst(bothBegin: Bool) throws {
        for recorded in [24, 200] as [UInt64] {
            for start in stride(from: Int64(81_000), to: 87_000, by: 730) {
                var scene = PlayedBack(recording: recorded)
                scene.bursts = [0..<20_000, 80_000..<Int64.max]
                let time = scene.time(every: 50, from: start, bothBegin: bothBegin)
                let took = try #require(time, "\(recorded) recorded, begun at \(start) ms")
                #expect(took <= 1_000, "\(recorded) recorded, begun at \(start) ms")
            }
        }
    }

    @Test(
        "Of recorded offers as many are answered as may wait for proof, and the rest challenged (S-SEC-004)"
    )
    func challenged() {
        var scene = PlayedBack(recording: 200)
        // An answer is sent again after 0.25, 0.75, 1.75 s and then every second: twelve times by now.
        scene.listen(every: 50, until: 9_900)
        let most = 2 * 12
        #expect((2...most).contains(scene.answers.ofAnna), "\(scene.answers)")
        #expect((2...most).contains(scene.answers.ofBen), "\(scene.answers)")
    }
}
