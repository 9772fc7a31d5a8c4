import IncomingCalls
import MachineHost
import SansIO
import Testing

@Suite("Machines in real time")
@MainActor
struct MainActorHostTests {
    @Test("An event's effects are performed before send returns, later ones in order")
    func synchronous() {
        var heard: [Metronome.Effect] = []
        let host = MainActorHost(Metronome(), clock: ContinuousClock()) { effect, host in
            heard.append(effect)
            if case .echo(let number) = effect {
                host.send(.counted(number))
                // Run to completion: what is sent meanwhile waits for the effects that are due.
                #expect(heard.last == .echo(number))
            }
        }
        host.send(.echoAsked(7))
        #expect(heard == [.echo(7), .heard(-7), .heard(7)])
        host.send(.counted(8))
        #expect(heard.last == .heard(8))
    }

    @Test("A deadline wakes the machine in real time, again and again, never early")
    func beats() async throws {
        let (beats, continuation) = AsyncStream<(Int, Instant)>.makeStream()
        let host = MainActorHost(Metronome(), clock: ContinuousClock()) { effect, _ in
            if case .beat(let number, let instant) = effect {
                continuation.yield((number, instant))
            }
        }
        let started = host.now
        host.send(.started(period: .milliseconds(10)))
        var latest = started
        for await (number, instant) in beats {
            #expect(latest.duration(to: instant) >= .milliseconds(10))
            latest = instant
            if number == 5 { break }
        }
        host.send(.stopped)
        #expect(host.machine.deadline == nil)
    }

    @Test("A deadline that moves forward or away moves the alarm with it")
    func moved() async throws {
        let (beats, continuation) = AsyncStream<Int>.makeStream()
        var count = 0
        let host = MainActorHost(Metronome(), clock: ContinuousClock()) { effect, _ in
            guard case .beat(let number, _) = effect else { return }
            count = number
            continuation.yield(number)
        }
        host.send(.started(period: .seconds(3_600)))
        host.send(.started(period: .milliseconds(5)))
        var iterator = beats.makeAsyncIterator()
        #expect(await iterator.next() == 1)
        host.send(.stopped)
        let countWhenStopped = count
        try await Task.sleep(for: .milliseconds(40))
        #expect(count == countWhenStopped)
    }

    @Test("A host that is let go of is gone, alarm and all")
    func released() async throws {
        weak var gone: MainActorHost<Metronome>?
        var beats = 0
        do {
            let host = MainActorHost(Metronome(), clock: ContinuousClock()) { _, _ in beats += 1 }
            host.send(.started(period: .milliseconds(20)))
            gone = host
        }
        #expect(gone == nil)
        try await Task.sleep(for: .milliseconds(60))
        #expect(beats == 0)
    }

    @Test("A VoIP push is reported before the delegate method returns (D-01, L10)")
    func push() {
        var reports = 0
        let registry = CallRegistry(
            configuration: CallsConfiguration(),
            restoring: nil,
            clock: WallClock(showing: WallTime(secondsSince1970: 1_800_000_000)),
            seed: 1
        )
        let host = MainActorHost(registry, clock: ContinuousClock()) { effect, host in
            guard case .system(.reportIncoming(let operation, _, _)) = effect else { return }
            reports += 1
            host.send(.reportFinished(operation, nil))
        }
        host.send(.pushReceived(PushID(number: 1), .null))
        #expect(reports == 1)
        #expect(host.machine.deadline == nil)
    }
}

@Suite("Machines in an actor of their own")
struct ActorHostTests {
    @Test("Events from many tasks are handled one at a time, each with its effects")
    func serial() async {
        let (heard, continuation) = AsyncStream<Int>.makeStream()
        let host = ActorHost(Metronome(), clock: ContinuousClock()) { effect, host in
            switch effect {
            case .echo(let number): host.send(.counted(number))
            case .heard(let number): continuation.yield(number)
            case .beat: return
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for number in 1...50 { group.addTask { await host.send(.echoAsked(number)) } }
        }
        continuation.finish()
        var numbers: [Int] = []
        for await number in heard { numbers.append(number) }
        #expect(numbers.count == 100)
        for index in stride(from: 0, to: 100, by: 2) {
            #expect(numbers[index] == -numbers[index + 1])
        }
    }

    @Test("A deadline wakes the machine in real time, never early")
    func beats() async throws {
        let (beats, continuation) = AsyncStream<(Int, Instant)>.makeStream()
        let host = ActorHost(Metronome(), clock: ContinuousClock()) { effect, _ in
            if case .beat(let number, let instant) = effect {
                continuation.yield((number, instant))
            }
        }
        await host.send(.started(period: .milliseconds(10)))
        var latest: Instant?
        for await (number, instant) in beats {
            if let latest { #expect(latest.duration(to: instant) >= .milliseconds(10)) }
            latest = instant
            if number == 5 { break }
        }
        await host.send(.stopped)
        #expect(await host.machine.deadline == nil)
    }

    @Test("A machine that begins with a deadline is woken once it is started")
    func started() async {
        var machine = Metronome()
        _ = machine.drive(.started(period: .milliseconds(1)), at: .zero)
        let (beats, continuation) = AsyncStream<Int>.makeStream()
        let host = ActorHost(machine, clock: ContinuousClock()) { effect, _ in
            if case .beat(let number, _) = effect { continuation.yield(number) }
        }
        await host.start()
        var iterator = beats.makeAsyncIterator()
        #expect(await iterator.next() == 1)
        await host.send(.stopped)
    }
}
