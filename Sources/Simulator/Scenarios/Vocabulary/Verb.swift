/// Something that the timeline can order: its keys and their reader.
package struct Verb: Sendable {
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
    package init(
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
package struct Deed {
    /// What is done, and how long after the order's cue.
    package var acts: [TimedAct]
    /// An order whose acts depend on which radios are up at its time, if it is one.
    var radios: RadioOrder?
    /// For how long nothing else of the kind may be ordered of the same target.
    package var claim: Duration?
    /// For how long what it is ordered of is gone from then on.
    var downtime: Duration?
    /// A phone, and the system of its app, without whose place there nothing comes of it.
    var guest: (phone: String, system: String)?
    /// How the order resolves, where that is more than what stands in the file.
    var resolved: ResolvedNode?

    /// Does one thing after the other.
    package init(_ acts: TimedAct...) {
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
    /// Why an app with such settings does not heed it; `nil` if it does.
    package var unheeded: @Sendable (any AppSettings) -> Unheeded? = { _ in nil }
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
    }

    /// What the user does, and which app that takes if it takes one system's.
    var meaning: String {
        if case .inside(let system) = target {
            return Vocabulary.meaning(summary, needing: system)
        }
        return Vocabulary.meaning(summary, needing: needed)
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
