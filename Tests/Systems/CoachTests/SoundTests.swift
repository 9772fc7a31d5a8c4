import KodamaEvidence
import KodamaSpeech
import SansIO
import Testing
import WakeFlow

@testable import KodamaCoach

@Suite("Conversations as sound")
struct SoundTests {
    private static let words = ["OK", "澄む", "完了", "うん"]

    @Test("The recogniser knows each word from its frames, and not from a few of them (RS-14)")
    func recogniser() throws {
        let sound = try CoachSound(.synthetic(), words: Self.words, tap: nil)
        for word in Self.words {
            let frames = sound.say(word)
            #expect(frames == 40)
            for frame in 1...UInt32(frames) where frame % 10 != 0 {
                sound.wordArrived(frame | sound.wordCount << 8)
            }
            let heard = sound.recognise()
            #expect(heard.text == word)
            #expect(heard.frames == 40 && heard.lost == 4)
        }
        _ = sound.say("OK")
        #expect(sound.recognise().text == nil, "silence is no word")
        // A frame of the answer before is none of this one.
        sound.wordArrived(1 | (sound.wordCount - 1) << 8)
        #expect(sound.recognise().lost == 40)
    }

    @Test("Of an answer whose process ended nothing is sent, and nothing belongs to the next one")
    func endedProcess() throws {
        let sound = try CoachSound(.synthetic(), words: Self.words, tap: nil)
        _ = sound.say("OK")
        let ended = sound.wordCount
        sound.endAnswer()
        #expect(sound.wordPacketBytes(1 | ended << 8) == 0)
        sound.wordArrived(1 | ended << 8)
        #expect(sound.recognise().frames == 0)
        #expect(sound.say("OK") == 40)
        sound.wordArrived(2 | ended << 8)
        #expect(sound.recognise().lost == 40)
    }

    @Test("A frame whose turn at the ear is over is concealed (RS-14)")
    func late() throws {
        let sound = try CoachSound(.synthetic(), words: Self.words, tap: nil)
        let line = ScriptLine(number: 1, step: 0, isRepetition: false, text: "1234567890")
        let start = Instant.zero.advanced(by: .seconds(1))
        sound.agentBegins(line, at: start)
        var begins: Instant?
        for place in 0..<75 {
            let captured = start.advanced(by: .milliseconds(20 * place + 3))
            let delay = place == 10 ? 200 : 50
            let now = captured.advanced(by: .milliseconds(delay))
            let heard = sound.frameArrived(captured, at: now, playout: .milliseconds(60))
            if place == 0 { begins = heard } else { #expect(heard == nil) }
        }
        #expect(begins == start.advanced(by: .milliseconds(113)))
        let sounded = try #require(sound.endLine(at: start.advanced(by: .seconds(5))))
        #expect(sounded.frames == 75 && sounded.concealed == 1)
        #expect(sound.endLine(at: start.advanced(by: .seconds(6))) == nil)
    }

    @Test("A morning with sound goes from the alarm to the last word (RS-14)")
    func morning() throws {
        let stories = try (1...10).map {
            try CoachStory(
                app: "realtime: true, sound: true,",
                radios: "wifi: wifi-internet",
                duration: "45min",
                clock: "06:20:00",
                material: .synthetic(),
                seed: $0
            )
        }
        let good = try stories.filter { try $0.share("wake.success.rate") == (1, 1) }
        #expect(good.count >= 7)
        for story in good {
            #expect(story.records(WordHeard.self).count >= 3)
            let frames = try story.share("guide.frames.concealed")
            #expect(frames.whole > 500 && frames.part * 50 < frames.whole)
        }
    }
}
