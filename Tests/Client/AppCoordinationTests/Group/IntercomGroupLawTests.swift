import AppCoordination
import GroupSecurity
import PeerTransport
import SansIO
import SansIOTesting
import Testing
import VoiceActivity

@Suite("The laws of an intercom of groups")
struct IntercomGroupLawTests {
    @Test("The app keeps the laws of its contract", arguments: 0..<4 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        // Two others have been proven and are in when the check begins.
        let call = GroupCall(startingAt: -4_000)
        call.capturesFrames = false
        for name in ["Anna", "Ben", "Cleo"] { call.add(name) }
        call.run(to: 0)
        let start = call.phones[0].coordinator
        #expect(start.cards.cards.compactMap(\.self).count == 3)
        var seen: Set<String> = []
        for seed in decade * 6..<decade * 6 + 6 {
            var weather = GroupWeather(members: [call.id(1), call.id(2)])
            try checkLaws(
                seed: seed,
                steps: 250,
                make: { start },
                frame: { effect in
                    seen.insert(String("\(effect)".prefix { $0 != "(" }))
                    return effect.frame
                },
                finish: .groupLeft,
                event: { random, now in weather.next(&random, now) }
            )
        }
        let kinds = [
            "sendVoice", "sendControl", "sendMessage", "sendHandshake", "playout", "phaseChanged",
        ]
        for kind in kinds {
            #expect(seen.contains { $0.hasSuffix(kind) }, "\(kind) never came: \(seen)")
        }
    }
}

extension IntercomGroupEffect {
    /// The frame that leaves the app with this effect.
    fileprivate var frame: FrameHandle? {
        switch self {
        case .sendVoice(_, let frame, _), .discardCaptured(let frame), .reject(let frame, _),
            .playout(_, .play(let frame, _, _)), .playout(_, .discard(let frame, _, _)):
            frame
        default: nil
        }
    }
}

/// Draws what a microphone, two members, their paths and a stranger may do to an app.
private struct GroupWeather {
    let members: [MemberID]
    private var captureIndex: Int64 = 0
    private var isSpeech = false
    private var sequences: [UInt32] = [.max - 20, .max - 20]
    private var captureIndices: [UInt32] = [0, 0]

    init(members: [MemberID]) {
        self.members = members
    }

    mutating func next(_ random: inout LawRandom, _ now: Instant) -> IntercomGroupEvent {
        let place = random.below(2)
        let link = LinkID(number: UInt32(1 + random.below(random.chance(percent: 90) ? 3 : 9)))
        switch random.below(100) {
        case 0: return .linkUp(link, random.chance(percent: 50) ? .local : .internet)
        case 1 where random.chance(percent: 30): return .linkDown(link)
        case 2 where random.chance(percent: 10): return .groupLeft
        case 3:
            return .groupChosen(GroupCall.group, known: members.map { KnownMember(id: $0) })
        case 4: return .muteChanged(random.chance(percent: 50))
        case 5 where random.chance(percent: 40):
            return .internetReachable(random.chance(percent: 50))
        case 5: return .internetFailed
        case 6:
            return .handshakeReceived((0..<81).map { _ in UInt8(random.below(256)) }, link)
        case 7: return .packetRefused(PacketRefusal.allCases[random.below(13)], link)
        case 8..<35: return captured(&random)
        case 35..<60: return voice(place, link, &random)
        case 60..<80: return .controlReceived(control(place, &random, now), link)
        case 80..<84:
            let mark = EndMark(
                streamID: UInt32(200 + 100 * place),
                lastSequence: SerialNumber(sequences[place]),
                lastCaptureIndex: SerialNumber(captureIndices[place])
            )
            return .messageReceived(.endMark(mark), link)
        case 84 where random.chance(percent: 20):
            return .clockShows(WallTime(secondsSince1970: Int64(random.below(9_000))))
        case 84:
            return .inviteMade(validFor: random.chance(percent: 50) ? nil : .seconds(5))
        default: return .renderRequested(samples: 480)
        }
    }

    private mutating func captured(_ random: inout LawRandom) -> IntercomGroupEvent {
        captureIndex += 1
        if random.chance(percent: 10) { isSpeech.toggle() }
        return .frameCaptured(
            CapturedFrame(
                captureIndex: captureIndex,
                frame: random.newFrame(),
                decision: SpeechDecision(
                    isSpeech: isSpeech,
                    score: 500,
                    threshold: 500,
                    level: .silence
                )
            )
        )
    }

    private mutating func voice(
        _ place: Int,
        _ link: LinkID,
        _ random: inout LawRandom
    ) -> IntercomGroupEvent {
        sequences[place] &+= UInt32(random.below(3))
        captureIndices[place] &+= UInt32(random.below(3))
        let restarts: UInt32 = random.chance(percent: 1) ? 1 : 0
        return .voiceReceived(
            FrameHeader(
                streamID: UInt32(200 + 100 * place) + restarts,
                sequence: SerialNumber(sequences[place]),
                captureIndex: SerialNumber(captureIndices[place]),
                marks: FrameMarks(
                    rawValue: random.chance(percent: 90) ? 0 : UInt8(random.below(8))
                ),
                level: .silence,
                holdsSpeech: true
            ),
            random.newFrame(),
            link
        )
    }

    private func control(
        _ place: Int,
        _ random: inout LawRandom,
        _ now: Instant
    ) -> ControlMessage {
        let path: TransportPath = random.chance(percent: 80) ? .local : .internet
        let ping = Ping(
            path: path,
            number: SerialNumber(UInt32(random.below(60))),
            sentMicroseconds: now.microsecondsOnWire &- UInt32(random.below(90_000))
        )
        switch random.below(8) {
        case 0, 1: return .ping(ping)
        case 2...4: return .pong(Pong(ping))
        case 5:
            let status: PathStatus = random.chance(percent: 60) ? .available : .backup
            let number = SerialNumber(UInt32(truncatingIfNeeded: now.nanoseconds / 1_000_000))
            return .pathStatus(PathStatusNotice(path: .local, status: status, number: number))
        case 6 where random.chance(percent: 5):
            return .goodbye(
                Goodbye(
                    random.chance(percent: 50) ? .left : .groupFull,
                    streamID: 7,
                    revision: SerialNumber(1)
                )
            )
        default:
            return .hello(
                Hello(
                    member: members[place],
                    streamID: UInt32(200 + 100 * place),
                    revision: SerialNumber(UInt32(100 + random.below(9))),
                    isMuted: random.chance(percent: 30),
                    members: members.sorted()
                )
            )
        }
    }
}
