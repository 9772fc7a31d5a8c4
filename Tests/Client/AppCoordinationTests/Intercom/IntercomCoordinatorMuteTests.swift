import AppCoordination
import OpusAudio
import PeerTransport
import SansIO
import Testing
import VoiceActivity

@Suite("The intercom app while its user has the microphone off (K-22)")
struct IntercomCoordinatorMuteTests {
    private typealias Effect = IntercomCoordinator.Effect

    /// An app in its group.
    private static func inGroup() -> Play {
        var play = Play(Scene.app())
        play.send(.groupChosen(Scene.group), at: 0)
        return play
    }

    /// The capture indices of the frames that were sent.
    private func sent(_ effects: [Effect]) -> [UInt32] {
        effects.compactMap { effect in
            guard case .transport(.sendAudioFrame(let header, _, _)) = effect else { return nil }
            return header.captureIndex.rawValue
        }
    }

    /// Lets the microphone deliver frames of speech, one every 20 ms; returns what was sent.
    private func speak(_ indices: Range<Int64>, in play: inout Play) -> [UInt32] {
        var indicesSent: [UInt32] = []
        for index in indices {
            indicesSent += sent(play.send(Scene.captured(index, isSpeech: true), at: 20 * index))
        }
        return indicesSent
    }

    @Test("A mute ends what is being said with a mark, and nothing that comes after it is sent")
    func midWord() {
        var play = Self.inGroup()
        let before = speak(0..<10, in: &play)
        #expect(before == Array(0..<10))
        let mark = EndMark(
            streamID: Scene.ownStream,
            lastSequence: SerialNumber(9),
            lastCaptureIndex: SerialNumber(9)
        )
        #expect(
            play.send(.muteChanged(true), at: 190) == [
                .transport(.sendControl(.endMark(mark), to: nil, path: .local)),
                .talkStateChanged(.idle),
            ]
        )
        for index in 10..<30 as Range<Int64> {
            let effects = play.send(Scene.captured(index, isSpeech: true), at: 20 * index)
            #expect(effects == [.discardCaptured(FrameHandle(slot: UInt32(index)))])
        }
    }

    @Test("Frames that waited for speech are thrown away at a mute, without a word to anybody")
    func waiting() {
        var play = Self.inGroup()
        for index in 0..<3 as Range<Int64> {
            play.send(Scene.captured(index, isSpeech: false), at: 20 * index)
        }
        let discarded = (0..<3 as Range<UInt32>).map { slot in
            Effect.discardCaptured(FrameHandle(slot: slot))
        }
        #expect(play.send(.muteChanged(true), at: 50) == discarded)
        #expect(play.send(.muteChanged(true), at: 55).isEmpty)
    }

    @Test("The first frame after an unmute began before it, and no pre-roll reaches back beyond it")
    func unmute() {
        var play = Self.inGroup()
        play.send(.muteChanged(true), at: 0)
        let muted = speak(0..<21, in: &play)
        #expect(muted.isEmpty)
        #expect(play.send(.muteChanged(false), at: 410).isEmpty)
        // The frame of 420 ms was captured from 400 ms on.
        let unmuted = speak(21..<40, in: &play)
        #expect(unmuted == Array(22..<40))
    }

    @Test("The first packet after an unmute copies no frame: the one before was not encoded")
    func copies() {
        var play = Play(Scene.app { $0.codec.usesInBandFEC = true })
        play.send(.groupChosen(Scene.group), at: 0)
        var uncopied: [UInt32] = []
        for index in 0..<60 as Range<Int64> {
            if index == 20 { play.send(.muteChanged(true), at: 390) }
            if index == 30 { play.send(.muteChanged(false), at: 590) }
            let effects = play.send(Scene.captured(index, isSpeech: true), at: 20 * index)
            for case .transport(.sendAudioFrame(let header, _, _)) in effects
            where !header.carriesFEC {
                uncopied.append(header.captureIndex.rawValue)
            }
        }
        #expect(uncopied == [0, 31])
    }

    @Test("Unmuting twice costs no frame")
    func twice() {
        var play = Self.inGroup()
        play.send(.muteChanged(true), at: 0)
        play.send(.muteChanged(false), at: 10)
        let first = speak(2..<10, in: &play)
        #expect(first == Array(2..<10))
        play.send(.muteChanged(false), at: 190)
        let later = speak(10..<12, in: &play)
        #expect(later == [10, 11])
    }

    @Test("A mute outlasts the group, and a phone call")
    func lasts() {
        var play = Self.inGroup()
        play.send(.muteChanged(true), at: 0)
        play.send(.groupLeft, at: 100)
        play.send(.groupChosen(Scene.otherGroup), at: 200)
        let elsewhere = speak(11..<30, in: &play)
        #expect(elsewhere.isEmpty)
        play.send(.sound(.audioSessionTaken), at: 600)
        play.send(.sound(.audioSessionReturned), at: 700)
        let afterCall = speak(40..<60, in: &play)
        #expect(afterCall.isEmpty)
    }
}
