import Evidence
import SansIO
import Scenarios
import Simulation
import Speech

/// A person who talks at a phone: the truth of when, and the sound.
struct Talker {
    let name: String
    let component: ComponentIndex
    /// Whose microphone hears the person.
    let listener: Listener
    /// When the person speaks, and what it sounds like.
    let track: TalkTrack
    /// The next beginning (even) or end (odd) of a talk spurt.
    var nextBoundary = 0
    /// What numbers the person's deliveries.
    var source: EventSource

    /// Whose microphone hears a person.
    enum Listener: Equatable {
        /// A phone with the intercom.
        case device(Int)
        /// A phone with a session.
        case phone(Int)
    }

    /// When boundary `number` is; `nil` after the last.
    func instant(ofBoundary number: Int) -> Instant? {
        guard number / 2 < track.speech.count else { return nil }
        let spurt = track.speech[number / 2]
        let sample = number % 2 == 0 ? spurt.lowerBound : spurt.upperBound
        return MicrophoneTime.instant(of: sample)
    }
}

extension World {
    /// Writes what everybody says, before the run begins.
    static func talkers(
        of plan: WorldPlan,
        seed: UInt64,
        material: SpeechMaterial?
    ) throws(WorldError) -> [Talker] {
        if plan.audio == .real, material == nil,
            plan.people.contains(where: { person in
                plan.devices.contains { $0.name == person.device }
            })
        {
            throw .noVoices
        }
        var talkers: [Talker] = []
        // Voices are dealt to the people who can be heard, so that a bystander takes none away.
        var heard = 0
        for (place, person) in plan.people.enumerated() {
            let listener = listener(named: person.device, of: person.name, in: plan)
            let component = plan.devices.count + place
            talkers.append(
                Talker(
                    name: person.name,
                    component: ComponentIndex(place: UInt16(component)),
                    listener: listener,
                    track: try track(of: person, listener, at: heard, plan, seed, material),
                    source: EventSource(rank: DeliveryRank.speech, component: place)
                )
            )
            if case .device(let place) = listener, plan.devices[place].group != nil { heard += 1 }
        }
        return talkers
    }

    private static func listener(
        named name: String,
        of person: String,
        in plan: WorldPlan
    ) -> Talker.Listener {
        if let place = plan.devices.firstIndex(where: { $0.name == name }) {
            return .device(place)
        }
        guard let place = plan.phones.firstIndex(where: { $0.name == name }) else {
            preconditionFailure("\(person) talks at \(name), which is unknown")
        }
        return .phone(place)
    }

    private static func track(
        of person: PersonPlan,
        _ listener: Talker.Listener,
        at place: Int,
        _ plan: WorldPlan,
        _ seed: UInt64,
        _ material: SpeechMaterial?
    ) throws(WorldError) -> TalkTrack {
        guard plan.audio == .real, case .device = listener, let material else {
            let turns = plan.talk.flatMap { sizedTurns(of: person.name, in: $0, seed) }
            return TalkTrack(person: person.name, turns: turns)
        }
        let voice: SpeechMaterial.Voice
        if let name = person.voice {
            if let named = material.voice(named: name) {
                voice = named
            } else if material.isSynthetic {
                voice = material.voice(forPlace: place)
            } else {
                throw .noVoice(named: name, known: material.voices.map(\.name))
            }
        } else {
            voice = material.voice(forPlace: place)
        }
        let said = plan.talk.flatMap { pieces(of: person.name, voice, in: $0, seed) }
        let surroundings = NoiseLoop(
            person.surroundings.map(NoiseBed.init),
            around: person.name,
            voice: voice,
            material: material,
            seed: seed
        )
        return TalkTrack(
            person: person.name,
            material: material,
            pieces: said,
            surroundings: surroundings
        )
    }

    private static func sizedTurns(
        of person: String,
        in talk: TalkPlan,
        _ seed: UInt64
    ) -> [TalkTurn] {
        switch talk {
        case .conversation(let people, let from, let until):
            return turns(of: person, among: people, from, until, seed)
        case .monologue(person, let start, let duration):
            let start = Instant.zero.advanced(by: start)
            return [TalkTurn(start: start, end: start.advanced(by: duration))]
        case .monologue:
            return []
        }
    }

    private static func pieces(
        of person: String,
        _ voice: SpeechMaterial.Voice,
        in talk: TalkPlan,
        _ seed: UInt64
    ) -> [SoundPiece] {
        switch talk {
        case .conversation(let people, let from, let until):
            return Conversation.fill(
                turns(of: person, among: people, from, until, seed),
                with: voice,
                person: person,
                seed: seed,
                until: Instant.zero.advanced(by: until)
            )
        case .monologue(person, let start, let duration):
            return Monologue.pieces(
                of: voice,
                person: person,
                seed: seed,
                from: Instant.zero.advanced(by: start),
                lasting: duration
            )
        case .monologue:
            return []
        }
    }

    /// One person's turns in a conversation of two.
    private static func turns(
        of person: String,
        among people: [String],
        _ from: Duration,
        _ until: Duration,
        _ seed: UInt64
    ) -> [TalkTurn] {
        guard let place = people.firstIndex(of: person), people.count == 2 else { return [] }
        let both = Conversation.turns(
            between: people[0],
            and: people[1],
            seed: seed,
            from: Instant.zero.advanced(by: from),
            until: Instant.zero.advanced(by: until)
        )
        return place == 0 ? both.first : both.second
    }
}

extension World {
    /// Schedules a person's next beginning or end of a talk spurt.
    mutating func scheduleSpeech(of talker: Int) {
        guard let instant = talkers[talker].instant(ofBoundary: talkers[talker].nextBoundary)
        else { return }
        let key = talkers[talker].source.key(at: instant)
        queue.push(.speech(person: UInt16(talker)), at: key)
    }

    /// A person begins or ends a talk spurt.
    mutating func moveSpeech(of place: Int, at now: Instant) {
        let talker = talkers[place]
        let boundary = talker.nextBoundary
        log.write(
            TraceRecord(
                boundary % 2 == 0 ? .speechBegan : .speechEnded,
                at: now,
                of: talker.component,
                subject: component(of: talker.listener),
                SIMD4(Int64(boundary / 2), 0, 0, 0)
            )
        )
        talkers[place].nextBoundary += 1
        scheduleSpeech(of: place)
        if case .phone(let phone) = talker.listener {
            speak(at: phones[phone], begins: boundary % 2 == 0, now)
        }
    }

    private func component(of listener: Talker.Listener) -> ComponentIndex {
        switch listener {
        case .device(let place): devices[place].component
        case .phone(let place): phones[place].component
        }
    }
}
