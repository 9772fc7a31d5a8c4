import AppCoordination
import KodamaEvidence
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import SansIO
import WakeFlow

/// What a conversation has come to.
struct Conversation {
    /// The line that is said, until its end.
    var line: ScriptLine?
    /// Whether the agent says it.
    var isAgents = false
    /// What the user has said to the agent, until its transcript is there.
    var said: String?
    /// The line whose answer is awaited.
    var asked: ScriptLine?
    /// Counts lines, so that an old one's end is told from a new one's.
    var lineCount: UInt32 = 0
    /// The step that the user is at, and when they will have done what it asks for.
    var step: Int?
    var stepEnds = Instant.zero
    /// Whether the app could begin to speak.
    var hasVoice = false
    /// Whether the user has spoken into the line.
    var isInterjected = false
}

/// What the sleeper's days have come to.
struct Person {
    /// True time at the start, in nanoseconds since 1970, by the zone of the start.
    var start: Int64 = 0
    var mornings: Int64 = 0
    var nights = 0
    var isUp = false
    /// The wakes whose time has come since bedtime, by their places in the plan.
    var dueWakes: [UInt32] = []
    /// How often they have changed the zone.
    var journeys: UInt32 = 0
    /// How loud the room has been made; `nil` while it is as planned.
    var noise: SoundLevel?
    /// Whether the system needs the memory of the suspended process before this morning.
    var isReclaimed = false
    /// What the ear gets.
    var level: SoundLevel?
    /// Counts answers, so that waiting for an old one is told from a new one's.
    var answers: UInt32 = 0
}

// The guide's lines, and the person who hears them or does not.

extension CoachApp {
    // MARK: Lines

    /// A conversation begins; where the app is not in front, the system may keep it from speaking.
    func beginConversation(on stage: inout Stage) {
        useAccess(on: &stage)
        let isInFront = phone.seat.ask { $0.isInFront(self.id) }
        talk.hasVoice = isInFront || plan.bedroom.speaksInBackground
        // The microphone keeps the process running; a session starts its own engine.
        guard talk.hasVoice, !online.hasEngine else { return }
        online.keepsEngine = wantsSession
        order(.startVoiceEngine(OperationID(number: .max)), on: &stage)
    }

    /// The voice begins with a line.
    func begin(_ line: ScriptLine, on stage: inout Stage) {
        fallSilent(isBrokenOff: true, on: &stage)
        endLineSound(on: &stage)
        talk.line = line
        talk.asked = nil
        talk.isAgents = false
        talk.lineCount &+= 1
        schedule(.lineBegins, talk.lineCount, after: plan.bedroom.speechStart, on: &stage)
    }

    func lineBegins(_ number: UInt32, on stage: inout Stage) {
        guard number == talk.lineCount, let line = talk.line else { return }
        guard talk.isAgents ? agentVoice.isThere : talk.hasVoice else { return }
        let form = LineBegan(
            step: Int64(line.step),
            isRepetition: TraceFlag(line.isRepetition),
            isOffline: TraceFlag(!talk.isAgents)
        )
        note(form, on: &stage)
        let length = line.length
        if !talk.isAgents { sound?.speak(line, at: stage.now) }
        schedule(.lineEnds, number, after: length, on: &stage)
        listen(to: line, number, on: &stage)
    }

    func lineEnds(_ number: UInt32, on stage: inout Stage) {
        guard number == talk.lineCount, let line = talk.line else { return }
        // Whose end was not heard is said again when there is voice.
        guard !talk.isAgents || agentVoice.isThere else { return }
        fallSilent(isBrokenOff: false, on: &stage)
        endLineSound(on: &stage)
        talk.line = nil
        talk.asked = line
        coordinator?.tell(.lineFinished(number: line.number), on: &stage)
        if talk.step != line.step {
            talk.step = line.step
            talk.stepEnds = stage.now.advanced(by: lengthOfStep(line.step))
        }
        let left = stage.now.duration(to: max(stage.now, talk.stepEnds))
        schedule(.stepEnds, number, after: left, on: &stage)
    }

    /// The user has done what a step asks for, and is to say the word.
    func stepEnds(_ number: UInt32, on stage: inout Stage) {
        guard number == talk.lineCount, talk.asked != nil, !person.isUp else { return }
        sleeper.tell(.asked, on: &stage)
    }

    /// How long the user takes for a step of this morning.
    private func lengthOfStep(_ step: Int) -> Duration {
        let share = Int64(plan.bedroom.stepShare.partsPerMillion)
        let timeout = plan.wake.script.steps[step].timeout.wholeNanoseconds
        var draws = RandomStream(seed: seed, purpose: "coach.step", entity: name)
        draws.index = UInt64(person.mornings) << 8 | UInt64(step)
        // Of two thousand people one takes four times as long as the median; an assumption.
        let law = LatencyLaw(
            median: .nanoseconds(timeout / 1_000_000 * share),
            sigmaMillionths: 420_000
        )
        return draws.latency(law)
    }

    /// The conversation is over.
    func conversationEnded(isDone: Bool, on stage: inout Stage) {
        endTalk(on: &stage)
        reviewListening(on: &stage)
        // iOS locks an untouched phone; after how long is the user's choice.
        schedule(.putsDown, after: .seconds(60), on: &stage)
        if !person.isUp { sleeper.tell(.conversationEnded(isDone: isDone), on: &stage) }
    }

    /// Nothing is said any more.
    func endTalk(on stage: inout Stage) {
        fallSilent(isBrokenOff: true, on: &stage)
        endLineSound(on: &stage)
        let count = talk.lineCount &+ 1
        talk = Conversation()
        talk.lineCount = count
    }

    // MARK: The sleeper

    func perform(_ effect: SoundOutput.Effect, on stage: inout Stage) {
        switch effect {
        case .heard(let sound):
            person.level = sound?.level
            self.sound?.ring(sound?.level, at: stage.now)
            reviewLoad(on: &stage)
            note(SoundHeard(levelDecibels: Int64(sound?.level.decibelsA ?? 0)), on: &stage)
            if person.isUp {
                // How long it takes is an assumption.
                if sound != nil { schedule(.silences, after: .seconds(8), on: &stage) }
            } else {
                sleeper.tell(.heard(person.level), on: &stage)
            }
        }
    }

    func perform(_ effect: Sleeper.Effect, on stage: inout Stage) {
        switch effect {
        case .noticed: acted(.notices, on: &stage)
        case .stopsHalfAsleep:
            acted(.stopsHalfAsleep, on: &stage)
            alarms.tell(.user(.pressHardwareButton), on: &stage)
            hearOn(on: &stage)
        case .snoozes:
            acted(.snoozes, on: &stage)
            snooze(on: &stage)
        case .answers:
            acted(.answers, on: &stage)
            answer(on: &stage)
            person.answers &+= 1
            schedule(.waitsNoLonger, person.answers, after: .seconds(30), on: &stage)
        case .risesAlone:
            acted(.risesAlone, on: &stage)
            alarms.tell(.user(.pressHardwareButton), on: &stage)
            getUp(on: &stage)
        case .leaves:
            acted(.leaves, on: &stage)
            getUp(on: &stage)
        case .says(let utterance): say(utterance, on: &stage)
        case .givesUp:
            acted(.givesUp, on: &stage)
            tell(.gaveUp, on: &stage)
        case .rises:
            acted(.rises, on: &stage)
            getUp(on: &stage)
        }
    }

    private func acted(_ deed: SleeperDeed, on stage: inout Stage) {
        note(SleeperActed(deed: TraceWord(deed)), on: &stage)
    }

    /// Presses the snooze button of the alarm, or of the notification that came last.
    private func snooze(on stage: inout Stage) {
        if armory.alerting.isEmpty, let shown = armory.shown {
            let button = WakeEntry.snoozeAction
            let press = UserNotificationCenter.Event.actionTapped(
                Self.own,
                identifier: shown.text,
                action: button
            )
            return center.tell(press, on: &stage)
        }
        alarms.tell(.user(.tapSecondary), on: &stage)
        hearOn(on: &stage)
    }

    /// An alarm beneath the one that was stopped sounds on, and so does a notification, which no button of the
    /// phone stops, by assumption.
    private func hearOn(on stage: inout Stage) {
        guard armory.alerting.count != 1, let level = person.level else { return }
        sleeper.tell(.heard(level), on: &stage)
    }

    /// Stops the alarm, or taps the notification that came last.
    func answer(on stage: inout Stage) {
        if !armory.alerting.isEmpty {
            let hasSlider = plan.version >= IOSVersion(26, 1)
            alarms.tell(.user(hasSlider ? .slideToStop : .tapStop), on: &stage)
        } else if let shown = armory.shown {
            center.tell(.tapped(Self.own, identifier: shown.text), on: &stage)
        }
    }

    private func getUp(on stage: inout Stage) {
        person.isUp = true
        schedule(.putsDown, after: .seconds(300), on: &stage)
    }

    private func say(_ utterance: Sleeper.Utterance, on stage: inout Stage) {
        let reply: SleeperReply
        var text: String?
        switch utterance {
        case .expected:
            reply = .expected
            text = talk.asked.map { plan.wake.script.steps[$0.step].expectedWord }
        case .other:
            reply = .other
            text = "うん"
        case .nothing: reply = .nothing
        }
        note(SleeperReplied(reply: TraceWord(reply)), on: &stage)
        guard let text else { return }
        // While the phone's own voice has the word, its recogniser hears the user.
        let listens = coordinator?.seat.ask { $0.listensItself } ?? true
        guard listens else { return sayToAgent(text, on: &stage) }
        tell(.heard(text, byPhone: true), on: &stage)
    }

    /// No guide has come: the person sleeps on.
    func waitedInVain(_ answer: UInt32, on stage: inout Stage) {
        guard answer == person.answers, !isTalking, !person.isUp else { return }
        sleeper.tell(.conversationEnded(isDone: false), on: &stage)
    }

    /// A user who is up stops what sounds, and tells the app that they are.
    func silence(on stage: inout Stage) {
        guard person.isUp, person.level != nil else { return }
        acted(.silences, on: &stage)
        answer(on: &stage)
        schedule(.tells, after: .seconds(3), on: &stage)
    }
}

extension BedroomConfiguration {
    /// Who is nudged.
    var nudgePersona: NudgePersona {
        switch nudged {
        case .committed: .committed
        case .app: .app
        case .ordinary: .ordinary
        case .pessimistic: .pessimistic
        }
    }

    /// Who sleeps there; one draw.
    func persona(from draws: inout RandomStream) -> SleeperPersona {
        let mixed = SleeperPersona.drawn(from: &draws)
        var persona: SleeperPersona
        switch sleeper {
        case .mixed: persona = mixed
        case .heavy: persona = .heavy
        case .moderate: persona = .moderate
        case .light: persona = .light
        case .pessimistic: persona = .pessimistic
        }
        persona.noise = SoundLevel(decibelsA: noiseDecibels)
        guard sleeper != .pessimistic else { return persona }
        persona.stopsHalfAsleep = stopsHalfAsleep
        persona.answers = answers
        persona.givesUp = givesUp
        persona.leaves = leaves
        return persona
    }
}
