import KodamaPhone
import SansIO
import KodamaSimulation

/// A person in bed: hears an alarm or does not, snoozes, stops it half asleep, answers, and rises or not.
///
/// Whether and when a sound is noticed depends on how far it stands above the room's noise
/// (`SleeperPersona.hearing`). One who has noticed acts after a moment: stops the alarm without remembering
/// it, snoozes as often as this morning has it, or answers. In a conversation each question is answered by
/// the expected word, another or nothing, unless the person gives up.
struct Sleeper: StateMachine {
    /// A fact for the sleeper.
    enum Event: Sendable, Equatable {
        /// The ear gets a sound of this level from now on, or none; said again after each deed if the sound goes
        /// on.
        case heard(SoundLevel?)
        /// The room is this loud.
        case noise(SoundLevel)
        /// The guide asks for a word.
        case asked
        /// The conversation is over; whether the script was declared done.
        case conversationEnded(isDone: Bool)
    }

    /// What a person says to a question.
    enum Utterance: String, Sendable, Hashable, CaseIterable {
        /// The word that was asked for.
        case expected
        /// Something else.
        case other
        /// Nothing.
        case nothing
    }

    /// An order from the sleeper.
    enum Effect: Sendable, Equatable {
        /// Notices the sound; true, whatever the app learns of it.
        case noticed
        /// Presses a button of the phone, and will not remember it.
        case stopsHalfAsleep
        /// Snoozes on the screen; whether sleep comes again in between.
        case snoozes(fallsAsleep: Bool)
        /// Stops the alarm or taps the notification, and opens the conversation.
        case answers
        /// Stops the alarm and rises without the app.
        case risesAlone
        /// Says something, or lets the question pass.
        case says(Utterance)
        /// Leaves the conversation, and sleeps on.
        case givesUp
        /// Gets up without another word to the conversation.
        case leaves
        /// Rises.
        case rises
    }

    enum State: Sendable, Equatable {
        case asleep
        /// Hears a sound and will notice it; `nil` if never. Awake, at once.
        case hearing(since: Instant, notices: Instant?, isAwake: Bool)
        case acting(at: Instant)
        /// Awake in bed after a snooze, or until the sound that was stopped is gone.
        case dozing
        case talking(saysAt: Instant?)
        case up
    }

    /// One deed.
    static var effectsPerCallMax: Int { 1 }

    /// A person who is up does nothing more here.
    var isFinished: Bool { state == .up }

    private let persona: SleeperPersona
    private var draws: RandomStream
    private var state = State.asleep
    private var level: SoundLevel?
    private var noise: SoundLevel
    /// How often this person snoozes yet this morning.
    private(set) var snoozesLeft: Int
    /// Which part of all people notices later than this one, in millionths; drawn for each sound.
    private var depth: Int64 = 0
    private var firstNoticed: Instant?

    /// Makes a person who sleeps.
    ///
    /// - Parameters:
    ///   - persona: Their habits.
    ///   - draws: What the morning is drawn from.
    init(_ persona: SleeperPersona, draws: RandomStream) {
        self.persona = persona
        var draws = draws
        noise = persona.noise
        snoozesLeft = persona.snoozes(from: &draws)
        self.draws = draws
    }

    /// When the person notices, acts or speaks.
    var deadline: Deadline? {
        switch state {
        case .hearing(_, let notices, _): notices.map { Deadline($0, "sleeper notices") }
        case .acting(let at): Deadline(at, "sleeper acts")
        case .talking(let at): at.map { Deadline($0, "sleeper speaks") }
        case .asleep, .dozing, .up: nil
        }
    }

    /// Takes one fact.
    mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .heard(let level):
            self.level = level
            hear(at: turn.now)
        case .noise(let noise):
            self.noise = noise
            if case .hearing = state { hear(at: turn.now) }
        case .asked:
            guard case .talking = state else { return }
            let isSlow = firstNoticed.map { $0.duration(to: turn.now) < persona.inertia } ?? false
            let delay = draws.latency(persona.speaking)
            let factor = isSlow ? persona.inertiaFactor : 1
            state = .talking(saysAt: turn.now.advanced(by: delay * factor))
        case .conversationEnded(let isDone):
            guard case .talking = state else { return }
            if isDone {
                state = .up
                turn.order(.rises)
            } else {
                state = .asleep
                hear(at: turn.now)
            }
        }
    }

    /// Lets the person notice, act or speak.
    mutating func wake(in turn: inout Turn<Effect>) {
        guard let deadline, deadline.instant <= turn.now else { return }
        switch state {
        case .hearing:
            firstNoticed = firstNoticed ?? turn.now
            state = .acting(at: turn.now.advanced(by: draws.latency(persona.reaction)))
            turn.order(.noticed)
        case .acting: act(in: &turn)
        case .talking: speak(in: &turn)
        case .asleep, .dozing, .up: return
        }
    }

    /// A sound begins, changes or ends for an ear that has not noticed it.
    private mutating func hear(at now: Instant) {
        var began = now
        var isAwake = false
        switch state {
        case .acting, .talking, .up: return
        case .hearing(let since, _, let wasAwake): (began, isAwake) = (since, wasAwake)
        case .asleep: if level != nil { depth = draws.uniform(in: 0...999_999) }
        case .dozing: isAwake = true
        }
        guard let level else {
            state = isAwake ? .dozing : .asleep
            return
        }
        let delay: Duration? =
            isAwake
            ? .seconds(1) : persona.hearing.delay(of: level, over: noise, depth: depth)
        let notices = delay.map { max(now, began.advanced(by: $0)) }
        state = .hearing(since: began, notices: notices, isAwake: isAwake)
    }

    private mutating func act(in turn: inout Turn<Effect>) {
        guard level != nil else {
            // It has stopped by itself: who had noticed it sleeps on.
            state = .asleep
            return
        }
        let isHalfAsleep = draws.bernoulli(persona.stopsHalfAsleep)
        let fallsAsleep = draws.bernoulli(persona.fallsAsleepBetween)
        let answers = draws.bernoulli(persona.answers)
        if isHalfAsleep {
            state = .asleep
            turn.order(.stopsHalfAsleep)
        } else if snoozesLeft > 0 {
            snoozesLeft -= 1
            state = fallsAsleep ? .asleep : .dozing
            turn.order(.snoozes(fallsAsleep: fallsAsleep))
        } else if answers {
            state = .talking(saysAt: nil)
            turn.order(.answers)
        } else {
            state = .up
            turn.order(.risesAlone)
        }
    }

    private mutating func speak(in turn: inout Turn<Effect>) {
        let givesUp = draws.bernoulli(persona.givesUp)
        let lot = draws.uniform(in: 0...999_999)
        guard !givesUp else {
            state = .asleep
            return turn.order(.givesUp)
        }
        // Drawn only where it can be, so that other mornings stay as they are.
        if persona.leaves > .zero, draws.bernoulli(persona.leaves) {
            state = .up
            return turn.order(.leaves)
        }
        state = .talking(saysAt: nil)
        let other = Int64(persona.saysOther.partsPerMillion)
        let nothing = other + Int64(persona.saysNothing.partsPerMillion)
        turn.order(.says(lot < other ? .other : lot < nothing ? .nothing : .expected))
    }
}
