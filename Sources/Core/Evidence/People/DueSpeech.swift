/// What people say at a phone that others are to hear: nothing while its user has the microphone off.
///
/// Whoever judges how speech fares takes a mute for the end of what is being said, and an unmute for
/// the beginning of what is said on: nobody is cut off or lost who does not want to be heard.
package struct DueSpeech: Sendable {
    /// Somebody begins to say something that is to be heard, or ends.
    package struct Change: Equatable {
        package let person: ComponentIndex
        package let begins: Bool
    }

    private var speakers: [ComponentIndex] = []
    private var isMuted = false

    package init() {
    }

    /// Somebody begins to speak, or ends.
    package mutating func speak(_ person: ComponentIndex, begins: Bool) -> Change? {
        speakers.removeAll { $0 == person }
        if begins { speakers.append(person) }
        return isMuted ? nil : Change(person: person, begins: begins)
    }

    /// The microphone is turned off or on.
    package mutating func mute(_ isMuted: Bool) -> [Change] {
        guard self.isMuted != isMuted else { return [] }
        self.isMuted = isMuted
        return speakers.map { Change(person: $0, begins: !isMuted) }
    }
}
