@testable import KodamaIntercom
@testable import KodamaLanguage
import KodamaRecordings
@testable import KodamaSimulation
@testable import KodamaSpeech
import SansIO
import Testing

/// What is written about sound is held against the sound itself (K-12).
@Suite("What the trace says of sound is what the ear hears")
struct EarTests {
    private static let clean = LinkDirection.after(.milliseconds(8))
    private static let cleanCall = Result { try EarCall(over: clean) }

    /// Loss and jitter, so that sound is made up and playout waits.
    private static var rough: LinkDirection {
        var direction = LinkDirection.after(.milliseconds(30))
        direction.jitter = .uniform(most: .milliseconds(30))
        direction.loss = .independent(.percent(3))
        return direction
    }

    @Test(
        "Mouth-to-ear time as recorded is what the ear gets, within 2 ms (K-12)",
        arguments: [false, true]
    )
    func mouthToEar(isRough: Bool) throws {
        let call = isRough ? try EarCall(over: Self.rough) : try Self.cleanCall.get()
        let length: Int64 = 240_000_000
        var differences: [Int64] = []
        for match in call.matches(every: 120_000_000, lasting: length) {
            // At a steady pace all frames of the window were heard after the same time.
            guard match.isClear,
                let recorded = call.recorded(from: match.start, to: match.start + length),
                recorded.lowerBound == recorded.upperBound
            else { continue }
            differences.append(match.lag - recorded.lowerBound)
        }
        #expect(differences.count >= 40)
        #expect(differences.allSatisfy { abs($0) <= 2_000_000 }, "\(differences)")
    }

    @Test("A talk spurt begins late by its pre-roll, and within 2 s the delay is steady (D-16)")
    func catchingUp() throws {
        let call = try Self.cleanCall.get()
        for story in call.stories {
            let late = try #require(call.match(from: story.lowerBound, lasting: 100_000_000))
            #expect(late.isClear)
            let starts = stride(
                from: story.lowerBound + 2_000_000_000,
                to: story.upperBound - 240_000_000,
                by: 120_000_000
            )
            let lags = starts.compactMap { call.match(from: $0, lasting: 240_000_000) }
                .filter(\.isClear).map(\.lag).sorted()
            #expect(lags.count > 20)
            let steady = try #require(lags.first)
            #expect(try #require(lags.last) - steady < 3_000_000)
            // 200 ms of pre-roll stand against what the jitter buffer keeps anyway.
            #expect((140_000_000...200_000_000).contains(late.lag - steady))
        }
    }

    @Test("The listener hears speech as loud as it was said, and silence as silence")
    func loudness() throws {
        let call = try Self.cleanCall.get()
        for story in call.stories {
            let steady = story.lowerBound + 2_000_000_000..<story.upperBound - 500_000_000
            let said = call.said(in: steady)
            let heard = call.heard(
                in: steady.lowerBound + 69_000_000..<steady.upperBound + 69_000_000
            )
            // Less than 1 dB apart.
            #expect((0.89...1.12).contains(heard.loudness / said.loudness))
        }
        let silences = [
            0..<call.stories[0].lowerBound,
            call.stories[0].upperBound + 600_000_000..<call.stories[1].lowerBound,
            call.stories[1].upperBound + 600_000_000..<16_000_000_000,
        ]
        for silence in silences {
            let heard = call.heard(in: silence)
            #expect(heard.count > 20_000)
            #expect(heard.allSatisfy { $0 == 0 })
        }
    }

    @Test("Over a link that loses everything the speaker stays silent")
    func nothingArrives() throws {
        var dead = Self.clean
        dead.loss = .independent(.one)
        let call = try EarCall(over: dead, lasting: .seconds(3))
        #expect(call.heard(in: 0..<3_000_000_000).allSatisfy { $0 == 0 })
    }
}

/// Recorded speech, loaded once; without its packages every test that needs it fails with the
/// command that installs them.
enum RecordedSpeech {
    static let material = Result { () throws(SpeechCorpusError) in
        SpeechMaterial.recorded(try SpeechCorpus.load([.englishFemale], amount: .seconds(30)))
    }
}

/// A call in which one person tells two stories and a tape runs at the listener's speaker.
struct EarCall: Sendable {
    private static let plannedStories: [(start: Duration, duration: Duration)] = [
        (.seconds(1), .seconds(6)), (.seconds(9), .seconds(6)),
    ]

    let run: WorldRun
    /// When the person talks, in nanoseconds.
    let stories: [Range<Int64>]
    private let microphone: [Int16]
    private let speaker: [Int16]
    /// When the first sample on the tape sounds.
    private let speakerStart: Int64
    private let ear: Ear

    init(
        over direction: LinkDirection,
        lasting duration: Duration = .seconds(16),
        seed: UInt64 = 1
    ) throws {
        let material = try RecordedSpeech.material.get()
        var plan = WorldPlan.pair(.real, lasting: duration, over: direction)
        plan.people.removeLast()
        plan.talk = Self.plannedStories.map {
            .monologue(person: "mika", at: $0.start, lasting: $0.duration)
        }
        let tape = Tape()
        run = try WorldRun(plan, seed: seed, material: material, taps: ["taro-phone": tape])
        speaker = tape.samples

        let track = try Self.track(of: material, seed: seed)
        stories = track.speech.map { spurt in
            spurt.lowerBound * 125_000 / 6..<spurt.upperBound * 125_000 / 6
        }
        var reader = track.makeReader()
        var feed = [Int16](repeating: 0, count: 16 * 48_000)
        withExtendedLifetime(track) {
            feed.withUnsafeMutableBufferPointer { reader.read(frameAt: 0, into: $0) }
        }
        microphone = feed
        speakerStart = try #require(tape.start).nanoseconds
        ear = Ear(microphone: microphone, speaker: speaker, speakerStart: speakerStart)
    }

    /// What the world lets the person say, made anew.
    private static func track(of material: SpeechMaterial, seed: UInt64) throws -> TalkTrack {
        let voice = try #require(material.voice(named: "en-f"))
        let pieces = plannedStories.flatMap { story in
            Monologue.pieces(
                of: voice,
                person: "mika",
                seed: seed,
                from: .zero.advanced(by: story.start),
                lasting: story.duration
            )
        }
        return TalkTrack(person: "mika", material: material, pieces: pieces)
    }

    /// What the ear makes of one window.
    func match(from start: Int64, lasting length: Int64) -> Ear.Match? {
        ear.match(from: start, to: start + length)
    }

    /// What the ear makes of every window inside the stories.
    func matches(every step: Int64, lasting length: Int64) -> [Ear.Match] {
        stories.flatMap { story in
            stride(from: story.lowerBound, through: story.upperBound - length, by: Int(step))
                .compactMap { match(from: $0, lasting: length) }
        }
    }

    /// How much later the trace says that the frames of a window were heard, from the least to the
    /// most; `nil` where a frame is missing.
    func recorded(from start: Int64, to end: Int64) -> ClosedRange<Int64>? {
        let frames = run.values(FramePlayed.self, of: "taro-phone").filter { frame in
            let captured = frame.captured.nanoseconds
            return captured > start - 20_000_000 && captured < end
        }
        let lags = frames.map { $0.heard.nanoseconds - $0.captured.nanoseconds }
        guard let least = lags.min(), let most = lags.max(),
            frames.count >= Int((end - start) / 20_000_000)
        else { return nil }
        return least...most
    }

    /// The microphone's samples in a stretch of nanoseconds.
    func said(in range: Range<Int64>) -> ArraySlice<Int16> {
        microphone[Self.samples(range)]
    }

    /// The tape's samples in a stretch of nanoseconds.
    func heard(in range: Range<Int64>) -> ArraySlice<Int16> {
        let onTape = range.lowerBound - speakerStart..<range.upperBound - speakerStart
        return speaker[Self.samples(onTape).clamped(to: speaker.indices)]
    }

    private static func samples(_ range: Range<Int64>) -> Range<Int> {
        Int(range.lowerBound * 6 / 125_000)..<Int(range.upperBound * 6 / 125_000)
    }
}

extension ArraySlice<Int16> {
    /// The root of the mean square.
    fileprivate var loudness: Double {
        (reduce(0) { $0 + Double($1) * Double($1) } / Double(count)).squareRoot()
    }
}
