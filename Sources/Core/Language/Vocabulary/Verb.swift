/// Something that the timeline can order: its keys and their reader.
public struct Verb: Sendable {
    /// The word, a key of `do`.
    package let key: String
    /// What it orders, in one sentence.
    package let summary: String
    /// What stands behind the word, given all systems' vocabularies.
    let shape: @Sendable (Vocabularies) -> Shape
    /// What it comes to; `nil` after a report.
    package let read: @Sendable (CheckedValue, inout PlanBuilder) -> Deed?

    /// Describes a verb.
    package init(
        _ key: String,
        _ summary: String,
        _ shape: Shape,
        read: @escaping @Sendable (CheckedValue, inout PlanBuilder) -> Deed?
    ) {
        self.init(key, summary, shapedBy: { _ in shape }, read: read)
    }

    /// Describes a verb behind which stand fields.
    public init(
        _ key: String,
        _ summary: String,
        of fields: [Field],
        read: @escaping @Sendable (CheckedValue, inout PlanBuilder) -> Deed?
    ) {
        let shape = MappingShape(
            name: key.replacing("-", with: "_"),
            noun: "'\(key)'",
            summary: summary,
            fields: fields
        )
        self.init(key, summary, .mapping(shape), read: read)
    }

    /// Describes a verb whose shape depends on what other systems say.
    init(
        _ key: String,
        _ summary: String,
        shapedBy shape: @escaping @Sendable (Vocabularies) -> Shape,
        read: @escaping @Sendable (CheckedValue, inout PlanBuilder) -> Deed?
    ) {
        self.key = key
        self.summary = summary
        self.shape = shape
        self.read = read
    }
}

/// What an order of the timeline comes to.
public struct Deed {
    /// What is done, and how long after the order's cue.
    package var acts: [TimedAct]
    /// An order whose acts depend on which radios are up at its time, if it is one.
    var radios: RadioOrder?
    /// For how long nothing else of the kind may be ordered of the same target.
    package var claim: Duration?
    /// For how long what it is ordered of is gone from then on.
    package var downtime: Duration?
    /// A phone, and the system of its app, without whose place there nothing comes of it.
    package var guest: (phone: String, system: String)?
    /// Why nothing comes of it after what was done to its app before, in that order.
    package var vain: (([any SystemAct]) -> String?)?
    /// How the order resolves, where that is more than what stands in the file.
    var resolved: ResolvedNode?

    /// Does one thing after the other.
    public init(_ acts: TimedAct...) {
        self.acts = acts
    }

    /// Does what depends on the state of the radios.
    init(_ radios: RadioOrder) {
        acts = []
        self.radios = radios
    }
}

/// Something that the user of a phone can do.
package struct UserWord: Sendable {
    /// The word behind `does`.
    package let word: String
    /// What the user does, in one sentence.
    package let summary: String
    /// What it is done to.
    package let target: Target
    /// The system without whose app on the phone nothing comes of it.
    package let needed: String?
    /// The word for the like on a phone that lacks the app, if there is one.
    package var instead: String?
    /// Why an app with such settings does not heed it; `nil` if it does.
    package var unheeded: @Sendable (any AppSettings) -> Unheeded? = { _ in nil }
    /// Why nothing comes of it in an app with such settings after what was done to it before.
    ///
    /// The acts are in the order in which they were done; `nil` if something may come of it.
    package var vain: (@Sendable (any AppSettings, [any SystemAct]) -> String?)?
    /// The act, with the name of the app that it concerns, if it concerns one.
    package let act: @Sendable (String) -> any SystemAct

    /// What a user does something to.
    package enum Target: Sendable, Equatable {
        /// The phone itself.
        case phone
        /// One of the phone's apps, from outside.
        case appFromOutside
        /// The app of a system, from inside.
        case inside(String)
    }

    /// Why an app does not heed its user.
    package struct Unheeded: Sendable {
        /// The reason, in a clause.
        let reason: String
        /// What may help.
        let hint: String

        package init(reason: String, hint: String) {
            self.reason = reason
            self.hint = hint
        }
    }

    /// The system in whose app it is done, if it is done inside one.
    var system: String? {
        guard case .inside(let system) = target else { return nil }
        return system
    }

    /// Describes something that a user can do.
    package init(
        _ word: String,
        _ summary: String,
        _ target: Target,
        needs needed: String? = nil,
        act: @escaping @Sendable (String) -> any SystemAct
    ) {
        self.word = word
        self.summary = summary
        self.target = target
        self.needed = needed
        self.act = act
    }
}

extension UserWord {
    /// What the user of an app does with its microphone: the same words for every app that is muted.
    package static func muting(
        _ system: String,
        mute: some SystemAct,
        unmute: some SystemAct
    ) -> [UserWord] {
        var words = [
            UserWord(
                "mute",
                "Mutes the microphone until it is unmuted or the app's process ends.",
                .inside(system)
            ) { _ in mute },
            UserWord("unmute", "Unmutes the microphone.", .inside(system)) { _ in unmute },
        ]
        for index in words.indices { words[index].instead = "\(words[index].word)-call" }
        return words
    }
}

extension [UserWord] {
    /// Sorted by word; one that is a word of several systems' apps stands once for each of them.
    var inOrder: [UserWord] {
        sorted { ($0.word, $0.system ?? "") < ($1.word, $1.system ?? "") }
    }

    /// Whether every word has one meaning, or one in each of several apps.
    var areUnambiguous: Bool {
        Dictionary(grouping: self, by: \.word).values.allSatisfy { meanings in
            let systems = Set(meanings.compactMap(\.system))
            return meanings.count == 1 || systems.count == meanings.count
        }
    }

    /// The words with what they mean, and which apps that takes; in the order of the words.
    var choices: [Choice] {
        var choices: [Choice] = []
        for word in self where choices.last?.word != word.word {
            let systems = filter { $0.word == word.word }.compactMap { $0.system ?? $0.needed }
            let apps = systems.isEmpty ? nil : systems.joined(separator: " or ")
            let meaning = Vocabulary.meaning(word.summary, needing: apps)
            choices.append(Choice(word: word.word, summary: meaning))
        }
        return choices
    }
}
