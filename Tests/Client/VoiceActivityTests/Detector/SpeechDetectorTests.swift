import SansIO
import SansIOTesting
import Testing
import VoiceActivity

@Suite("Speech detector")
struct SpeechDetectorTests {
    @Test("Digital silence is level 127 and no speech, not nearly", arguments: SampleRate.allCases)
    func digitalSilence(rate: SampleRate) {
        let decisions = SyntheticSound(rate, seconds: 10).decisions()
        #expect(decisions.allSatisfy { $0.level == .silence && $0.score < 100 })
    }

    @Test(
        "The first spurt after digital silence is sent whole, and all is heard after its first hiss",
        arguments: SampleRate.allCases
    )
    func firstSpurt(rate: SampleRate) {
        var sound = SyntheticSound(rate, seconds: 4)
        sound.addVoice(-26, from: 1, to: 3)
        let speech = sound.decisions().map(\.isSpeech)
        #expect(speech[0..<50].allSatisfy { !$0 })
        // 60 ms of hiss, far below the vowel, and 20 ms in which that swells: it might be anything.
        #expect(speech[54..<150].allSatisfy { $0 })
        #expect(speech[160...].allSatisfy { !$0 })
        let states = sound.report().frames.map(\.state)
        // With a pre-roll of 200 ms, frame 50 is sent if sending begins by frame 59, and then it goes on.
        #expect(states[59..<150].allSatisfy { $0.isSending })
    }

    @Test(
        "Speech in steady noise is heard, and the noise is not",
        arguments: [
            Case(rate: .hertz16000, isPink: false, signalToNoise: 20),
            Case(rate: .hertz16000, isPink: false, signalToNoise: 5),
            Case(rate: .hertz16000, isPink: true, signalToNoise: 10),
            Case(rate: .hertz48000, isPink: false, signalToNoise: 10),
            Case(rate: .hertz48000, isPink: true, signalToNoise: 20),
            Case(rate: .hertz48000, isPink: true, signalToNoise: 5),
        ]
    )
    func steadyNoise(scene: Case) {
        var sound = SyntheticSound(scene.rate, seconds: 8)
        scene.addNoise(to: &sound)
        for second in [2.0, 5.0] {
            sound.addVoice(-26, from: second, to: second + 1.5, seed: UInt64(second))
        }
        let frames = sound.report().frames
        let speech = frames.map(\.decision.isSpeech)
        let inSpurts = [100..<175, 250..<325].flatMap { speech[$0] }
        let inSilence = [0..<100, 200..<250, 350..<400].flatMap { speech[$0] }
        #expect(inSpurts.count(where: { $0 }) >= inSpurts.count * 90 / 100)
        #expect(inSilence.count(where: { $0 }) <= inSilence.count * 6 / 100)
        #expect(frames[..<100].allSatisfy { !$0.state.isSending })
    }

    @Test(
        "The first spurt, 1 s after the start in noise, opens the gate before its pre-roll is lost"
    )
    func firstSpurtInNoise() {
        var sound = SyntheticSound(.hertz48000, seconds: 3)
        sound.addPink(-46)
        sound.addVoice(-26, from: 1, to: 2.5)
        let states = sound.report().frames.map(\.state)
        #expect(states[0..<50].allSatisfy { !$0.isSending })
        #expect(states[50..<60].contains { $0.isSending })
    }

    @Test(
        "Noise that rises by 25 dB and stays is in doubt for 5 s at most, and speech in it is heard",
        arguments: [true, false],
        2...4 as ClosedRange<UInt64>
    )
    func noiseRises(isPink: Bool, seed: UInt64) {
        var sound = SyntheticSound(.hertz16000, seconds: 18)
        if isPink {
            sound.addPink(-65)
            sound.addPink(-40, from: 4, seed: seed)
        } else {
            sound.addWhite(-65)
            sound.addWhite(-40, from: 4, seed: seed)
        }
        sound.addVoice(-26, from: 11, to: 12.5)
        let frames = sound.report().frames
        #expect(frames[..<200].allSatisfy { !$0.state.isSending })
        #expect(frames[215..<550].count(where: { $0.decision.isSpeech }) <= 30)
        #expect(frames[450..<550].allSatisfy { !$0.state.isSending })
        #expect(frames[550..<625].count(where: { $0.decision.isSpeech }) >= 70)
        #expect(frames[640...].count(where: { $0.decision.isSpeech }) <= 6)
        #expect(frames[650...].allSatisfy { !$0.state.isSending })
    }

    @Test("After noise has fallen by 25 dB, speech below the old noise is heard within 0.5 s")
    func noiseFalls() {
        var sound = SyntheticSound(.hertz16000, seconds: 8)
        sound.addWhite(-65)
        var loud = SyntheticSound(.hertz16000, seconds: 4)
        loud.addWhite(-40, seed: 2)
        for (index, sample) in loud.samples.enumerated() {
            sound.samples[index] += sample
        }
        sound.addVoice(-50, from: 4.5, to: 6)
        let speech = sound.decisions().map(\.isSpeech)
        #expect(speech[225..<300].count(where: { $0 }) >= 70)
        #expect(speech[310...].count(where: { $0 }) <= 3)
    }

    @Test("A bad beginning, silence and then noise, is forgotten within 1 s")
    func badBeginning() {
        var sound = SyntheticSound(.hertz48000, seconds: 4)
        sound.addWhite(-50, from: 0.15)
        #expect(sound.decisions()[50...].count(where: \.isSpeech) <= 6)
    }

    @Test("A lower threshold hears all that a higher one hears")
    func threshold() {
        var sound = SyntheticSound(.hertz16000, seconds: 4)
        sound.addWhite(-36)
        sound.addVoice(-26, from: 1, to: 3)
        var configuration = SpeechDetectorConfiguration()
        var before = [Bool](repeating: true, count: 200)
        for threshold in [0, 200, 400, 600, 800, 1000] {
            configuration.threshold = threshold
            let decisions = sound.decisions(configuration)
            let speech = decisions.map(\.isSpeech)
            #expect(speech == decisions.map { $0.score >= $0.threshold })
            // Where it stands highest it is what was set.
            #expect(decisions.map(\.threshold).max() == Int16(threshold))
            #expect(zip(speech, before).allSatisfy { !$0 || $1 })
            before = speech
        }
        #expect(sound.decisions().allSatisfy { (0...1000).contains($0.score) })
    }

    @Test("A copy is a checkpoint", arguments: SampleRate.allCases)
    func checkpoint(rate: SampleRate) {
        var sound = SyntheticSound(rate, seconds: 2)
        sound.addPink(-40)
        sound.addVoice(-26, from: 0.5, to: 1.5)
        let frames = sound.frames
        var detector = SpeechDetector(sampleRate: rate)
        for frame in frames[..<40] {
            _ = detector.decide(frame)
        }
        var copy = detector
        #expect(copy == detector)
        let decisions = frames[40...].map { detector.decide($0) }
        #expect(copy != detector)
        #expect(frames[40...].map { copy.decide($0) } == decisions)
        #expect(copy == detector)
    }

    @Test("The level is −dBov as RFC 6464 has it")
    func level() {
        var detector = SpeechDetector(sampleRate: .hertz16000)
        let square = (0..<320).map { $0 % 16 < 8 ? Int16.max : -Int16.max }
        #expect(detector.decide(square).level.decibelsBelowOverload == 0)
        #expect(
            detector.decide([Int16](repeating: .min, count: 320)).level.decibelsBelowOverload == 0
        )
        #expect(detector.decide(square.map { $0 / 10 }).level.decibelsBelowOverload == 20)
        #expect(detector.decide(square.map { $0 / 1000 }).level.decibelsBelowOverload == 60)
        #expect(detector.decide(square.map { $0.signum() }).level.decibelsBelowOverload == 90)
        #expect(
            detector.decide([1] + [Int16](repeating: 0, count: 319)).level.decibelsBelowOverload
                == 115
        )
    }
}

/// A voice at −26 dBov in a noise.
struct Case: Sendable, CustomTestStringConvertible {
    var rate: SampleRate
    var isPink: Bool
    var signalToNoise: Double

    var testDescription: String {
        "\(isPink ? "pink" : "white") noise, \(signalToNoise) dB, \(rate.rawValue) Hz"
    }

    func addNoise(to sound: inout SyntheticSound) {
        if isPink {
            sound.addPink(-26 - signalToNoise)
        } else {
            sound.addWhite(-26 - signalToNoise)
        }
    }
}

extension SyntheticSound {
    /// What detector and gate make of the sound.
    func report() -> VoiceActivityReport {
        pcm.withUnsafeBufferPointer { VoiceActivityReport(pcm: $0, sampleRate: sampleRate) }
    }
}
