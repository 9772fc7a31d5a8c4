/// A person who talks at a phone.
public struct PersonPlan: Sendable, Equatable {
    /// The unique name.
    public var name: String
    /// The phone whose microphone hears the person.
    public var phone: String
    /// The recorded voice, or `nil` for one chosen by the person's position among the people.
    public var voice: String?
    /// The noises around the person, each kind at most once; none where sound is only counted.
    public var surroundings: [SurroundingPlan] = []

    /// Makes a person in silence.
    public init(name: String, phone: String) {
        self.name = name
        self.phone = phone
    }
}

/// Who talks when.
public enum TalkPlan: Sendable, Equatable {
    /// How many entries a plan may have, each turn counted: one a second for more than a day.
    static let countMax = 100_000

    /// Talk spurts and pauses after ITU-T P.59 between two people, in [from, until).
    case conversation(people: [String], from: Duration, until: Duration)
    /// One person talks without a pause of 200 ms or more.
    case monologue(person: String, at: Duration, lasting: Duration)
}
