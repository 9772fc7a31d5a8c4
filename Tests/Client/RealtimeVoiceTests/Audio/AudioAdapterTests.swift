import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

/// An adapter, the time, and the counters of the room object that it hears of.
private struct Story {
    var adapter: AudioAdapter
    var now = Instant.zero
    var room = RoomID(number: 1)
    var bytes: Int64 = 0
    /// What was published, in order.
    var published: [PublishedAudio] = []

    init(_ change: (inout AudioAdaptation) -> Void = { _ in }) {
        var configuration = AudioAdaptation()
        change(&configuration)
        adapter = AudioAdapter(configuration)
    }

    mutating func tell(_ event: AudioAdapter.Event) {
        for case .publish(let audio) in adapter.drive(event, at: now) { published.append(audio) }
    }

    /// Voice is published, or silence, for so many seconds over a path with this round trip.
    mutating func talk(_ seconds: Int, roundTrip: Int64, isSilent: Bool = false) {
        for _ in 0..<seconds {
            now = now.advanced(by: .seconds(1))
            if !isSilent { bytes += (kilobits * 1_000) / 8 }
            var statistics = RoomStatistics()
            statistics.roundTrip = .milliseconds(roundTrip)
            statistics.bytesSent = bytes
            tell(.measured(room, statistics))
        }
    }

    mutating func change(_ change: (inout PhoneReserves) -> Void) {
        var reserves = PhoneReserves()
        change(&reserves)
        tell(.reservesChanged(reserves))
    }

    /// The rate that was published last, in kbit/s.
    var kilobits: Int64 { (published.last?.bitRate.bitsPerSecond ?? 0) / 1_000 }
    /// The rates, in the order in which they were published.
    var rates: [Int64] { published.map { $0.bitRate.bitsPerSecond / 1_000 } }
}

@Suite("What is published, by battery and link")
struct AudioAdapterTests {
    /// A conversation over Wi-Fi, whose engine has started.
    private func conversation(
        over interface: NetworkInterface = .wifi,
        _ change: (inout AudioAdaptation) -> Void = { _ in }
    ) -> Story {
        var story = Story(change)
        story.tell(.pathChanged(interface))
        story.tell(.engineStarts)
        return story
    }

    // MARK: Battery

    private struct Case: Sendable {
        let name: String
        let kilobits: Int64
        let hertz: Int
        let change: @Sendable (inout PhoneReserves) -> Void
    }

    private static let cases = [
        Case(name: "unknown", kilobits: 24, hertz: 48_000) { _ in },
        Case(name: "full", kilobits: 24, hertz: 48_000) { $0.batteryPercent = 100 },
        Case(name: "21 %", kilobits: 24, hertz: 48_000) { $0.batteryPercent = 21 },
        Case(name: "20 %", kilobits: 16, hertz: 16_000) { $0.batteryPercent = 20 },
        Case(name: "0 %", kilobits: 16, hertz: 16_000) { $0.batteryPercent = 0 },
        Case(name: "charged", kilobits: 24, hertz: 48_000) {
            $0.batteryPercent = 5
            $0.isCharging = true
        },
        Case(name: "Low Power Mode", kilobits: 16, hertz: 16_000) { $0.isLowPowerMode = true },
        Case(name: "Low Power Mode, charged", kilobits: 16, hertz: 16_000) {
            $0.isLowPowerMode = true
            $0.isCharging = true
        },
        Case(name: "Low Data Mode", kilobits: 12, hertz: 16_000) { $0.isLowDataMode = true },
        Case(name: "both", kilobits: 12, hertz: 16_000) {
            $0.isLowDataMode = true
            $0.batteryPercent = 10
        },
    ]

    @Test("A conversation begins at the rates that battery and modes allow (AN-12)")
    func reserves() {
        for test in Self.cases {
            var story = Story()
            story.tell(.pathChanged(.wifi))
            story.change(test.change)
            #expect(story.published.isEmpty, "nothing is published before the engine starts")
            story.tell(.engineStarts)
            let wanted = PublishedAudio(
                bitRate: DataRate(bitsPerSecond: test.kilobits * 1_000),
                sampleRateHertz: test.hertz
            )
            #expect(story.published == [wanted], "\(test.name)")
        }
    }

    @Test(
        "A battery that wavers about a threshold changes nothing until it is past the other (AN-12)"
    )
    func batteryWavers() {
        var story = conversation()
        for percent in [21, 20, 21, 20, 24, 20, 25, 24, 21, 20] {
            story.change { $0.batteryPercent = percent }
        }
        #expect(story.rates == [24, 16, 24, 16])
        // The charger ends it at once, and its end begins nothing above the lower threshold.
        story.change {
            $0.batteryPercent = 22
            $0.isCharging = true
        }
        story.change { $0.batteryPercent = 22 }
        #expect(story.rates == [24, 16, 24, 16, 24])
    }

    @Test("The sample rate stays as it is while the engine runs, in each conversation (AN-12)")
    func sampleRate() {
        var story = conversation()
        for _ in 0..<2 {
            story.change { $0.isLowPowerMode = true }
            #expect(story.published.last?.sampleRateHertz == 48_000, "the engine runs")
            story.tell(.engineStarts)
            #expect(story.published.last?.sampleRateHertz == 16_000)
            story.change { $0.isLowPowerMode = false }
            #expect(story.published.last?.sampleRateHertz == 16_000)
            #expect(story.kilobits == 24)
            story.tell(.engineStarts)
            #expect(story.published.last == .speech)
        }
    }

    // MARK: Link

    @Test("A queue takes the rate to the lowest at once, and to no other (AN-12)")
    func queue() {
        var story = conversation()
        story.talk(60, roundTrip: 60)
        story.talk(1, roundTrip: 309)
        #expect(story.rates == [24], "249 ms more are no queue")
        story.talk(1, roundTrip: 310)
        #expect(story.rates == [24, 12])
        story.talk(600, roundTrip: 2_000)
        #expect(story.rates == [24, 12])
    }

    @Test(
        "The quickest round trip is what the others are held against, however late it comes (AN-12)"
    )
    func quickest() {
        var story = conversation()
        story.talk(1, roundTrip: 400)
        #expect(story.rates == [24])
        story.talk(1, roundTrip: 100)
        story.talk(1, roundTrip: 400)
        #expect(story.rates == [24, 12])
    }

    @Test("Voice that flows without a queue raises the rate by steps, the second time too (AN-12)")
    func rises() {
        var story = conversation()
        story.talk(1, roundTrip: 60)
        story.talk(1, roundTrip: 1_000)
        story.talk(9, roundTrip: 60)
        #expect(story.rates == [24, 12])
        story.talk(1, roundTrip: 60)
        #expect(story.rates == [24, 12, 16])
        story.talk(10, roundTrip: 60)
        #expect(story.rates == [24, 12, 16, 24])
        // A queue that follows the rise doubles the time.
        story.talk(1, roundTrip: 1_000)
        story.talk(19, roundTrip: 60)
        #expect(story.rates == [24, 12, 16, 24, 12])
        story.talk(1, roundTrip: 60)
        story.talk(20, roundTrip: 60)
        #expect(story.rates == [24, 12, 16, 24, 12, 16, 24])
    }

    @Test("A queue begins the proof of the link anew (AN-12)")
    func queueInBetween() {
        var story = conversation()
        story.talk(1, roundTrip: 60)
        for _ in 0..<20 {
            story.talk(1, roundTrip: 1_000)
            story.talk(9, roundTrip: 60)
        }
        #expect(story.rates == [24, 12])
        story.talk(1, roundTrip: 60)
        #expect(story.rates == [24, 12, 16], "no rise came before, so the time has not grown")
    }

    @Test("Silence proves nothing of a link (AN-12)")
    func silence() {
        var story = conversation()
        story.talk(1, roundTrip: 60)
        story.talk(1, roundTrip: 1_000)
        story.talk(600, roundTrip: 60, isSilent: true)
        #expect(story.rates == [24, 12])
        story.talk(5, roundTrip: 60)
        story.talk(60, roundTrip: 60, isSilent: true)
        story.talk(5, roundTrip: 60)
        #expect(story.rates == [24, 12, 16])
    }

    @Test("Statistics after a gap, or of another room object, prove nothing (AN-12)")
    func gaps() {
        var story = conversation()
        story.talk(1, roundTrip: 60)
        story.talk(1, roundTrip: 1_000)
        for _ in 0..<60 {
            story.now = story.now.advanced(by: .seconds(6))
            story.bytes += 1_000_000
            var statistics = RoomStatistics()
            statistics.roundTrip = .milliseconds(60)
            statistics.bytesSent = story.bytes
            story.tell(.measured(story.room, statistics))
        }
        for number in 2...60 as ClosedRange<UInt32> {
            story.room = RoomID(number: number)
            story.talk(1, roundTrip: 60)
        }
        #expect(story.rates == [24, 12])
        // A binding that counts no bytes leaves the rate where it is.
        for _ in 0..<60 {
            story.now = story.now.advanced(by: .seconds(1))
            var statistics = RoomStatistics()
            statistics.roundTrip = .milliseconds(60)
            story.tell(.measured(story.room, statistics))
        }
        #expect(story.rates == [24, 12])
    }

    @Test(
        "The cellular radio is given more once it has carried less, and each path begins anew (AN-12)"
    )
    func paths() {
        var story = conversation(over: .cellular)
        #expect(story.rates == [16] && story.published.last?.sampleRateHertz == 16_000)
        story.talk(10, roundTrip: 90)
        #expect(story.rates == [16], "the first statistics have none before them")
        story.talk(1, roundTrip: 90)
        #expect(story.rates == [16, 24])
        story.talk(1, roundTrip: 800)
        #expect(story.rates == [16, 24, 12])
        // The system repeats itself.
        story.tell(.pathChanged(.cellular))
        #expect(story.rates == [16, 24, 12])
        story.tell(.pathChanged(.wifi))
        #expect(story.rates == [16, 24, 12, 24])
        // What the other path took is no measure for this one.
        story.talk(1, roundTrip: 900)
        #expect(story.rates == [16, 24, 12, 24])
        story.tell(.pathChanged(.cellular))
        #expect(story.kilobits == 16)
        story.talk(11, roundTrip: 90)
        #expect(story.kilobits == 24, "a new path waits as the first did")
        var bold = conversation(over: .cellular) { $0.beginsLowOnCellular = false }
        bold.talk(1, roundTrip: 90)
        #expect(bold.rates == [24])
    }

    @Test("A good link does not raise what the battery asks for (AN-12)")
    func both() {
        var story = conversation()
        story.change { $0.isLowPowerMode = true }
        story.talk(1, roundTrip: 60)
        story.talk(1, roundTrip: 1_000)
        story.talk(120, roundTrip: 60)
        #expect(story.rates == [24, 16, 12, 16])
        story.change { $0.isLowPowerMode = false }
        #expect(story.kilobits == 24)
    }

    // MARK: Properties

    @Test(
        "On a link that never carries the full rate the waits double: an hour sees some 24 changes (AN-12)"
    )
    func noFlap() {
        var story = conversation()
        story.talk(1, roundTrip: 60)
        for _ in 0..<3_600 { story.talk(1, roundTrip: story.kilobits > 16 ? 1_000 : 60) }
        // Down, and two steps up: after 10, 20, 40 to 320 s each, then 600.
        let rounds = 6
        #expect(story.rates.count <= 1 + 3 * (rounds + 2))
        #expect(story.rates.count > 3 * rounds, "and it is tried")
        var plain = conversation { $0.raiseAfterMax = .seconds(10) }
        plain.talk(1, roundTrip: 60)
        for _ in 0..<3_600 { plain.talk(1, roundTrip: plain.kilobits > 16 ? 1_000 : 60) }
        #expect(plain.rates.count > 5 * story.rates.count, "without doubling it flaps")
    }

    @Test(
        "An adapter keeps the laws of its contract, its rates and the engine's sample rate (AN-12)"
    )
    func laws() throws {
        for seed in 0..<100 as Range<UInt64> {
            var (bytes, hertz) = (Int64(0), Int?.none)
            var mayResample = false
            try checkLaws(
                seed: seed,
                steps: 400,
                make: { AudioAdapter(AudioAdaptation()) },
                frame: { effect in
                    guard case .publish(let audio) = effect else { return nil }
                    #expect([12_000, 16_000, 24_000].contains(audio.bitRate.bitsPerSecond))
                    #expect(mayResample || hertz == audio.sampleRateHertz)
                    hertz = audio.sampleRateHertz
                    return nil
                }
            ) { random, _ in
                mayResample = false
                switch random.below(10) {
                case 0:
                    var reserves = PhoneReserves()
                    reserves.batteryPercent = random.below(101)
                    reserves.isCharging = random.chance(percent: 30)
                    reserves.isLowPowerMode = random.chance(percent: 20)
                    reserves.isLowDataMode = random.chance(percent: 10)
                    return .reservesChanged(reserves)
                case 1: return .pathChanged(random.chance(percent: 50) ? .wifi : .cellular)
                case 2:
                    mayResample = true
                    return .engineStarts
                default:
                    var statistics = RoomStatistics()
                    bytes += Int64(random.below(6_000)) - 100
                    statistics.bytesSent = random.chance(percent: 90) ? bytes : nil
                    let trip = Int64(random.below(random.chance(percent: 20) ? 2_000 : 200))
                    statistics.roundTrip = random.chance(percent: 90) ? .milliseconds(trip) : nil
                    return .measured(RoomID(number: 1), statistics)
                }
            }
        }
    }
}
