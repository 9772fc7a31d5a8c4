// Uses VoiceActivity and nothing else, to see what it links with.
import VoiceActivity
var detector = SpeechDetector(sampleRate: .hertz16000)
let frame = [Int16](repeating: 100, count: 320)
print(frame.withUnsafeBufferPointer { detector.decide($0) }.isSpeech)
