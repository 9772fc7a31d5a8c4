import KodamaEvidence
import KodamaSpeech
import SansIO
import Testing

@testable import KodamaCoach

@Suite("The microphone as the coach publishes it")
struct MicrophoneTests {
    /// Nobody stays in bed, so that there are answers.
    private static let everybodyAnswers = """
        sleeper.kind: light, wake.snoozes_max: 0, sleeper.answers: 100%, \
        sleeper.stops_half_asleep: 0%, sleeper.gives_up: 0%
        """
    /// A link that carries 40 kbit/s upwards, where 24 are 44 with their headers.
    private static let slow =
        "wifi: { profile: wifi-internet, forward: { rate: 40kbps, queue: 64kB } }"

    private func bedroom(_ time: String, _ change: String) -> String {
        "  - { at: \(time), do: { bedroom: { of: mika-phone-1, \(change) } } }\n"
    }

    private func published(_ story: CoachStory) -> [[Int64]] {
        story.records(AudioPublished.self).map { record in
            [record.1.bitsPerSecond / 1_000, record.1.sampleRateHertz]
        }
    }

    /// The frames of answers that were lost, and all, over a slow link.
    private func overSlowLink(_ parameters: String) throws -> (lost: Int64, all: Int64) {
        var (lost, all) = (Int64(0), Int64(0))
        for seed in 1...4 as ClosedRange<UInt64> {
            let story = try CoachStory(
                app: "realtime: true, sound: true,",
                radios: Self.slow,
                parameters: Self.everybodyAnswers + parameters,
                duration: "45min",
                clock: "06:20:00",
                material: .synthetic(),
                seed: seed
            )
            let share = try story.share("guide.words.lost")
            (lost, all) = (lost + share.part, all + share.whole)
        }
        return (lost, all)
    }

    @Test("On an uplink below the full rate words get through only if the rate follows it (AN-12)")
    func slowUplink() throws {
        let fixed = try overSlowLink("")
        #expect(fixed.all > 200)
        #expect(fixed.lost * 2 > fixed.all, "\(fixed.lost) of \(fixed.all)")
        let adapted = try overSlowLink(", audio.adapts: true")
        #expect(adapted.all > 300)
        #expect(adapted.lost * 10 < adapted.all, "\(adapted.lost) of \(adapted.all)")
    }

    @Test(
        "A morning with a low battery samples at 16 kHz, one that is charged at 48, twice (AN-12)"
    )
    func lowBattery() throws {
        let story = try CoachStory(
            app: "realtime: true,",
            radios: "wifi: wifi-internet",
            parameters: Self.everybodyAnswers + ", audio.adapts: true",
            timeline: bedroom("1h", "battery: 20%") + bedroom("24h", "charging: true")
                + bedroom("48h", "charging: false") + bedroom("72h", "battery: 25%"),
            duration: "98h"
        )
        let mornings = story.records(MorningDue.self).map(\.at)
        #expect(mornings.count == 4)
        let rates = mornings.map { due in
            story.records(AudioPublished.self).last { $0.at < due.advanced(by: .seconds(3_600)) }
        }
        #expect(rates.map { $0?.1.sampleRateHertz } == [16_000, 48_000, 16_000, 48_000])
        #expect(rates.map { $0?.1.bitsPerSecond } == [16_000, 24_000, 16_000, 24_000])
    }

    @Test("Low Power Mode in the middle of a conversation lowers its bit rate alone (AN-12)")
    func inTheMiddle() throws {
        let story = try CoachStory(
            app: "realtime: true,",
            radios: "wifi: wifi-internet",
            parameters: Self.everybodyAnswers + ", audio.adapts: true",
            timeline: """
                  - after: { event: coach.audio-rate, of: mika-phone-1.coach, count: 1, delay: 5s }
                    do: { bedroom: { of: mika-phone-1, low_power: true } }
                  - after: { event: coach.audio-rate, of: mika-phone-1.coach, count: 1, delay: 9s }
                    do: { bedroom: { of: mika-phone-1, low_data: true } }

                """
        )
        #expect(published(story) == [[24, 48_000], [16, 48_000], [12, 48_000]])
    }

    @Test(
        "Without 'audio.adapts' nothing is chosen, whatever the battery (AN-12)"
    )
    func off() throws {
        let story = try CoachStory(
            app: "realtime: true, account: mika,",
            radios: "wifi: wifi-internet",
            parameters: Self.everybodyAnswers,
            timeline: bedroom("60s", "battery: 10%"),
            duration: "50h"
        )
        #expect(published(story).isEmpty)
        #expect(try story.count("coach.audio.changes") == Tally())
        #expect(try story.share("wake.success.rate") == (2, 2))
    }

    @Test("With a low battery no background task arms a ladder anew overnight (AN-12, AN-01)")
    func noTasks() throws {
        for (seed, change) in ["battery: 19%", "low_power: true"].enumerated() {
            for turn in 0..<6 as Range<UInt64> {
                let story = try CoachStory(
                    parameters: Self.everybodyAnswers,
                    timeline: bedroom("60s", change) + bedroom("2h", "zone: -3h"),
                    seed: turn * 2 + UInt64(seed) + 1
                )
                // Half a ladder stays at home's time, of which the first sound is 10 s after the minute.
                let first = try #require(story.records(EntryFired.self).first).at
                #expect(first == .nextDay(6, 30).advanced(by: .seconds(10)), "\(change)")
            }
        }
    }
}
