package import KodamaLanguage
package import KodamaSimulation
package import KodamaSpeech
import SansIO

/// Draws what every person says, before the run begins.
package enum Script {
    /// The sound of each person, in the order of the plan.
    package static func tracks(
        of plan: WorldPlan,
        seed: UInt64,
        fork: WeatherFork? = nil,
        material: SpeechMaterial?
    ) throws(WorldError) -> [TalkTrack] {
        if plan.voice == .real, material == nil,
            plan.people.contains(where: { plan.recorder(at: $0.phone) != nil })
        {
            throw .noVoices
        }
        var tracks: [TalkTrack] = []
        // Voices are dealt to the people who can be heard, so that a bystander takes none away.
        var heard = 0
        for person in plan.people {
            let recorder = plan.recorder(at: person.phone)
            tracks.append(
                try track(
                    of: person,
                    isRecorded: recorder != nil,
                    at: heard,
                    plan,
                    seed,
                    fork,
                    material
                )
            )
            if recorder?.hasListeners == true { heard += 1 }
        }
        return tracks
    }

    private static func track(
        of person: PersonPlan,
        isRecorded: Bool,
        at place: Int,
        _ plan: WorldPlan,
        _ seed: UInt64,
        _ fork: WeatherFork?,
        _ material: SpeechMaterial?
    ) throws(WorldError) -> TalkTrack {
        guard plan.voice == .real, isRecorded, let material else {
            let speech = plan.talk.flatMap { talk in
                forked(
                    talk.isDrawn ? fork : nil,
                    seed,
                    { soundlessSpeech(of: person.name, in: talk, $0) },
                    \.self
                )
            }
            return TalkTrack(person: person.name, speech: speech)
        }
        let voice = try voice(of: person, at: place, in: material)
        let said = plan.talk.flatMap { talk in
            forked(
                talk.isDrawn ? fork : nil,
                seed,
                { pieces(of: person.name, voice, in: talk, $0) },
                \.range
            )
        }
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

    /// The voice that a person names, or the one dealt to them; a synthetic one stands for any.
    private static func voice(
        of person: PersonPlan,
        at place: Int,
        in material: SpeechMaterial
    ) throws(WorldError) -> SpeechMaterial.Voice {
        guard let name = person.voice else { return material.voice(forPlace: place) }
        if let named = material.voice(named: name) { return named }
        guard material.isSynthetic else {
            throw .noVoice(named: name, known: material.voices.map(\.name))
        }
        return material.voice(forPlace: place)
    }

    /// One person's turns: drawn by one seed up to the fork, by another one after it.
    ///
    /// What was begun before is said to its end, and what would then begin too soon is not said.
    private static func forked<Piece>(
        _ fork: WeatherFork?,
        _ seed: UInt64,
        _ pieces: (UInt64) -> [Piece],
        _ samples: KeyPath<Piece, Range<Int64>>
    ) -> [Piece] {
        let before = pieces(seed)
        guard let fork else { return before }
        func isKept(_ sample: Int64) -> Bool {
            MicrophoneTime.instant(of: sample) < fork.instant
        }
        let kept = before.prefix { isKept($0[keyPath: samples].lowerBound) }
        var free = MicrophoneTime.sampleIndex(at: fork.instant) + 1
        if let last = kept.last {
            free = max(free, last[keyPath: samples].upperBound + TalkTrack.pauseSamplesMin)
        }
        return Array(kept) + pieces(fork.seed).drop { $0[keyPath: samples].lowerBound < free }
    }

    private static func soundlessSpeech(
        of person: String,
        in talk: TalkPlan,
        _ seed: UInt64
    ) -> [Range<Int64>] {
        switch talk {
        case .conversation(let people, let from, let until):
            return Conversation.fill(
                turns(of: person, among: people, from, until, seed),
                until: Instant.zero.advanced(by: until)
            )
        case .monologue(person, let start, let duration):
            let start = Instant.zero.advanced(by: start)
            let end = start.advanced(by: duration)
            return [MicrophoneTime.sampleIndex(at: start)..<MicrophoneTime.sampleIndex(at: end)]
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

extension WorldPlan {
    /// The app that records samples on the phone of this name, if it has one.
    fileprivate func recorder(at phone: String) -> (any AppSettings)? {
        phones.first { $0.name == phone }?.apps.lazy.map(\.settings).first(where: \.carriesSamples)
    }
}

extension TalkPlan {
    /// Whether the times of talking are drawn; of a monologue only the words are.
    fileprivate var isDrawn: Bool {
        switch self {
        case .conversation: true
        case .monologue: false
        }
    }
}
