import Evidence

/// A call drawn with one character per 20 ms frame: Aoi speaks, Ren listens.
///
/// - `speech`: `#` where Aoi speaks.
/// - `sent`: `#` for frames sent to Ren, `k` for a keepalive at the end of that frame's time.
/// - `played`: `#` played, `x` extrapolated, `r` repaired, `s` stretched, `2` played twice.
///
/// A frame is captured at its end, sent in that instant, and heard 100 ms after its first sound.
/// The run ends long after the drawing, unless `endsAt` says otherwise.
struct Timeline {
    var speech: String
    var sent: String
    var played: String
    var endsAtMilliseconds: Int64 = 60_000
    var joins = true

    static let names = ["aoi", "aoi-phone", "ren", "ren-phone"]

    var findings: Findings { Findings(trace) }

    var trace: RecordedTrace {
        var builder = TraceBuilder(Self.names)
        if joins {
            builder.add(.groupJoined, at: 0, "aoi-phone")
            builder.add(.groupJoined, at: 0, "ren-phone")
        }
        var wasSpeaking = false
        var spurt: Int64 = 0
        let frameCount = max(speech.count, sent.count, played.count)
        for (frame, character) in (speech + ".").enumerated() {
            let isSpeaking = character == "#"
            if isSpeaking != wasSpeaking {
                let kind: TraceKind = isSpeaking ? .speechBegan : .speechEnded
                spurt += isSpeaking ? 1 : 0
                builder.add(kind, at: Int64(frame) * 20, "aoi", "aoi-phone", [spurt])
            }
            wasSpeaking = isSpeaking
        }
        for frame in 0..<frameCount {
            let start = Int64(frame) * 20_000_000
            builder.add(
                .frameCaptured,
                at: Int64(frame + 1) * 20,
                "aoi-phone",
                nil,
                [Int64(frame), start, 20_000_000]
            )
        }
        for (frame, character) in sent.enumerated() {
            let instant = Int64(frame + 1) * 20
            switch character {
            case "#":
                builder.add(.packetSent, at: instant, "aoi-phone", "ren-phone", [Int64(frame), 60])
            case "k": builder.add(.packetSent, at: instant, "aoi-phone", "ren-phone", [0, 20, 1])
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
        let playedValues = [Int64(frame), 960, heard, captured]
        switch character {
        case "#":
            builder.add(.framePlayed, at: rendered, "ren-phone", "aoi-phone", playedValues)
        case "2":
            builder.add(.framePlayed, at: rendered, "ren-phone", "aoi-phone", playedValues)
            builder.add(.framePlayed, at: rendered, "ren-phone", "aoi-phone", playedValues)
        case "x", "r", "s":
            let means: Int64 = character == "x" ? 0 : character == "r" ? 1 : 2
            builder.add(
                .frameConcealed,
                at: rendered,
                "ren-phone",
                "aoi-phone",
                [Int64(frame), 960, heard, means]
            )
        default:
            break
        }
    }
}
