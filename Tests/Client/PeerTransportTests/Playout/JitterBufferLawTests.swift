import PeerTransport
import SansIO
import SansIOTesting
import Testing

struct JitterBufferLawTests {
    private static func frame(in effect: JitterBuffer.Effect) -> FrameHandle? {
        switch effect {
        case .play(let frame, _, _), .discard(let frame, _, _): frame
        case .conceal, .recover, .silence, .targetChanged: nil
        }
    }

    /// Reordered, repeated and wildly jumping frames, marks at random, requests of any size.
    private static func event(_ random: inout LawRandom, _ now: Instant) -> JitterBuffer.Event {
        let present = now.nanoseconds / 20_000_000
        var index = present + Int64(random.below(40)) - 30
        if random.chance(percent: 2) { index = Int64(truncatingIfNeeded: random.next()) }
        if random.chance(percent: 2) { index += Int64(random.below(2_000_000)) - 1_000_000 }
        let marks = FrameMarks(rawValue: UInt8(random.chance(percent: 80) ? 0 : random.below(8)))
        switch random.below(100) {
        case 0..<45:
            return .frameReceived(
                ReceivedFrame(
                    captureIndex: index,
                    frame: random.newFrame(),
                    marks: marks,
                    path: UInt8(random.below(random.chance(percent: 5) ? 256 : 2)),
                    carriesFEC: random.chance(percent: 50)
                )
            )
        case 45..<50:
            return .duplicateReceived(
                captureIndex: index,
                marks: marks,
                path: UInt8(random.below(3))
            )
        case 50..<53: return .talkEnded(lastCaptureIndex: index)
        case 53..<54: return .renderRequested(samples: random.below(200_000) - 100)
        default: return .renderRequested(samples: [120, 480, 512, 960, 1024][random.below(5)])
        }
    }

    @Test("The buffer keeps the laws of a state machine", arguments: 0..<60 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        try checkLaws(
            seed: seed,
            steps: 500,
            make: { JitterBuffer() },
            frame: Self.frame(in:),
            finish: .stop,
            event: Self.event
        )
    }

    @Test("The buffer keeps the laws beyond its end", arguments: 100..<110 as Range<UInt64>)
    func lawsBeyondEnd(seed: UInt64) throws {
        var configuration = JitterBuffer.Configuration.asSpecified
        configuration.window = .seconds(2)
        try checkLaws(
            seed: seed,
            steps: 400,
            make: { [configuration] in JitterBuffer(configuration: configuration) },
            frame: Self.frame(in:),
            finish: .stop
        ) { random, now in
            random.chance(percent: 1) ? .stop : Self.event(&random, now)
        }
    }

    @Test(
        "Whatever comes, order never breaks, no frame sounds twice, and every request is filled",
        arguments: 0..<40 as Range<UInt64>
    )
    func orderAndSamples(seed: UInt64) {
        var random = LawRandom(seed: seed)
        var driver = MachineDriver(JitterBuffer())
        var now = Instant.zero
        var sounded = Set<Int64>()
        var latest = Int64.min
        var (ordered, requested) = (0, 0)
        for _ in 0..<4000 {
            now = Instant(nanoseconds: now.nanoseconds + Int64(random.below(20_000_000)))
            let samples = [120, 480, 512, 960][random.below(4)]
            let index = now.nanoseconds / 20_000_000 - Int64(random.below(12))
            let isRequest = random.chance(percent: 50)
            let event: JitterBuffer.Event =
                isRequest
                ? .renderRequested(samples: samples)
                : .frameReceived(
                    ReceivedFrame(
                        captureIndex: index,
                        frame: random.newFrame(),
                        carriesFEC: random.chance(percent: 30)
                    )
                )
            if isRequest { requested += samples }
            driver.send(event, at: now) { effect in
                switch effect {
                case .play(_, let index, let count), .recover(let index, _, let count):
                    #expect(index > latest)
                    #expect(sounded.insert(index).inserted)
                    #expect((816...1104).contains(count))
                    latest = index
                    ordered += count
                case .conceal(_, let count), .silence(let count):
                    #expect(count > 0)
                    ordered += count
                case .discard, .targetChanged: break
                }
            }
            #expect(ordered - requested == driver.machine.samplesAhead)
            #expect((0..<1104).contains(driver.machine.samplesAhead))
        }
        #expect(sounded.count > 100)
    }

    /// Two seconds of a stream that is about to start again.
    private static let former = (1_000_000..<1_000_100 as Range<Int64>).map {
        Packet(arrives: Int($0 - 1_000_000) * 20 + 10, index: $0)
    }

    @Test("A stream that starts again at zero is heard again within 100 ms")
    func restartIsFollowed() {
        var bench = PlayoutBench()
        let new = (0..<100 as Range<Int64>).map {
            Packet(arrives: 5_000 + Int($0) * 20, index: $0)
        }
        bench.run(Self.former + new, until: 7_500)
        #expect(bench.deviation(from: Array(1_000_000..<1_000_100) + Array(2..<100)) == nil)
    }

    @Test("Frames that a slow path held back for seconds are no stream that started again")
    func heldBackFramesAreStale() {
        var bench = PlayoutBench()
        // The talker pauses; meanwhile what a jammed path held back of earlier speech comes after all.
        let heldBack = (999_600..<999_700 as Range<Int64>).map {
            Packet(arrives: 5_000 + Int($0 - 999_600) * 20, index: $0)
        }
        bench.run(Self.former + heldBack, until: 8_000)
        #expect(bench.deviation(from: Array(1_000_000..<1_000_100)) == nil)
    }

    @Test("A stream that starts again soon is heard once five seconds speak for it")
    func soonRestartIsFollowed() {
        var bench = PlayoutBench()
        let former = (0..<600 as Range<Int64>).map { Packet(arrives: Int($0) * 20 + 10, index: $0) }
        let new = (0..<300 as Range<Int64>).map {
            Packet(arrives: 15_000 + Int($0) * 20, index: $0)
        }
        bench.run(former + new, until: 22_000)
        #expect(bench.deviation(from: Array(0..<600) + Array(249..<300)) == nil)
    }

    @Test("A stream that starts again is given the delay that its own path needs")
    func restartLearnsAnew() {
        var bench = PlayoutBench()
        // After the first second every fifth frame comes 50 ms later than the others.
        let new = (0..<500 as Range<Int64>).map {
            Packet(arrives: 5_000 + Int($0) * 20 + ($0 > 50 && $0 % 5 == 0 ? 50 : 0), index: $0)
        }
        bench.run(Self.former, until: 4_000)
        let before = bench.driver.machine.targetDelay
        bench.run(new.sorted { $0.arrives < $1.arrives }, until: 15_000)
        #expect(bench.driver.machine.targetDelay >= before + .milliseconds(10))
    }
}
