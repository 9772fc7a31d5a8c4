@testable import KodamaSpeech
import Testing

@Suite("Recording names")
struct RecordingNameTests {
    @Test(
        "Tones, silence and beasts are no speech",
        arguments: [
            "beep.g722", "beeperr.g722", "ascending-2tone.g722", "silence/3.g722",
            "tt-monkeys.g722",
        ]
    )
    func others(name: String) {
        #expect(!SpeechCorpus.isSpeech(name))
    }

    @Test(
        "Words that merely contain such a name are speech",
        arguments: [
            "number-not-answering.g722", "conf-enteringno.g722", "digits/1.g722",
            "tt-monkeysintro.g722", "vm-goodbye.g722",
        ]
    )
    func speech(name: String) {
        #expect(SpeechCorpus.isSpeech(name))
    }
}
