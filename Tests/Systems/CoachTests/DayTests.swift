import KodamaEvidence
import SansIO
import Testing

@testable import KodamaCoach

@Suite("The days of a coach's user")
struct DayTests {
    /// A person without snoozing or doubts, whom the guide leads out of bed.
    private static let everybodyAnswers = """
        sleeper.kind: light, wake.snoozes_max: 0, sleeper.answers: 100%, \
        sleeper.stops_half_asleep: 0%, sleeper.gives_up: 0%
        """

    private func bedroom(_ time: String, _ change: String) -> String {
        "  - { at: \(time), do: { bedroom: { of: mika-phone-1, \(change) } } }\n"
    }

    /// The sounds of a metric that counts them: one sample a morning.
    private func numbers(_ name: String, _ story: CoachStory) throws -> Distribution {
        let metric = try #require(story.metrics.first { $0.name == name })
        guard case .distribution(let found) = metric.known else {
            throw StoryError("\(name) has no samples")
        }
        return found
    }

    // MARK: Journeys

    @Test("A journey moves the wake to the local time, and back, and each morning counts (AN-01)")
    func journey() throws {
        let story = try CoachStory(
            parameters: Self.everybodyAnswers,
            timeline: bedroom("10min", "zone: -3h") + bedroom("21h", "zone: 0h"),
            duration: "36h"
        )
        let due = story.records(MorningDue.self)
        // 06:30 there is 09:30 at home.
        #expect(due.map(\.at) == [.nextDay(9, 30), .nextDay(30, 30)])
        let firsts = due.map { morning in
            story.records(EntryFired.self).first { $0.at >= morning.at }?.at
        }
        #expect(firsts == due.map(\.at))
        #expect(story.records(EntryFired.self).allSatisfy { $0.at == $0.1.scheduled })
        #expect(try story.share("wake.chain.armed") == (2, 2))
        #expect(try story.share("wake.success.rate") == (2, 2))
        #expect(try story.count("wake.sounds.untimely").total == 0)
        let nights = story.records(SleeperActed.self).filter { $0.1.deed.value == .goesToBed }
        #expect(nights.map(\.at) == [.nextDay(1, 30), .nextDay(22, 30)])
    }

    @Test("A journey overnight, behind the app's back, sounds half a ladder at home's time (AN-01)")
    func journeyOvernight() throws {
        var early = 0
        for seed: UInt64 in 1...12 {
            let story = try CoachStory(
                parameters: Self.everybodyAnswers,
                timeline: bedroom("2h", "zone: -3h"),
                seed: seed
            )
            #expect(story.records(MorningDue.self).map(\.at) == [.nextDay(9, 30)])
            #expect(story.records(EntryFired.self).allSatisfy { $0.at == $0.1.scheduled })
            let fired = story.records(EntryFired.self).map(\.at)
            #expect(fired.contains(.nextDay(9, 30)), "whole minutes follow the zone")
            #expect(try story.share("wake.chain.rang") == (1, 1))
            let nights = story.deeds.filter { $0 == .goesToBed }
            #expect(nights.count == 1, "one who sleeps does not go to bed again")
            let isEarly = fired.first == .nextDay(6, 30).advanced(by: .seconds(10))
            #expect(isEarly || fired.first == .nextDay(9, 30))
            #expect((try story.count("wake.sounds.untimely").total > 0) == isEarly)
            if isEarly { early += 1 }
        }
        #expect(early > 0 && early < 12, "a task overnight may have the ladder armed anew")
    }

    @Test("Whom the wake did not rouse it rings no second time when a journey brings its hour back")
    func journeyBack() throws {
        var asleep = 0
        for seed: UInt64 in 1...12 {
            let story = try CoachStory(
                parameters: "sleeper.kind: heavy, sleeper.answers: 0%",
                timeline: bedroom("9h", "zone: -1h"),
                duration: "34h",
                seed: seed
            )
            let due = story.records(MorningDue.self).map(\.at)
            #expect(due == [.nextDay(6, 30), .nextDay(31, 30)])
            #expect(try story.share("wake.chain.armed") == (2, 2))
            let back = Instant.nextDay(7, 25)...(.nextDay(8, 30))
            #expect(!story.records(EntryFired.self).contains { back.contains($0.at) })
            let isRoused = story.records(SleeperActed.self).contains { deed in
                [.rises, .risesAlone, .leaves].contains(deed.1.deed.value)
                    && deed.at < .nextDay(7, 30)
            }
            if !isRoused { asleep += 1 }
        }
        #expect(asleep > 0, "some sleep on")
    }

    // MARK: Two wakes

    @Test("A further wake is not needed by one who is up, and its sound is no ladder's cost (K-24)")
    func twoWakes() throws {
        let story = try CoachStory(
            wakes: "06:30:00, 07:00:00",
            parameters: Self.everybodyAnswers,
            duration: "49h"
        )
        #expect(story.records(MorningDue.self).count == 2)
        #expect(story.records(WakeUnneeded.self).map(\.at) == [.nextDay(7, 0), .nextDay(31, 0)])
        #expect(try story.share("wake.success.rate") == (2, 2))
        let afterUp = try numbers("wake.sounds.after_up", story)
        #expect(afterUp.count == 4)
        #expect(afterUp.maximum == 0)
        #expect(try numbers("wake.sounds", story).minimum == 1)
    }

    @Test("A further wake is a morning of its own for one who sleeps on (K-23)")
    func secondWake() throws {
        let story = try CoachStory(
            wakes: "07:00:00, 06:30:00",
            parameters: Self.everybodyAnswers,
            timeline: "  - { at: 8h, do: { restart: { of: mika-phone-1, off: 45min } } }"
        )
        #expect(story.records(MorningDue.self).map(\.at) == [.nextDay(6, 30), .nextDay(7, 0)])
        #expect(story.records(WakeUnneeded.self).isEmpty)
        #expect(try story.count("wake.mornings.phone_off").total == 1)
        #expect(try story.share("wake.success.rate") == (1, 1))
        #expect(try story.share("wake.success.app_rate") == (1, 1))
    }

    // MARK: The battery

    @Test(
        "A day's energy has the radio of its session and reports in it, and adds up (K-08, AN-19)"
    )
    func radio() throws {
        func story(_ radios: String) throws -> CoachStory {
            try CoachStory(
                app: "realtime: true, account: mika,",
                radios: radios,
                parameters: Self.everybodyAnswers,
                duration: "49h"
            )
        }
        let cellular = try story("cellular: lte-good")
        let days = cellular.records(DayEnergy.self).map(\.1)
        let radios = cellular.records(DayRadio.self).map(\.1.radioMillijoules)
        #expect(days.count == 2 && radios.count == 2)
        for (day, radio) in zip(days, radios) {
            // Some minutes at 450 mW.
            #expect((60_000...600_000).contains(radio))
            #expect(day.screenMillijoules + day.audioMillijoules + radio == day.totalMillijoules)
        }
        let wifi = try story("wifi: wifi-internet").records(DayRadio.self)
        #expect(wifi.count == 2)
        #expect(wifi[0].1.radioMillijoules < radios[0] / 2, "Wi-Fi has no long tail")
        #expect(try story("").records(DayRadio.self).isEmpty)
        let sum = cellular.invariants.first { $0.name == "battery.parts-add-up" }
        #expect(sum?.checkedCount == 2 && sum?.violationCount == 0)
    }

    @Test("A day that a journey cuts is no day of the battery's (K-08)")
    func journeyDay() throws {
        let story = try CoachStory(
            parameters: Self.everybodyAnswers,
            timeline: bedroom("21h", "zone: -3h"),
            duration: "54h"
        )
        // Bedtimes lie 0.5, 27.5 and 51.5 h behind the start.
        #expect(story.records(DayEnergy.self).map(\.at) == [.nextDay(49, 30)])
    }

    // MARK: Acts

    @Test("A room that is loud before bedtime is loud all night, and the next (K-23)")
    func noise() throws {
        let loud = try CoachStory(timeline: bedroom("10min", "noise: 90"), duration: "49h")
        #expect(loud.deeds.count { $0 == .goesToBed } == 3)
        #expect(!loud.deeds.contains(.notices))
        let quiet = try CoachStory(
            timeline: bedroom("10min", "noise: 90") + bedroom("20min", "noise: 35"),
            duration: "49h"
        )
        #expect(quiet.deeds.contains(.notices))
    }

    @Test("A user who takes critical alerts back is told of the next path (AN-06, D-23)")
    func criticalRevoked() throws {
        let app = "ios: ios-18, critical: true,"
        let story = try CoachStory(
            app: app,
            timeline: permit("10min", "critical", false)
        )
        #expect(story.records(RouteShown.self).last?.1.route.value == .timeSensitive)
        let fired = story.records(EntryFired.self)
        #expect(!fired.isEmpty && fired.allSatisfy { $0.1.route.value == .timeSensitive })
        let again = try CoachStory(
            app: app,
            timeline: permit("10min", "critical", false) + permit("20min", "critical", true)
        )
        let firedAgain = again.records(EntryFired.self)
        #expect(!firedAgain.isEmpty)
        #expect(firedAgain.allSatisfy { $0.1.route.value == .criticalAlert })
    }

    @Test("A change of one permission leaves the other as the user has it (AN-06)")
    func onePermission() throws {
        let story = try CoachStory(
            app: "ios: ios-18, critical: true,",
            timeline: permit("10min", "notifications", false) + permit("15min", "critical", true)
        )
        #expect(story.records(EntryFired.self).isEmpty)
        let shown = try #require(story.records(RouteShown.self).last)
        #expect(shown.1.route.value == nil)
    }

    private func permit(_ time: String, _ what: String, _ isGranted: Bool) -> String {
        let body = "of: mika-phone-1, what: \(what), granted: \(isGranted)"
        return "  - { at: \(time), do: { permit: { \(body) } } }\n"
    }

    @Test("Who goes to bed after midnight is distracted in the evening before (AN-03)")
    func lateBedtime() throws {
        for bedtime in ["00:30:00", "22:30:00"] {
            let story = try CoachStory(
                app: "bedtime: \(bedtime),",
                parameters: "nudge.persona: committed",
                timeline: "  - { at: 120s, do: { distract: { of: mika-phone-1 } } }"
            )
            #expect(story.records(NudgeCame.self).count == 1, "\(bedtime)")
        }
        let early = try CoachStory(
            app: "bedtime: 21:00:00,",
            timeline: "  - { at: 120s, do: { distract: { of: mika-phone-1 } } }"
        )
        #expect(early.records(NudgeCame.self).isEmpty, "one who sleeps is not distracted")
    }
}
