import KodamaHarness
import VoiceActivity

/// One stretch of a recording in the picture: a waveform, a score, lanes of states and of truth.
struct PlotStrip {
    /// Where the stretch begins.
    var startSeconds: Int
    /// How much time fits the strip's width.
    var seconds: Int
    /// When the recording ends, rounded up.
    var endSeconds: Int

    // Pixels.
    static let width = 1_180
    static let left = 84
    static let plotWidth = 1_080
    static let height = 246
    private static let waveHeight = 84
    private static let scoreTop = 92
    private static let scoreHeight = 64
    private static let laneTop = 162
    private static let laneHeight = 10
    private static let truthTop = 204
    private static let axisTop = 216

    /// The gate's states, from quiet to loud, as `TalkGate.State.name` has them.
    static let lanes = ["Idle", "Attack", "Talking", "Release"]

    private var startMicroseconds: Int { startSeconds * 1_000_000 }
    private var range: Range<Int> {
        startMicroseconds..<startMicroseconds + seconds * 1_000_000
    }

    func draw(_ plot: VoiceActivityPlot, top: Int, into svg: inout SVGText) {
        svg.open("strip")
        drawAxis(top, into: &svg)
        if let truth = plot.truth { drawTruth(truth, top, into: &svg) }
        drawWave(plot.sound, top, into: &svg)
        drawScore(plot, top, into: &svg)
        drawStates(plot.report, top, into: &svg)
        svg.close()
    }

    /// Where an instant lies, in tenths of a pixel.
    private func x(atMicroseconds time: Int) -> Int {
        let offset = min(max(time, range.lowerBound), range.upperBound) - startMicroseconds
        return Self.left * 10 + offset / 100 * Self.plotWidth / (seconds * 1_000)
    }

    // MARK: Lines that all strips have

    private func drawAxis(_ top: Int, into svg: inout SVGText) {
        let bottom = top + Self.axisTop
        let step = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600].first { seconds / $0 <= 15 } ?? 1_200
        let first = (startSeconds + step - 1) / step * step
        var grid = SVGPath()
        for second in stride(from: first, through: startSeconds + seconds, by: step) {
            let x = x(atMicroseconds: second * 1_000_000)
            grid.move(x, top * 10)
            grid.vertical(bottom * 10)
            let label = PlotNumber.clock(seconds: second, upTo: endSeconds)
            svg.text(label, x: x / 10, y: bottom + 12, "tick")
        }
        svg.path(grid, "grid")
        let rows = [
            ("sound", Self.waveHeight / 2 + 4), ("score", Self.scoreTop + Self.scoreHeight / 2 + 4),
        ]
        for (name, y) in rows { svg.text(name, x: Self.left - 10, y: top + y, "label") }
    }

    // MARK: Truth

    private func drawTruth(_ truth: SceneTruth, _ top: Int, into svg: inout SVGText) {
        var shade = SVGPath()
        var lane = SVGPath()
        for spurt in truth.spurts where spurt.overlaps(range) {
            let (from, until) = (
                x(atMicroseconds: spurt.lowerBound), x(atMicroseconds: spurt.upperBound)
            )
            shade.rectangle(from, top * 10, until, (top + Self.axisTop) * 10)
            lane.rectangle(from, (top + Self.truthTop) * 10, until, (top + Self.truthTop + 8) * 10)
        }
        svg.path(shade, "shade")
        svg.path(lane, "truth")
        svg.text("truth", x: Self.left - 10, y: top + Self.truthTop + 8, "label")
    }

    // MARK: Waveform

    /// The lowest and the highest sample of each pixel's width, as one outline.
    private func drawWave(_ sound: WaveFile, _ top: Int, into svg: inout SVGText) {
        let rate = sound.sampleRateHertz
        let peak = max(1, sound.samples.map { Int($0.magnitude) }.max() ?? 1)
        let middle = (top + Self.waveHeight / 2) * 10
        let reach = Self.waveHeight * 5 - 10
        let first = startSeconds * rate
        var upper: [(x: Int, y: Int)] = []
        var lower: [(x: Int, y: Int)] = []
        for column in 0..<Self.plotWidth {
            let from = first + seconds * rate * column / Self.plotWidth
            let until = first + seconds * rate * (column + 1) / Self.plotWidth
            guard from < sound.samples.count else { break }
            let part = sound.samples[from..<min(max(until, from + 1), sound.samples.count)]
            let (low, high) = (Int(part.min() ?? 0), Int(part.max() ?? 0))
            let x = (Self.left + column) * 10
            upper.append((x, middle - high * reach / peak))
            lower.append((x, middle - low * reach / peak + 5))
        }
        var outline = SVGPath()
        for (place, point) in (upper + lower.reversed()).enumerated() {
            if place == 0 { outline.move(point.x, point.y) } else { outline.line(point.x, point.y) }
        }
        outline.closeUp()
        svg.path(outline, "wave")
    }

    // MARK: Score

    private func drawScore(_ plot: VoiceActivityPlot, _ top: Int, into svg: inout SVGText) {
        let base = (top + Self.scoreTop + Self.scoreHeight) * 10
        func y(_ score: Int) -> Int { base - score * Self.scoreHeight / 100 }
        svg.path(line(of: \.threshold, in: plot.report, y: y), "threshold")
        svg.path(line(of: \.score, in: plot.report, y: y), "score")
        var frame = SVGPath()
        for score in [0, 1_000] {
            frame.move(Self.left * 10, y(score))
            frame.horizontal((Self.left + Self.plotWidth) * 10)
        }
        svg.path(frame, "grid")
    }

    /// A figure of the frames over time, as far as it lies within the score's range.
    private func line(
        of figure: KeyPath<SpeechDecision, Int16>,
        in report: VoiceActivityReport,
        y: (Int) -> Int
    ) -> SVGPath {
        let frames = frames(of: report)
        // As many frames to a point as there are to two pixels, and then both extremes of them.
        let group = max(1, seconds * 50 * 2 / Self.plotWidth)
        var line = SVGPath()
        for start in stride(from: frames.lowerBound, to: frames.upperBound, by: group) {
            let part = report.frames[start..<min(start + group, frames.upperBound)]
            let values = part.map { min(Int($0.decision[keyPath: figure]), 1_000) }
            let x = x(atMicroseconds: (start * 20 + part.count * 10) * 1_000)
            let (low, high) = (values.min() ?? 0, values.max() ?? 0)
            if start == frames.lowerBound { line.move(x, y(low)) } else { line.line(x, y(low)) }
            if high > low { line.vertical(y(high)) }
        }
        return line
    }

    /// The frames that begin within the strip.
    private func frames(of report: VoiceActivityReport) -> Range<Int> {
        let count = report.frames.count
        return min(startSeconds * 50, count)..<min((startSeconds + seconds) * 50, count)
    }

    // MARK: States

    private func drawStates(_ report: VoiceActivityReport, _ top: Int, into svg: inout SVGText) {
        let frames = frames(of: report)
        for (place, name) in Self.lanes.enumerated() {
            let y = top + Self.laneTop + place * Self.laneHeight
            svg.text(name, x: Self.left - 10, y: y + 9, "label")
            var lane = SVGPath()
            var start: Int?
            for index in frames.lowerBound...frames.upperBound {
                let isHere =
                    index < frames.upperBound && report.frames[index].state.name.description == name
                if isHere {
                    start = start ?? index
                } else if let from = start {
                    lane.rectangle(
                        x(atMicroseconds: from * 20_000),
                        y * 10 + 10,
                        x(atMicroseconds: index * 20_000),
                        y * 10 + 90
                    )
                    start = nil
                }
            }
            svg.path(lane, name.lowercased())
        }
    }
}
