import Foundation
import VoiceActivity

/// A filter for the detector's training: 16-bit samples in, the product's own features out.
///
/// `detector-features RATE < SAMPLES > FEATURES`, both without a header: mono samples of 16 bits, low
/// byte first; for each whole 20 ms frame 176 signed bytes.
@main
struct DetectorFeatures {
    static func main() {
        guard CommandLine.arguments.count == 2, let hertz = Int(CommandLine.arguments[1]),
            let rate = SampleRate(rawValue: hertz)
        else {
            let usage = "usage: detector-features 16000|48000 < SAMPLES > FEATURES\n"
            FileHandle.standardError.write(Data(usage.utf8))
            exit(64)
        }
        var features = SpeechFeatures(sampleRate: rate)
        var values = [Int16](repeating: 0, count: SpeechFeatures.count)
        let samples = FileHandle.standardInput.readDataToEndOfFile().withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map {
                Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self))
            }
        }
        var output: [UInt8] = []
        output.reserveCapacity(samples.count / rate.samplesPerFrame * values.count)
        samples.withUnsafeBufferPointer { samples in
            var start = 0
            while start + rate.samplesPerFrame <= samples.count {
                let frame = samples[start..<start + rate.samplesPerFrame]
                features.extract(UnsafeBufferPointer(rebasing: frame), into: &values)
                output += values.lazy.map { UInt8(truncatingIfNeeded: $0) }
                start += rate.samplesPerFrame
            }
        }
        FileHandle.standardOutput.write(Data(output))
    }
}
