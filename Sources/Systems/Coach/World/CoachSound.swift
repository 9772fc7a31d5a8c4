import KodamaPhone
import KodamaSession
import KodamaSpeech
import KodamaWorld
import OpusAudio
import SansIO
import WakeFlow

/// The sound of a coach's conversations at 48 kHz: recorded speech, libopus both ways, and a recogniser that
/// hears what comes of an answer.
///
/// A line is encoded when the agent begins it. Which of its frames come in, and when, the links decide; the
/// others are concealed when their turn at the ear has come.
final class CoachSound {
    /// A line that is being heard.
    private struct Line {
        let start: Instant
        /// The packets of the agent's line; none if the phone's own voice says it.
        var packets: [[UInt8]] = []
        var hasCome: [Bool] = []
        /// When its first frame is played, once that is known.
        var plays: Instant?
        /// The samples of the phone's own voice.
        var samples: [Int16] = []
    }

    /// What a word sounds like: its samples, and how loud each 20 ms are.
    private struct Word {
        let text: String
        let samples: [Int16]
        let loudness: [Double]
    }

    private static let frame = OpusFormat.samplesPerFrame
    /// How long a word is: 40 frames, 0.8 s.
    private static let wordFrames = 40
    /// How alike a word must sound to what was heard: a correlation of 0.6 of the loudness; an assumption.
    private static let likenessMin = 0.6
    /// The alarm: a square wave of 520 Hz, which wakes best (Bruck and Thomas, Fire Safety Journal 2008).
    private static let halfPeriod = 46

    private let material: SpeechMaterial
    private let voice: SpeechMaterial.Voice
    private let words: [Word]
    private let tap: (any SpeakerTap)?
    private var lineEncoder: OpusEncoder
    private var lineDecoder: OpusDecoder
    private var wordEncoder: OpusEncoder
    private var wordDecoder: OpusDecoder
    private var line: Line?
    private var ringing: (since: Instant, level: SoundLevel)?
    /// The answer that is being said: its packets, and which of them have come.
    private var said: [[UInt8]] = []
    private var saidHasCome: [Bool] = []
    /// Counts answers, so that an old one's frames are told from a new one's.
    private(set) var wordCount: UInt32 = 0

    /// Makes the sound of a conversation: the agent has the first of the voices, the user the next.
    init(
        _ material: SpeechMaterial,
        words: [String],
        tap: (any SpeakerTap)?
    ) throws(OpusError) {
        self.material = material
        self.tap = tap
        voice = material.voice(forPlace: 0)
        let users = material.voice(forPlace: 1)
        let count = Self.wordFrames * Self.frame
        let long = users.spurts.filter { $0.sampleCount >= count }
        let spurts = long.count >= words.count ? long : users.spurts
        self.words = words.enumerated().map { index, text in
            let samples = Self.samples(of: spurts[index % spurts.count], count, in: material)
            return Word(text: text, samples: samples, loudness: Self.loudness(of: samples))
        }
        let configuration = OpusEncoderConfiguration()
        lineEncoder = try OpusEncoder(configuration: configuration)
        lineDecoder = try OpusDecoder()
        wordEncoder = try OpusEncoder(configuration: configuration)
        wordDecoder = try OpusDecoder()
    }

    /// Another process, and an agent of another room, begin streams of their own.
    func restart() {
        do throws(OpusError) {
            lineEncoder = try OpusEncoder(configuration: OpusEncoderConfiguration())
            lineDecoder = try OpusDecoder()
            wordEncoder = try OpusEncoder(configuration: OpusEncoderConfiguration())
            wordDecoder = try OpusDecoder()
        } catch {
            preconditionFailure("there is no memory for a codec: \(error)")
        }
    }

    // MARK: Lines

    /// The agent begins with a line.
    func agentBegins(_ script: ScriptLine, at now: Instant) {
        let sound = speech(of: script)
        var line = Line(start: now)
        line.packets = Self.encode(sound, by: &lineEncoder)
        line.hasCome = Array(repeating: false, count: line.packets.count)
        self.line = line
    }

    /// The phone's own voice says a line.
    func speak(_ script: ScriptLine, at now: Instant) {
        line = Line(start: now, plays: now, samples: speech(of: script))
    }

    /// A frame has come in, to be played after the jitter buffer's delay.
    ///
    /// - Returns: When the line is first heard, if this is the first frame of it.
    func frameArrived(_ captured: Instant, at now: Instant, playout: Duration) -> Instant? {
        guard let line, captured >= line.start, !line.packets.isEmpty else { return nil }
        let step = SessionVoice.frame.wholeNanoseconds
        let place = Int(line.start.duration(to: captured).wholeNanoseconds / step)
        guard place < line.packets.count else { return nil }
        let away = SessionVoice.frame * place
        let plays = line.plays ?? now.advanced(by: playout - away)
        // A frame whose turn is over is thrown away.
        if now <= plays.advanced(by: away) { self.line?.hasCome[place] = true }
        guard line.plays == nil else { return nil }
        self.line?.plays = plays
        return max(plays, now)
    }

    /// A line is over: what was played of it by now.
    ///
    /// - Returns: How many frames were due, and how many were concealed; `nil` if the agent has said nothing.
    func endLine(at now: Instant) -> (frames: Int64, concealed: Int64)? {
        guard let line else { return nil }
        self.line = nil
        guard let plays = line.plays else { return nil }
        let played = Int(plays.duration(to: now).wholeNanoseconds / 20_000_000)
        guard !line.packets.isEmpty else {
            give(Array(line.samples.prefix(max(0, played) * Self.frame)), from: plays)
            return nil
        }
        let due = max(0, min(played, line.packets.count))
        guard due > 0 else { return nil }
        var samples: [Int16] = []
        for place in 0..<due {
            let packet = line.hasCome[place] ? line.packets[place] : nil
            samples += Self.decode(packet, by: &lineDecoder)
        }
        give(samples, from: plays)
        return (Int64(due), Int64(line.hasCome[..<due].count { !$0 }))
    }

    private func give(_ samples: [Int16], from start: Instant) {
        guard let tap, !samples.isEmpty else { return }
        let sounds = start.advanced(by: .nanoseconds(SoundHardware.outputLatency))
        samples.withUnsafeBufferPointer { tap.take($0, at: sounds) }
    }

    /// Recorded speech as long as a line, the same for the same step.
    private func speech(of line: ScriptLine) -> [Int16] {
        let step = SessionVoice.frame.wholeNanoseconds
        let count = Int((line.length.wholeNanoseconds + step - 1) / step) * Self.frame
        var samples: [Int16] = []
        var index = line.step * 7
        while samples.count < count {
            let spurt = voice.spurts[index % voice.spurts.count]
            samples += Self.samples(of: spurt, spurt.sampleCount, in: material)
            samples += Array(repeating: 0, count: Self.frame * 10)
            index += 1
        }
        return Array(samples.prefix(count))
    }

    // MARK: The alarm

    /// The ear gets a sound of the system from now on, or none.
    func ring(_ level: SoundLevel?, at now: Instant) {
        defer { ringing = level.map { (now, $0) } }
        guard let (since, level) = ringing, tap != nil else { return }
        let count = Int(since.duration(to: now).wholeNanoseconds / 1_000_000) * 48
        // A factor of two for 6 dB.
        let height = Int16(8_000 >> max(0, min(12, (80 - level.decibelsA) / 6)))
        give((0..<count).map { $0 / Self.halfPeriod % 2 == 0 ? height : -height }, from: since)
    }

    // MARK: Answers

    /// Encodes the user's words at another rate from the next one on; 6 to 128 kbit/s.
    func encodeWords(at rate: DataRate) {
        var configuration = OpusEncoderConfiguration()
        configuration.bitrate = rate
        do throws(OpusError) {
            try wordEncoder.apply(configuration)
        } catch {
            preconditionFailure("parameters keep within libopus's range: \(error)")
        }
    }

    /// The user says a word.
    ///
    /// - Returns: How many frames it has.
    func say(_ text: String) -> Int {
        wordCount &+= 1
        let samples = words.first { $0.text == text }?.samples ?? []
        said = Self.encode(samples, by: &wordEncoder)
        saidHasCome = Array(repeating: false, count: said.count)
        return said.count
    }

    /// Nothing more of the answer is sent, and no frame that is under way is one of the next answer's.
    func endAnswer() {
        wordCount &+= 1
        (said, saidHasCome) = ([], [])
    }

    /// The size of a frame of the answer, by its number from 1 in the lowest byte.
    func wordPacketBytes(_ number: UInt32) -> Int {
        let place = Int(number & 0xFF) - 1
        return said.indices.contains(place) ? said[place].count : 0
    }

    /// A frame of an answer has reached the agent.
    func wordArrived(_ number: UInt32) {
        let place = Int(number & 0xFF) - 1
        guard number >> 8 == wordCount, said.indices.contains(place) else { return }
        saidHasCome[place] = true
    }

    /// What the agent takes the answer for, by the loudness over time: the word that is most alike.
    func recognise() -> (text: String?, frames: Int64, lost: Int64) {
        var samples: [Int16] = []
        for (packet, hasCome) in zip(said, saidHasCome) {
            samples += Self.decode(hasCome ? packet : nil, by: &wordDecoder)
        }
        let heard = Self.loudness(of: samples)
        var best: (text: String, likeness: Double)?
        for word in words {
            let likeness = Self.likeness(heard, word.loudness)
            if likeness > best?.likeness ?? Self.likenessMin { best = (word.text, likeness) }
        }
        return (best?.text, Int64(said.count), Int64(saidHasCome.count { !$0 }))
    }

    // MARK: Samples

    private static func samples(
        of spurt: SpeechMaterial.Spurt,
        _ count: Int,
        in material: SpeechMaterial
    ) -> [Int16] {
        let found = material.withSamples(of: spurt) { Array($0.prefix(count)) }
        return found + Array(repeating: 0, count: count - found.count)
    }

    /// The root mean square of each 20 ms.
    private static func loudness(of samples: [Int16]) -> [Double] {
        stride(from: 0, to: samples.count - frame + 1, by: frame).map { start in
            let power = samples[start..<start + frame].reduce(0.0) { $0 + Double($1) * Double($1) }
            return (power / Double(frame)).squareRoot()
        }
    }

    /// The correlation of two courses of loudness, −1 to 1.
    private static func likeness(_ left: [Double], _ right: [Double]) -> Double {
        let count = min(left.count, right.count)
        guard count > 0 else { return 0 }
        let leftMean = left[..<count].reduce(0, +) / Double(count)
        let rightMean = right[..<count].reduce(0, +) / Double(count)
        var (both, leftPower, rightPower) = (0.0, 0.0, 0.0)
        for place in 0..<count {
            let (one, other) = (left[place] - leftMean, right[place] - rightMean)
            both += one * other
            leftPower += one * one
            rightPower += other * other
        }
        let power = (leftPower * rightPower).squareRoot()
        return power > 0 ? both / power : 0
    }

    private static func encode(_ samples: [Int16], by encoder: inout OpusEncoder) -> [[UInt8]] {
        let pcm = UnsafeMutableBufferPointer<Int16>.allocate(capacity: frame)
        let packet = UnsafeMutableRawBufferPointer.allocate(
            byteCount: OpusFormat.packetBytesMax,
            alignment: 8
        )
        defer {
            pcm.deallocate()
            packet.deallocate()
        }
        return stride(from: 0, to: samples.count, by: frame).map { start in
            for place in 0..<frame {
                let sample = start + place < samples.count ? samples[start + place] : 0
                pcm.initializeElement(at: place, to: sample)
            }
            do throws(OpusError) {
                let size = try encoder.encode(UnsafeBufferPointer(pcm), into: packet)
                return Array(packet[..<size])
            } catch {
                preconditionFailure("a whole frame cannot be refused: \(error)")
            }
        }
    }

    /// Decodes a packet, or conceals one that has not come.
    private static func decode(_ packet: [UInt8]?, by decoder: inout OpusDecoder) -> [Int16] {
        let pcm = UnsafeMutableBufferPointer<Int16>.allocate(capacity: frame)
        let bytes = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(1, packet?.count ?? 0),
            alignment: 8
        )
        defer {
            pcm.deallocate()
            bytes.deallocate()
        }
        pcm.initialize(repeating: 0)
        bytes.copyBytes(from: packet ?? [])
        do throws(OpusError) {
            _ =
                packet == nil
                ? try decoder.conceal(into: pcm)
                : try decoder.decode(packet: UnsafeRawBufferPointer(bytes), into: pcm)
        } catch {
            preconditionFailure("a packet of our own encoder cannot be refused: \(error)")
        }
        return Array(pcm)
    }
}
