import KodamaEvidence
import SansIO
import Testing

@testable import KodamaCoach

@Suite("Mornings with a coach")
struct MorningTests {
    private static let links = ["armed", "rang", "noticed", "answered", "talked", "finished", "up"]

    @Test(
        "A system alarm fires at its time through a locked phone and leads to the guide (K-03, AN-02)"
    )
    func clean() throws {
        let story = try CoachStory(parameters: Self.everybodyAnswers)
        let fired = story.records(EntryFired.self)
        #expect(fired.first?.at == .nextDay(6, 30))
        #expect(fired.first?.1.route.value == .systemAlarm)
        #expect(story.deeds == [.goesToBed, .notices, .answers, .rises, .goesToBed])
        let steps = story.records(LineBegan.self).filter { !$0.1.isRepetition.isSet }.map(\.1.step)
        #expect(steps == [0, 1, 2])
        #expect(try story.share("wake.success.rate") == (1, 1))
        #expect(try story.share("wake.success.app_rate") == (1, 1))
    }

    @Test(
        "Each of the three paths wakes: alarm, critical alert, time-sensitive notification (D-23)",
        arguments: [
            ("", WakeRoute.systemAlarm),
            ("ios: ios-18, critical: true, muted: true, focus: strict,", .criticalAlert),
            ("ios: ios-18, focus: sleep,", .timeSensitive),
        ]
    )
    func paths(app: String, route: WakeRoute) throws {
        let story = try CoachStory(app: app, parameters: Self.everybodyAnswers)
        // Each process says so.
        #expect(Set(story.records(RouteShown.self).map(\.1.route.value)) == [route])
        let fired = story.records(EntryFired.self)
        #expect(!fired.isEmpty && fired.allSatisfy { $0.1.route.value == route })
        #expect(try story.share("wake.success.rate") == (1, 1))
    }

    @Test(
        "A snooze lasts nine minutes by each path, and costs a notification no less (D-23)",
        arguments: [
            "", "ios: ios-18, critical: true, muted: true, focus: strict,",
            "ios: ios-18, focus: sleep,",
        ]
    )
    func snooze(app: String) throws {
        let people = """
            sleeper.kind: heavy, sleeper.stops_half_asleep: 0%, wake.snoozes_max: 10
            """
        var count = 0
        for seed: UInt64 in 1...4 {
            let story = try CoachStory(app: app, parameters: people, seed: seed)
            let fired = story.records(EntryFired.self).map(\.at)
            for snooze in story.records(SleeperActed.self) where snooze.1.deed.value == .snoozes {
                count += 1
                // The app may have to be launched before it can take the ladder back.
                let later = fired.map { snooze.at.duration(to: $0) }.filter { $0 > .seconds(15) }
                let wait = try #require(later.first)
                #expect(wait >= .seconds(540) && wait <= .seconds(556))
            }
        }
        #expect(count >= 4, "heavy sleepers snooze nine days of ten")
    }

    @Test("A ladder after the tap is taken back: nobody who is up hears it (D-23)")
    func cancelled() throws {
        let story = try CoachStory(parameters: Self.everybodyAnswers)
        let answer = try #require(
            story.records(SleeperActed.self).first { $0.1.deed.value == .answers }
        )
        #expect(story.records(EntryFired.self).allSatisfy { $0.at <= answer.at })
        #expect(!story.deeds.contains(.silences))
    }

    @Test("Links multiply to the success rate, whatever a morning is lost at (K-23)")
    func chain() throws {
        let story = try CoachStory(
            parameters: "alarm.fault.silent: 60%, wake.ladder.length: 1",
            duration: "168h",
            phones: 6
        )
        let shares = try Self.links.map { try story.share("wake.chain.\($0)") }
        for (link, next) in zip(shares, shares.dropFirst()) {
            #expect(next.whole == link.part, "a link counts what the one before kept")
        }
        let success = try story.share("wake.success.rate")
        #expect(success.whole == shares[0].whole)
        #expect(success.part == shares[6].part)
        #expect(success.whole == 42)
        #expect(shares[1].part < shares[1].whole, "six in ten make no sound")
    }

    @Test("A permission that is taken back overnight is a green that is false (D-23, D-26)")
    func revoked() throws {
        let revoke = """
              - { at: 22:45:00, do: { user: { of: mika-phone-1, does: kill-app } } }
              - { at: 23:00:00, do: { permit: { of: mika-phone-1, what: alarms, granted: false } } }
            """
        let story = try CoachStory(timeline: revoke)
        #expect(story.records(EntryFired.self).isEmpty)
        let losses = story.records(EntryLost.self).map(\.1.loss.value)
        #expect(!losses.isEmpty && losses.allSatisfy { $0 == .notAuthorized })
        #expect(try story.share("wake.false_green") == (1, 1))
        #expect(try story.share("wake.success.unseen") == (1, 1))
        #expect(try story.share("wake.success.app_rate") == (0, 0), "the app saw no morning")
    }

    @Test(
        "A task that runs overnight finds a revoked permission and arms notifications (D-23, AN-01)"
    )
    func revokedAndFound() throws {
        let revoke =
            "  - { at: 23:00:00, do: { permit: { of: mika-phone-1, what: alarms, granted: false } } }"
        let stories = try (1...12).map { try CoachStory(timeline: revoke, seed: $0) }
        let routes = stories.map { $0.records(EntryFired.self).first?.1.route.value }
        #expect(routes.contains(.timeSensitive), "a task ran")
        #expect(routes.contains(nil), "no task ran")
        #expect(!routes.contains(.systemAlarm))
    }

    @Test("An app that may not wake at all says so, and promises nothing (AN-06)")
    func refused() throws {
        let story = try CoachStory(app: "alarms: denied, notifications: denied,")
        #expect(Set(story.records(RouteShown.self).map(\.1.route.value)) == [nil])
        #expect(try story.share("wake.chain.armed") == (0, 1))
        #expect(try story.share("wake.false_green") == (0, 0))
    }

    @Test(
        "It rings though the app was thrown out, its process ended or the phone restarted (AN-01)",
        arguments: [
            "user: { of: mika-phone-1, does: kill-app }", "end-process: { of: mika-phone-1 }",
            "restart: { of: mika-phone-1, off: 120s }",
        ]
    )
    func killed(order: String) throws {
        let story = try CoachStory(
            parameters: Self.everybodyAnswers,
            timeline: "  - { at: 4h, do: { \(order) } }"
        )
        #expect(story.records(EntryFired.self).first?.at == .nextDay(6, 30))
        #expect(try story.share("wake.success.rate") == (1, 1))
    }

    @Test("A phone that is off when the morning is due is counted apart (K-24)")
    func off() throws {
        let story = try CoachStory(
            timeline: "  - { at: 8h, do: { restart: { of: mika-phone-1, off: 2h } } }"
        )
        #expect(try story.count("wake.mornings.phone_off") == Tally(total: 1, samples: 1))
        #expect(try story.share("wake.success.rate") == (0, 0))
        #expect(story.records(EntryLost.self).contains { $0.1.loss.value == .phoneOff })
    }

    @Test("A morning that the run doesn't see to its end is counted apart (HN-01)")
    func cutShort() throws {
        let story = try CoachStory(duration: "525min")
        #expect(try story.count("wake.mornings.unended") == Tally(total: 1, samples: 1))
        #expect(try story.share("wake.success.rate") == (0, 0))
    }

    @Test("A stop with a button of the phone is followed by a sound (D-23)")
    func stoppedHalfAsleep() throws {
        let story = try CoachStory(
            parameters: "sleeper.kind: light, sleeper.stops_half_asleep: 100%"
        )
        let stop = try #require(
            story.records(SleeperActed.self).first { $0.1.deed.value == .stopsHalfAsleep }
        )
        let later = story.records(EntryFired.self).filter { $0.at > stop.at }
        #expect(!later.isEmpty, "the guide that nobody hears has ended, and the ladder goes on")
    }

    @Test("One seed gives one story, and a phone's is the same beside others (HN-01)")
    func repeatable() throws {
        let (one, two) = (try CoachStory(seed: 7), try CoachStory(seed: 7))
        #expect(one.trace.records == two.trace.records)
        let many = try CoachStory(phones: 3, seed: 7)
        let name = "mika-phone-1.coach"
        func deeds(_ story: CoachStory) -> [TraceRecord] {
            story.trace.records.filter {
                $0.kind == SleeperActed.kind && story.trace.directory.name(of: $0.component) == name
            }
        }
        #expect(deeds(many).map(\.instant) == deeds(one).map(\.instant))
        #expect(!deeds(one).isEmpty)
    }

    @Test("Every link counts what the one before kept, in each run (K-23)")
    func multiplies() throws {
        let story = try CoachStory(parameters: "alarm.fault.silent: 30%", duration: "168h")
        let invariant = try #require(
            story.invariants.first { $0.name == "coach.links-multiply" }
        )
        #expect(invariant.checkedCount == 1 && invariant.violationCount == 0)
    }

    @Test("One who gets up in the middle of the guide without a word hears the ladder once (K-24)")
    func leaves() throws {
        let people = "\(Self.everybodyAnswers), sleeper.leaves: 100%"
        for guardTime in ["0s", "30s"] {
            let story = try CoachStory(parameters: "\(people), wake.guide_guard: \(guardTime)")
            #expect(story.deeds.contains(.leaves) && !story.deeds.contains(.rises))
            #expect(story.deeds.filter { $0 == .silences }.count == 1)
            #expect(try story.share("wake.up.rate") == (1, 1))
            #expect(try story.share("wake.success.rate") == (0, 1))
        }
    }

    @Test("A process that dies in the guide is followed by a sound, with the guard only (D-23)")
    func guardedGuide() throws {
        let kill = """
              - after: { event: coach.line, of: mika-phone-1, count: 2, delay: 2s }
                do: { end-process: { of: mika-phone-1 } }
            """
        for (guardTime, isSaved) in [("0s", false), ("30s", true)] {
            let story = try CoachStory(
                parameters: "\(Self.everybodyAnswers), wake.guide_guard: \(guardTime)",
                timeline: kill
            )
            let line = try #require(story.records(LineBegan.self).dropFirst().first)
            let later = story.records(EntryFired.self).filter { $0.at > line.at }
            #expect(later.isEmpty == !isSaved)
            #expect(try story.share("wake.success.rate") == (isSaved ? 1 : 0, 1))
            guard isSaved, let first = later.first else { continue }
            // The step's two minutes, and the guard; the line was ordered a moment before its first word.
            let wait = line.at.duration(to: first.at)
            #expect(wait > .seconds(149) && wait <= .seconds(150))
            #expect(try story.share("wake.saved.rearmed") == (1, 1))
        }
    }

    @Test("A step takes its part of the time-out; who takes longer is asked again (AN-02)")
    func steps() throws {
        func guide(_ share: String) throws -> (length: Duration, repetitions: Int) {
            var (length, repetitions) = (Duration.zero, 0)
            for seed: UInt64 in 1...6 {
                let people = "\(Self.everybodyAnswers), sleeper.step_share: \(share)"
                let story = try CoachStory(parameters: people, seed: seed)
                let lines = story.records(LineBegan.self)
                let end = try #require(story.records(MorningEnded.self).first)
                length += try #require(lines.first).at.duration(to: end.at)
                repetitions += lines.count { $0.1.isRepetition.isSet }
            }
            return (length, repetitions)
        }
        let (quick, slow) = (try guide("0%"), try guide("60%"))
        #expect(slow.length > quick.length + .seconds(6 * 60))
        #expect(try guide("100%").repetitions > quick.repetitions)
    }

    @Test("One who stops a notification half asleep hears on in an unbroken ladder (AN-01)")
    func halfAsleepByNotification() throws {
        let people = """
            sleeper.kind: light, sleeper.answers: 100%, sleeper.gives_up: 0%, \
            sleeper.stops_half_asleep: 50%, wake.ladder.spacing: 10s, wake.ladder.length: 20
            """
        let stories = try (1...8).map {
            try CoachStory(app: "ios: ios-18, focus: sleep,", parameters: people, seed: $0)
        }
        let stopped = stories.filter { $0.deeds.contains(.stopsHalfAsleep) }
        #expect(!stopped.isEmpty)
        #expect(stopped.contains { $0.deeds.contains(.answers) })
    }

    /// A person without snoozing or doubts, whom the guide leads out of bed.
    private static let everybodyAnswers = """
        sleeper.kind: light, wake.snoozes_max: 0, sleeper.answers: 100%, \
        sleeper.stops_half_asleep: 0%, sleeper.gives_up: 0%
        """

    @Test(
        "A call that is taken ends the guide; one that only rings, or an alarm of the Clock app, does not (AN-02)"
    )
    func interruptions() throws {
        let phone = "of: mika-phone-1"
        for (begins, ends, cutsOff) in [
            ("phone-call-begins", "phone-call-ends", true),
            ("phone-call-rings", "decline-phone-call", false),
            ("alarm-rings", "stop-alarm", false),
        ] {
            let stories = try (1...8).map { seed in
                try CoachStory(
                    timeline: [(begins, 2), (ends, 10)].map { act, delay in
                        "  - { after: { event: coach.line, \(phone), delay: \(delay)s }, "
                            + "do: { user: { \(phone), does: \(act) } } }\n"
                    }.joined(),
                    seed: UInt64(seed)
                )
            }
            let guided = stories.filter { !$0.records(LineBegan.self).isEmpty }
            #expect(!guided.isEmpty)
            for story in guided {
                let outcomes = story.records(MorningEnded.self).compactMap(\.1.outcome.value)
                #expect(outcomes.contains(.cutOff) == cutsOff, "\(begins)")
            }
        }
    }
}
