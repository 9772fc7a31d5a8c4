import Foundation
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("kodama-lab vad --plot draws what it judged")
struct VadPlotTests {
    private let workshop = Workshop()

    /// Draws `name` and returns the picture.
    private func plot(_ name: String, _ more: String...) throws -> (end: Kodama.End, svg: String) {
        let end = try Lab.run(["vad", name, "--plot", "out.svg"] + more, in: workshop.folder)
        return (end, end.status == 0 ? try workshop.read("out.svg") : "")
    }

    private func write(_ recording: Recording, truth: String? = nil) throws {
        try workshop.write(recording.data, to: "talk.16k.wav")
        if let truth { try workshop.write(Data(truth.utf8), to: "talk.truth.json") }
    }

    @Test("The lanes show the states of the CSV, frame for frame")
    func lanes() throws {
        try write(Recording.talk(rateHertz: 16_000))
        let (end, svg) = try plot("talk.16k.wav", "--out", "csv")
        #expect(end.stdout == "csv/talk.csv\nout.svg\n")
        let picture = try Picture(svg)
        let states = try workshop.read("csv/talk.csv").split(separator: "\n").dropFirst()
            .map { $0.split(separator: ",")[2].lowercased() }
        for state in ["idle", "attack", "talking", "release"] {
            var expected: [Range<Double>] = []
            for (index, other) in states.enumerated() where other == state {
                let (from, until) = (picture.x(Double(index)), picture.x(Double(index + 1)))
                if let last = expected.last, abs(last.upperBound - from) < 0.01 {
                    expected[expected.count - 1] = last.lowerBound..<until
                } else {
                    expected.append(from..<until)
                }
            }
            let drawn = picture.spans(state)
            #expect(drawn.count == expected.count, "\(state)")
            for (one, other) in zip(drawn, expected) {
                #expect(abs(one.lowerBound - other.lowerBound) <= 0.1, "\(state)")
                #expect(abs(one.upperBound - other.upperBound) <= 0.1, "\(state)")
            }
        }
    }

    @Test("The same recording gives the same bytes, well-formed and self-contained (HN-01)")
    func bytes() throws {
        try write(Recording.talk(rateHertz: 16_000))
        let first = try plot("talk.16k.wav").svg
        #expect(try plot("talk.16k.wav").svg == first)
        let picture = try Picture(first)
        #expect(picture.names.isSuperset(of: ["svg", "title", "desc", "style", "path", "text"]))
        for outside in ["href", "url(", "@import", "<script", "nan", "inf"] {
            #expect(!first.lowercased().contains(outside), "\(outside)")
        }
        #expect(first.contains("prefers-color-scheme:dark"))
        #expect(picture.spans("truth").isEmpty)
    }

    @Test("A recording of any length stays a picture to read, and one of no frame is empty")
    func sizes() throws {
        for (seconds, strips) in [(4, 1), (40, 4), (150, 5)] {
            var recording = Recording.talk(rateHertz: 16_000)
            let piece = recording.samples
            while recording.samples.count < seconds * 16_000 { recording.samples += piece }
            recording.samples.removeLast(recording.samples.count - seconds * 16_000)
            try write(recording)
            let svg = try plot("talk.16k.wav").svg
            let picture = try Picture(svg)
            #expect(picture.count("strip") == strips, "\(seconds) s")
            #expect(svg.utf8.count < 400_000, "\(seconds) s: \(svg.utf8.count) bytes")
        }
        try write(Recording.tone(sampleCount: 0))
        let (end, svg) = try plot("talk.16k.wav")
        #expect(end.status == 0, "\(end.stderr)")
        #expect(try Picture(svg).count("strip") == 1)
    }

    @Test(
        "The truth beside the recording is drawn where it lies, behind a byte order mark too",
        arguments: ["", "\u{FEFF}"]
    )
    func truth(mark: String) throws {
        try write(
            Recording.talk(rateHertz: 16_000),
            truth: """
                \(mark){"name": "talk", "noise": null, "snr_db": null, "level_dbov": -26,
                 "scale": 1.0, "seconds": 4.0, "speech_ms": [[1000.0, 1499.5], [2000.25, 3000.0]]}
                """
        )
        let (end, svg) = try plot("talk.16k.wav")
        #expect(end.stderr == "")
        let picture = try Picture(svg)
        let drawn = picture.spans("truth")
        #expect(drawn.count == 2)
        for (one, frames) in zip(drawn, [(50.0, 74.975), (100.0125, 150.0)]) {
            #expect(abs(one.lowerBound - picture.x(frames.0)) <= 0.1)
            #expect(abs(one.upperBound - picture.x(frames.1)) <= 0.1)
        }
        #expect(svg.contains("truth 37.5 % in 2 spurts"))
    }

    @Test(
        "A truth that cannot be used is a warning with file and line, and the picture goes without",
        arguments: [
            ("{\"speech_ms\": [\n[1000, 1500],\n[1200, 1800]]}", 3, "talk spurt 2 begins before"),
            ("{\"speech_ms\": [[1500, 1000]]}", 1, "talk spurt 1 ends before it begins"),
            ("{\"speech_ms\": [[1500]]}", 1, "talk spurt 1 is not a pair"),
            ("{\"speech_ms\":\n [[3000, 9000]]}", 2, "talk spurt 1 ends after the recording"),
            ("{\"seconds\": 4.0}", 1, "the key 'speech_ms' is missing"),
            ("{\n\n\"seconds\": 150.0, \"speech_ms\": []}", 3, "it speaks of 150 s, but"),
            ("{\"speech_ms\": 7}", 1, "'speech_ms' is not a list"),
            ("{\n\"speech_ms\": [[1000, 1500}", 2, "a comma or ']' should be here"),
            ("", 1, "the file ends where a value should be"),
            ("{\"speech_ms\": []}\nmore", 2, "something follows"),
        ]
    )
    func wrongTruth(text: String, line: Int, words: String) throws {
        try write(Recording.talk(rateHertz: 16_000), truth: text)
        let (end, svg) = try plot("talk.16k.wav")
        #expect(end.status == 0)
        #expect(end.stderr.hasPrefix("warning: talk.truth.json:\(line): \(words)"), "\(end.stderr)")
        #expect(end.stderr.hasSuffix("; drawn without the truth\n"))
        #expect(try Picture(svg).spans("truth").isEmpty)
    }

    @Test("Several recordings for one picture are wrong usage")
    func usage() throws {
        try write(Recording.tone(sampleCount: 640))
        let two = try Lab.run(
            "vad",
            "talk.16k.wav",
            "other.wav",
            "--plot",
            "out.svg",
            in: workshop.folder
        )
        #expect(two.status == 64)
        #expect(two.stderr.hasPrefix("error: --plot draws one recording, and 2 are named"))
    }

    @Test("A picture goes to stdout, and a name is text and no markup")
    func names() throws {
        try workshop.write(Recording.tone(sampleCount: 6_400).data, to: "a<b>&\"c\".wav")
        let end = try Lab.run("vad", "a<b>&\"c\".wav", "--plot", "-", in: workshop.folder)
        #expect(end.status == 0, "\(end.stderr)")
        #expect(end.stdout.contains("<title>a&lt;b&gt;&amp;&quot;c&quot;.wav</title>"))
        _ = try Picture(end.stdout)
    }
}

/// A picture as an XML parser sees it.
private final class Picture: NSObject, XMLParserDelegate {
    private(set) var names: Set<String> = []
    private var styles: [String: Int] = [:]
    private var paths: [String: [String]] = [:]

    init(_ svg: String) throws {
        super.init()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = self
        let isSound = parser.parse()
        try #require(isSound, "\(String(describing: parser.parserError))")
    }

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        names.insert(name)
        let style = attributes["class"] ?? ""
        styles[style, default: 0] += 1
        if name == "path" { paths[style, default: []].append(attributes["d"] ?? "") }
    }

    /// How many elements have a style.
    func count(_ style: String) -> Int { styles[style] ?? 0 }

    /// Where a frame begins on a single strip of 4 s.
    func x(_ frame: Double) -> Double { 84 + frame / 200 * 1_080 }

    /// From where to where the rectangles of a style reach.
    func spans(_ style: String) -> [Range<Double>] {
        (paths[style] ?? []).flatMap { data in
            data.split(separator: "M").compactMap { part -> Range<Double>? in
                let corner = part.split(separator: " ").first.flatMap { Double($0) }
                let right = part.split(separator: "H").dropFirst().first?
                    .prefix { $0.isNumber || $0 == "." }
                guard let corner, let right, let end = Double(right) else { return nil }
                return corner..<end
            }
        }
    }
}
