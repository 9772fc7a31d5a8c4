import KodamaEvidence

/// A page that plays the sounds which a run has written beside it; nothing is loaded before it is played.
public struct SoundsPage {
    /// What a file lets hear.
    public struct Sound: Sendable, Equatable {
        /// The run that it is of, such as the scenario's name with its swept values.
        public var run: String
        /// The run's seed.
        public var seed: UInt64
        /// What is heard, such as the phone whose speaker it is.
        public var title: String
        /// The file, beside the page.
        public var file: String
        /// What else there is to say of it, such as what lies where, a line each.
        public var remarks: [String]

        /// Describes a sound.
        public init(
            run: String,
            seed: UInt64,
            title: String,
            file: String,
            remarks: [String] = []
        ) {
            self.remarks = remarks
            self.run = run
            self.seed = seed
            self.title = title
            self.file = file
        }
    }

    /// The file's usual name.
    public static let fileName = "sounds.html"

    private let sounds: [Sound]

    /// Renders players for sounds, in their order.
    public init(_ sounds: [Sound]) {
        self.sounds = sounds
    }

    /// The file's text.
    public var text: String {
        HTMLPage.text(title: "Kodama: sounds", footer: nil, playsSound: true) { html in
            html.element("header") { html in
                html.element("h1", "What the phones play, and what was said")
            }
            html.element("main") { html in
                var runs: [String] = []
                for sound in sounds where !runs.contains(sound.run) { runs.append(sound.run) }
                for run in runs { draw(run, into: &html) }
            }
        }
    }

    private func draw(_ run: String, into html: inout Markup) {
        let own = sounds.filter { $0.run == run }
        html.element("h2", "\(run), seed \(own.first?.seed ?? 0)")
        for sound in own {
            let name = Markup.escaped("\(sound.title) in \(run)")
            let source = Markup.escaped(Self.reference(sound.file))
            html.element("p") { html in
                html.element("strong", sound.title)
                html.raw(
                    "<br><audio controls preload=\"none\" src=\"\(source)\" aria-label=\"\(name)\">"
                        + "</audio> "
                )
                html.element("a", sound.file, "href=\"\(source)\"")
            }
            for remark in sound.remarks { html.element("p", remark, "class=\"soft\"") }
        }
    }

    /// A path as a relative reference (RFC 3986, section 4.2).
    static func reference(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return path.utf8.map { byte -> String in
            let isPlain =
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || "-._~/".utf8.contains(byte)
            guard !isPlain else { return String(decoding: [byte], as: UTF8.self) }
            return "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        }.joined()
    }
}
