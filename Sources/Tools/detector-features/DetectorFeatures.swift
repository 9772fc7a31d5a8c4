import Foundation
import VoiceActivity

/// A filter for the detector's training: 16-bit samples in, the product's own features out.
///
/// `detector-features RATE < SAMPLES > FEATURES`, both without a header: mono samples of 16 bits, low
/// byte first; for each whole 20 ms frame 112 signed bytes.
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
        let bytesPerFrame = 2 * rate.samplesPerFrame
        var values = [Int16](repeating: 0, count: SpeechFeatures.count)
        let input = FileHandle.standardInput.readDataToEndOfFile()
        var output = Data(capacity: input.count / bytesPerFrame * SpeechFeatures.count)
        for start in stride(from: 0, through: input.count - bytesPerFrame, by: bytesPerFrame) {
            let bytes = input[start..<start + bytesPerFrame]
            let pcm = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
                Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
            }
            pcm.withUnsafeBufferPointer { features.extract($0, into: &values) }
            output.append(contentsOf: values.map { UInt8(bitPattern: Int8($0)) })
        }
        FileHandle.standardOutput.write(output)
    }
}
