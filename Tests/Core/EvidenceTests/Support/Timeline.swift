@testable import KodamaEvidence
@testable import KodamaIntercom
import PeerTransport
import SansIO

/// A call drawn with one character per 20 ms frame: Aoi speaks, Ren listens.
///
/// - `speech`: `#` where Aoi speaks.
/// - `sent`: `#` for frames sent to Ren, `k` for a keepalive at the end of that frame's time.
/// - `played`: `#` played, `x` extrapolated, `r` repaired, `s` stretched by 15 %, `2` played twice.
/// - `muted`: `#` where Aoi has the microphone off.
///
/// A frame is captured at its end, sent in that instant, and heard 100 ms after its first sound.
/// The run ends long after the drawing, unless `endsAt` says otherwise.
struct Timeline {
    var speech: String
    var sent: String
    var played: String
    var muted = ""
    var endsAtMilliseconds: Int64 = 60_000
    var joins = true

    static let names = ["aoi", "aoi-phone", "ren", "ren-phone"]

    var findings: Findings { Findings(trace) }

    var trace: RecordedTrace {
        var builder = TraceBuilder(Self.names)
        if joins {
            builder.add(GroupJoined(group: 0), at: 0, "aoi-phone")
            builder.add(GroupJoined(group: 0), at: 0, "ren-phone")
        }
        var wasSpeaking = false
        var spurt: Int64 = 0
        let frameCount = max(speech.count, sent.count, played.count)
        for (frame, character) in (speech + ".").enumerated() {
            let isSpeaking = character == "#"
            if isSpeaking != wasSpeaking {
                spurt += isSpeaking ? 1 : 0
                let instant = Int64(frame) * 20
                if isSpeaking {
                    builder.add(SpeechBegan(spurt: spurt), at: instant, "aoi", "aoi-phone")
                } else {
                    builder.add(SpeechEnded(spurt: spurt), at: instant, "aoi", "aoi-phone")
                }
            }
            wasSpeaking = isSpeaking
        }
        var wasMuted = false
        for (frame, character) in (muted + ".").enumerated() {
            let isMuted = character == "#"
            if isMuted != wasMuted {
                let change = MicrophoneMuted(isMuted: TraceFlag(isMuted))
                builder.add(change, at: Int64(frame) * 20, "aoi-phone")
            }
            wasMuted = isMuted
        }
        for frame in 0..<frameCount {
            let start = Int64(frame) * 20_000_000
            builder.add(
                FrameCaptured(
                    index: Int64(frame),
                    start: .ns(start),
                    durationNanoseconds: 20_000_000
                ),
                at: Int64(frame + 1) * 20,
                "aoi-phone"
            )
        }
        for (frame, character) in sent.enumerated() {
            let instant = Int64(frame + 1) * 20
            switch character {
            case "#":
                builder.add(
                    PacketSent(index: Int64(frame), bytes: 60, content: .voice, path: .local),
                    at: instant,
                    "aoi-phone",
                    "ren-phone"
                )
            case "k":
                builder.add(
                    PacketSent(index: 0, bytes: 20, content: .keepalive, path: .local),
                    at: instant,
                    "aoi-phone",
                    "ren-phone"
                )
            default: break
            }
        }
        for (frame, character) in played.enumerated() {
            addPlayed(frame, character, to: &builder)
        }
        builder.end(at: endsAtMilliseconds)
        return builder.trace
    }

    private func addPlayed(_ frame: Int, _ character: Character, to builder: inout TraceBuilder) {
        let captured = Int64(frame) * 20_000_000
        let heard = captured + 100_000_000
        let rendered = Int64(frame) * 20 + 90
        let playedFrame = FramePlayed(
            index: Int64(frame),
            samples: character == "s" ? 1_104 : 960,
            heard: .ns(heard),
            captured: .ns(captured)
        )
        switch character {
        case "#", "s":
            builder.add(playedFrame, at: rendered, "ren-phone", "aoi-phone")
        case "2":
            builder.add(playedFrame, at: rendered, "ren-phone", "aoi-phone")
            builder.add(playedFrame, at: rendered, "ren-phone", "aoi-phone")
        case "x", "r":
            let means: ConcealmentMeans = character == "x" ? .extrapolated : .repaired
            builder.add(
                FrameConcealed(
                    index: Int64(frame),
                    samples: 960,
                    heard: .ns(heard),
                    means: TraceWord(means)
                ),
                at: rendered,
                "ren-phone",
                "aoi-phone"
            )
        default:
            break
        }
    }
}
