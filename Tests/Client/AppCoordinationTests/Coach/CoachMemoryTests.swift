import AppCoordination
import RealtimeVoice
import SansIO
import Testing
import WakeFlow

@Suite("The coach's memory as bytes")
struct CoachMemoryTests {
    /// What the second version has stored of `memory`: it did not know whose a summary is.
    private static let second = bytes(
        """
        4b434d5902c9000000db926786010000000100000001706200007f0020f53c9702ec18000100c0ad
        6ddd05ec18315100000300000001000000010000000300000000000b00000073797374656d416c61
        726d013151000070620000010a00000077616b652d312e6361663151000000c0ad6ddd05ec180001
        0a00000077616b652d312e6361660131510000000000000002000000070000006f66666c696e6501
        00000005000000010080a5df95f6eb18013051000002000000000000000000040000000000000001
        305100000000350c000000000001
        """
    )
    /// What the present one stores.
    private static let third = bytes(
        """
        4b434d5903ca00000067631b01010000000100000001706200007f0020f53c9702ec18000100c0ad
        6ddd05ec18315100000300000001000000010000000300000000000b00000073797374656d416c61
        726d013151000070620000010a00000077616b652d312e6361663151000000c0ad6ddd05ec180001
        0a00000077616b652d312e6361660131510000000000000002000000070000006f66666c696e6501
        0000000005000000010080a5df95f6eb180130510000020000000000000000000400000000000000
        01305100000000350c000000000001
        """
    )

    private static func bytes(_ text: String) -> [UInt8] {
        let digits = text.filter(\.isHexDigit).compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }

    /// A wake at seven with one alarm that sounds in the user's own voice, and a nudge of yesterday.
    private static var memory: CoachMemory {
        let day = LocalDay(number: 20785)
        let seven = CoachStory.dawn.advanced(by: .seconds(3_600))
        let time = TimeOfDay(hour: 7, minute: 0)
        let id = WakeID(number: 1)
        let setting = WakeSetting(id: id, time: .relative(time, .everyDay))
        var wake = WakeRecord.Wake(setting: setting, after: CoachStory.dawn)
        wake.next = WakeRecord.Occurrence(due: seven, day: day)
        let entry = WakeEntry(
            id: WakeEntryID(wake: id, arming: 3, rung: 0),
            path: .systemAlarm,
            schedule: .relative(LocalTime(day: day, time: time)),
            sound: .preloaded(name: "wake-1.caf")
        )
        var memory = CoachMemory()
        memory.wake.wakes = [wake]
        memory.wake.arming = 3
        memory.wake.armed = [WakeRecord.Armed(entry: entry, day: day, due: seven)]
        memory.wake.sound = .preloaded(name: "wake-1.caf")
        memory.wake.preloadedFor = day
        memory.guide.stretches = 2
        memory.guide.mode = .offline
        memory.guide.modeChanges = 1
        memory.nudge.latest = 5
        memory.nudge.latestAt = WallTime(secondsSince1970: 1_795_800_000)
        memory.nudge.day = LocalDay(number: 20784)
        memory.nudge.count = 2
        memory.nudge.streak = 4
        memory.nudge.lastAlone = LocalDay(number: 20784)
        memory.nudge.habitGapPartsPerMillion = 800_000
        memory.isSetUp = true
        return memory
    }

    /// The same with everything that may be missing.
    private static var full: CoachMemory {
        var memory = Self.memory
        let time = CoachStory.dawn
        let occurrence = WakeRecord.Occurrence(due: time, day: LocalDay(number: -3))
        memory.wake.wakes[0].ended = occurrence
        let fixed = WakeSetting(id: WakeID(number: 2), time: .fixed(time))
        memory.wake.wakes.append(WakeRecord.Wake(setting: fixed, after: time))
        memory.wake.armed[0].entry.schedule = .fixed(time)
        memory.wake.armed[0].entry.path = .timeSensitive
        memory.wake.morning = WakeRecord.Morning(wake: WakeID(number: 1), occurrence: occurrence)
        memory.wake.morning?.snoozes = 2
        memory.wake.morning?.ladderFrom = time
        memory.wake.morning?.isGuiding = true
        memory.wake.morning?.wasJoined = true
        var summary = OfflineSummary(key: "a/1", beganAt: time)
        summary.lines = [0, 1, 7]
        summary.heard = ["OK", "澄む", ""]
        memory.guide.open = summary
        let other = OfflineSummary(key: "b/2", beganAt: time, user: "Zoe\u{301}")
        memory.guide.unsent = [summary, other]
        memory.guide.user = ""
        memory.nudge.posted = NudgeRecord.Posted(id: NudgeID(number: 6), at: time)
        memory.nudge.opened = NudgeID(number: 4)
        memory.nudge.calledOn = LocalDay(number: 9)
        return memory
    }

    @Test("What was stored is read as it was, whatever is in it")
    func roundTrip() {
        for memory in [CoachMemory(), Self.memory, Self.full] {
            #expect(CoachMemory(stored: memory.stored) == memory)
        }
        #expect(Self.memory.stored == Self.third, "a new form needs a new version")
    }

    @Test("Every record of a morning with a nudge survives a kill as bytes")
    func story() throws {
        var story = CoachStory()
        story.launch()
        story.tell(.distractionDetected)
        story.wait(.seconds(3_600))
        let entry = try #require(story.system.first).id
        let events: [CoachEvent] = [
            .entryStopped(entry), .relayed(.sessionShown(.couldNotConnect)),
            .lineFinished(number: 0),
            .heard("OK", byPhone: true), .ranAlone(LocalDay(number: 20_700)),
        ]
        for event in events {
            story.tell(event)
            #expect(CoachMemory(stored: story.disk.stored) == story.disk)
        }
    }

    @Test("A launch finds the voice as the process before left it, and tells of no change (AN-04)")
    func voiceOverLaunch() {
        var configuration = CoachStory.configuration
        configuration.flags = CoachFlags(usesRealtime: true)
        var story = CoachStory(configuration)
        story.hasClone = true
        for _ in 0..<3 {
            story.launch()
            #expect(story.outbox.count { $0 == .voiceModeChanged } == 1, "to the clone, once")
            #expect(story.disk.guide.mode == .clone)
        }
        story.hasClone = false
        for _ in 0..<2 {
            story.launch()
            #expect(story.outbox.count { $0 == .voiceModeChanged } == 2, "and back")
        }
    }

    @Test("What an earlier version has stored is read; what it did not know is as at first")
    func older() {
        for _ in 0..<2 {
            let read = CoachMemory(stored: Self.second)
            #expect(read == Self.memory)
            #expect(read?.stored == Self.third)
        }
    }

    @Test("Bytes that are cut, changed, longer or of a later version are refused")
    func damage() {
        let good = Self.full.stored
        for index in good.indices {
            for bit in 0..<8 as Range<UInt8> {
                var bad = good
                bad[index] ^= 1 << bit
                #expect(CoachMemory(stored: bad) == nil, "bit \(bit) of byte \(index)")
            }
            #expect(CoachMemory(stored: Array(good.prefix(index))) == nil)
        }
        #expect(CoachMemory(stored: good + [0]) == nil)
        #expect(CoachMemory(stored: Self.later) == nil)
    }

    /// An empty memory as a version would store it that is not there yet.
    private static let later = bytes(
        """
        4b434d59044c0000002b091094000000000000000000000000000000000000000000000000080000
        007374616e6461726400000000000000000000000000000000000000000000000000000000000000
        40420f000000000000
        """
    )

    @Test("An app whose memory is damaged sets its first wakes anew, and takes back what is armed")
    func begunAnew() {
        var story = CoachStory()
        story.launch()
        let before = story.system
        for _ in 0..<2 {
            var bytes = story.disk.stored
            bytes[20] ^= 1
            story.disk = CoachMemory(stored: bytes) ?? CoachMemory()
            story.launch()
            #expect(story.disk.wake.wakes.count == 1)
            #expect(story.system.count == before.count)
            #expect(Set(story.system.map(\.id)).count == before.count)
        }
    }
}
