@testable import KodamaEvidence
@testable import KodamaSession
import RealtimeVoice
import SansIOTesting

/// A made-up session of 90 s: audio, status, path, user and attempts, each without regard to the others.
struct RandomSession {
    static let end: Int64 = 90_000

    private(set) var scene: SessionScene
    private var random: LawRandom

    init(seed: UInt64, _ media: SessionScene.Media) {
        random = LawRandom(seed: seed)
        scene = SessionScene(media)
        addVoice()
        addUser()
        addPath()
        addStatus()
        addAttempts()
    }

    var trace: RecordedTrace { scene.trace(until: Self.end) }

    /// A multiple of 20 ms from `least` to below `limit`.
    private mutating func time(_ least: Int, _ limit: Int) -> Int64 {
        Int64(least + random.below(limit - least)) / 20 * 20
    }

    private mutating func addVoice() {
        let alive = stretches(pause: 12_000, length: 20_000)
        for direction in VoiceDirection.allCases {
            // Each side misses a little more than what both miss.
            var heard: [Range<Int64>] = []
            for stretch in alive {
                let middle = (stretch.lowerBound + stretch.upperBound) / 40 * 20
                let resumed = min(middle + time(20, 600), stretch.upperBound)
                heard += [stretch.lowerBound..<middle, resumed..<stretch.upperBound]
            }
            scene.hear(direction, heard.filter { !$0.isEmpty })
        }
    }

    private mutating func stretches(pause: Int, length: Int) -> [Range<Int64>] {
        var stretches: [Range<Int64>] = []
        var start = time(500, 4_000)
        while start < Self.end {
            let stop = start + time(40, length)
            stretches.append(start..<stop)
            start = stop + time(20, random.chance(percent: 30) ? 500 : pause)
        }
        return stretches
    }

    private mutating func addUser() {
        let pairs: [(UserAct, UserAct)] = [
            (.mute, .unmute), (.leaveApp, .openApp), (.phoneCallBegins, .phoneCallEnds),
            (.disconnect, .connect), (.openControlCentre, .closeControlCentre),
            (.disconnect, .tapNotification),
        ]
        var now = time(3_000, 20_000)
        while now < Self.end {
            let next = now + time(40, 12_000)
            if random.chance(percent: 15) {
                scene.act(.killApp, at: now)
                scene.add(AppTerminated(), at: now)
                scene.add(AppLaunched(), at: next)
            } else {
                let (first, second) = pairs[random.below(pairs.count)]
                scene.act(first, at: now)
                scene.act(second, at: next)
            }
            now = next + time(40, 20_000)
        }
    }

    private mutating func addPath() {
        for stretch in stretches(pause: 25_000, length: 20_000) { scene.outage(stretch) }
    }

    private mutating func addStatus() {
        var now = time(0, 2_000)
        while now < Self.end {
            let stages: [SessionStage] = [.connecting, .connected, .reconnecting, .reconnected]
            scene.show(stages[random.below(4)], at: now)
            now += time(20, 9_000)
        }
    }

    private mutating func addAttempts() {
        var now = time(0, 1_000)
        var room: Int64 = 1
        while now < Self.end {
            if random.chance(percent: 30) {
                scene.add(RoomLeft(room: room, manner: TraceWord(.letGo)), at: now)
                room += 1
                scene.add(TokenRequested(operation: room), at: now)
                now += time(20, 2_000)
                scene.add(TokenAnswered(operation: room, outcome: TraceWord(number: 200)), at: now)
            }
            let kind = AttemptKind.allCases[random.below(3)]
            let signalled = now + time(20, 2_000)
            let connected = signalled + time(20, 2_000)
            let ended = connected + time(0, 500)
            let isCutOff = random.chance(percent: 15)
            scene.attempt(
                kind,
                now..<(isCutOff ? Self.end + 1 : ended),
                room: room,
                signalled: random.chance(percent: 80) ? signalled : nil,
                connected: random.chance(percent: 60) ? connected : nil,
                failure: random.chance(percent: 50) ? .refused : nil
            )
            now = ended + time(20, 3_000)
            if isCutOff {
                scene.add(RoomLeft(room: room, manner: TraceWord(.disconnect)), at: now)
                room += 1
            }
            now += time(20, 6_000)
            if random.chance(percent: 60) {
                scene.add(LossDetected(room: room, cause: TraceWord(.signalClosed)), at: now)
            }
        }
    }
}
