package import KodamaEvidence
import KodamaSimulation
package import KodamaSpeech
import SansIO

/// A person at a phone: the ground truth of when they talk, and the sound.
package final class Person: Component {
    /// The deliveries that a person schedules.
    package enum Word: UInt8 {
        /// A talk spurt begins or ends.
        case boundary
    }

    package let name: String
    package let index: ComponentIndex
    /// The phone whose microphone hears the person.
    private let listener: any Listener
    /// When the person speaks, and what it sounds like.
    private let track: TalkTrack
    /// The next beginning (even) or end (odd) of a talk spurt.
    private var nextBoundary = 0
    private var source: EventSource

    package init(name: String, index: ComponentIndex, listener: any Listener, track: TalkTrack) {
        self.name = name
        self.index = index
        self.listener = listener
        self.track = track
        source = EventSource(rank: DeliveryRank.speech, component: Int(index.index))
    }

    /// Schedules the next beginning or end of a talk spurt.
    package func scheduleSpeech(on stage: inout Stage) {
        guard nextBoundary / 2 < track.speech.count else { return }
        let spurt = track.speech[nextBoundary / 2]
        let sample = nextBoundary % 2 == 0 ? spurt.lowerBound : spurt.upperBound
        schedule(.boundary, at: MicrophoneTime.instant(of: sample), by: &source, on: &stage)
    }

    package func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        let boundary = nextBoundary
        let begins = boundary % 2 == 0
        let spurt = Int64(boundary / 2)
        if begins {
            stage.note(SpeechBegan(spurt: spurt), of: index, about: listener.index)
        } else {
            stage.note(SpeechEnded(spurt: spurt), of: index, about: listener.index)
        }
        nextBoundary += 1
        scheduleSpeech(on: &stage)
        listener.personSpoke(begins: begins, on: &stage)
    }
}

/// A phone that people talk at.
package protocol Listener: AnyObject {
    var index: ComponentIndex { get }
    /// A person at the phone begins or ends a talk spurt.
    func personSpoke(begins: Bool, on stage: inout Stage)
}
