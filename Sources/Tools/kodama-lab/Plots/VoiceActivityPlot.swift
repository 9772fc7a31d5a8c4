import KodamaHarness
import VoiceActivity

/// A picture of what detector and talk gate made of a recording, as one self-contained SVG file.
///
/// The recording runs over up to six strips, one below the other. Each shows the waveform, the score
/// with the threshold as it moves, the gate's states in lanes and, where it is known, the truth. The
/// same recording and report give the same bytes everywhere. Light or dark follows the reader's
/// system.
struct VoiceActivityPlot: Sendable {
    /// What the picture is called: the recording's name.
    var title: String
    /// The recording.
    var sound: WaveFile
    /// What was made of it.
    var report: VoiceActivityReport
    /// The detector's threshold as it is set, in thousandths.
    var threshold: Int
    /// Where speech truly is, if that is known.
    var truth: SceneTruth?

    /// Plans a picture.
    ///
    /// - Parameters:
    ///   - title: The recording's name.
    ///   - sound: The recording, at 16 or 48 kHz.
    ///   - report: What was made of it.
    ///   - threshold: The detector's threshold as it is set, in thousandths.
    ///   - truth: Where speech truly is, if that is known.
    init(
        title: String,
        sound: WaveFile,
        report: VoiceActivityReport,
        threshold: Int,
        truth: SceneTruth? = nil
    ) {
        self.title = title
        self.sound = sound
        self.report = report
        self.threshold = threshold
        self.truth = truth
    }

    /// The picture's text.
    var svg: String {
        let strips = strips
        let height = Self.head + strips.count * PlotStrip.height + Self.foot
        var svg = SVGText(width: PlotStrip.width, height: height, title: title, figures)
        svg.text(title, x: PlotStrip.left, y: 26, "title")
        svg.text(figures, x: PlotStrip.left, y: 46, "note")
        drawLegend(into: &svg)
        for (place, strip) in strips.enumerated() {
            strip.draw(self, top: Self.head + place * PlotStrip.height, into: &svg)
        }
        return svg.end()
    }

    /// Room above the first strip, in pixels.
    private static let head = 84
    /// Room below the last.
    private static let foot = 8

    /// How long the recording is, in microseconds.
    private var microseconds: Int { sound.microseconds }

    /// The stretches of the recording, all of one length.
    private var strips: [PlotStrip] {
        let seconds = max(1, (microseconds + 999_999) / 1_000_000)
        // What is short fits one strip, what is longer six, each of a round length.
        let wanted = (seconds + 5) / 6
        let round = [5, 10, 15, 20, 30, 60, 120, 300, 600, 1_200, 3_600].first { $0 >= wanted }
        let length = seconds <= 20 ? seconds : round ?? (wanted + 3_599) / 3_600 * 3_600
        return stride(from: 0, to: seconds, by: length).map {
            PlotStrip(startSeconds: $0, seconds: length, endSeconds: seconds)
        }
    }

    /// The figures in the picture's second line.
    private var figures: String {
        let frames = report.frames
        let speech = frames.count { $0.decision.isSpeech }
        let sent = frames.count { $0.state.isSending }
        var starts = 0
        for (index, frame) in frames.enumerated() where frame.state.isSending {
            starts += index == 0 || !frames[index - 1].state.isSending ? 1 : 0
        }
        var parts = [
            "\(sound.sampleRateHertz / 1_000) kHz",
            "\(PlotNumber.text(microseconds, over: 1_000_000)) s",
            "threshold \(PlotNumber.text(threshold, over: 1_000))",
            "speech in \(PlotNumber.percent(speech, of: frames.count)) % of frames",
            "\(PlotNumber.percent(sent, of: frames.count)) % sent in \(counted(starts, "spurt"))",
        ]
        if let truth {
            let length = truth.spurts.reduce(0) { $0 + $1.count }
            parts.append(
                "truth \(PlotNumber.percent(length, of: microseconds)) % in "
                    + counted(truth.spurts.count, "spurt")
            )
        }
        return parts.joined(separator: " · ")
    }

    private func drawLegend(into svg: inout SVGText) {
        var entries = [("score", "score"), ("threshold", "threshold")]
        entries += PlotStrip.lanes.map { ($0.lowercased(), $0) }
        if truth != nil { entries.append(("truth", "truth")) }
        var x = PlotStrip.left
        for (style, name) in entries {
            svg.rectangle(x: x, y: 58, width: 12, height: 8, "key \(style)")
            svg.text(name, x: x + 17, y: 66, "note")
            x += 17 + name.count * 7 + 20
        }
    }
}
