import Foundation
import KodamaEvidence

/// Two settings to listen to at the same position: waveforms one above the other with what is wrong in them,
/// and a key that switches.
struct HearingView {
    private let pair: HeardPair
    /// What the two settings are called.
    private let names: [String]
    private let seed: UInt64

    private static let width = 1_000
    private static let waveHeight = 64
    private static let markHeight = 14
    private static let rowHeight = waveHeight + markHeight + 22

    init(_ pair: HeardPair, names: [String], seed: UInt64) {
        self.pair = pair
        self.names = names
        self.seed = seed
    }

    func draw(into html: inout Markup) {
        html.element("h4", "Hear seed \(seed)")
        guard !pair.excerpts.isEmpty else {
            html.element("p", "Nothing that is said is at fault on either side.", "class=\"soft\"")
            return
        }
        for excerpt in pair.excerpts { draw(excerpt, into: &html) }
    }

    private func draw(_ excerpt: HeardPair.Excerpt, into html: inout Markup) {
        let unit = MetricUnit.nanoseconds
        html.element("section", "class=\"hearing\" data-length=\"\(excerpt.until - excerpt.from)\"")
        { html in
            html.element(
                "p",
                "\(excerpt.phone) from \(unit.text(excerpt.from)) to \(unit.text(excerpt.until)); the second from "
                    + "\(unit.text(excerpt.worst.from)) is the worst \(names[excerpt.worst.side]), "
                    + "with \(unit.text(excerpt.faulty)) at fault."
            )
            drawWaves(excerpt, &html)
            for (side, name) in zip(excerpt.sides, names) {
                let data = side.sound.data.base64EncodedString()
                let label = Markup.escaped("\(excerpt.phone) \(name)")
                html.raw("<p class=\"player\">\(Markup.escaped(name)) ")
                html.raw(
                    "<audio controls aria-label=\"\(label)\" src=\"data:audio/wav;base64,\(data)\">"
                )
                html.raw("</audio></p>\n")
            }
            drawList(excerpt, &html)
        }
    }

    private func drawList(_ excerpt: HeardPair.Excerpt, _ html: inout Markup) {
        let unit = MetricUnit.nanoseconds
        let rows = zip(names, excerpt.sides).flatMap { name, side in
            side.marks.map { mark in
                [
                    Markup.Cell(name), Markup.Cell(mark.label),
                    Markup.Cell(unit.text(mark.from), number: mark.from, style: "number"),
                    Markup.Cell(
                        mark.until > mark.from ? unit.text(mark.until - mark.from) : "-",
                        style: "number"
                    ),
                ]
            }
        }
        guard !rows.isEmpty else { return }
        html.element("details") { html in
            html.element("summary", "What is marked")
            html.table(
                ["side", "what", "from", "for"],
                rows,
                caption: "What is at fault in this excerpt"
            )
        }
    }

    // MARK: Waveforms

    private func drawWaves(_ excerpt: HeardPair.Excerpt, _ html: inout Markup) {
        let height = Self.rowHeight * excerpt.sides.count
        html.raw(
            "<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"Waveforms of seed \(seed)\">"
        )
        html.raw("<svg viewBox=\"0 0 \(Self.width) \(height)\" role=\"img\" class=\"lanes waves\">")
        html.element("title", "What \(excerpt.phone) plays, \(names.joined(separator: " above "))")
        // Both to one scale, or a softer one would look like the other.
        let loudest = excerpt.sides.flatMap(\.sound.samples).reduce(1) { max($0, abs(Int($1))) }
        for (index, side) in excerpt.sides.enumerated() {
            let top = index * Self.rowHeight
            draw(side, names[index], in: excerpt, top: top, loudest: loudest, &html)
        }
        html.raw("</svg></div>\n")
    }

    private func draw(
        _ side: HeardPair.Side,
        _ name: String,
        in excerpt: HeardPair.Excerpt,
        top: Int,
        loudest: Int,
        _ html: inout Markup
    ) {
        html.raw("<text class=\"lane\" x=\"2\" y=\"\(top + 13)\">\(Markup.escaped(name))</text>")
        let marksTop = top + 18
        for mark in side.marks {
            let from = x(mark.from, in: excerpt)
            let width = max(3, x(mark.until, in: excerpt) - from)
            let style = mark.until > mark.from ? "bad" : "mark"
            html.raw("<rect class=\"\(style)\" x=\"\(from)\" y=\"\(marksTop)\" width=\"\(width)\"")
            html.raw(" height=\"\(Self.markHeight)\">")
            html.element("title", mark.label)
            html.raw("</rect>")
        }
        let waveTop = marksTop + Self.markHeight
        let outline = Self.outline(of: side.sound.samples, top: waveTop, loudest: loudest)
        html.raw("<path class=\"speech\" d=\"\(outline)\">")
        html.element("title", "what is heard \(name)")
        html.raw("</path>")
    }

    private func x(_ instant: Int64, in excerpt: HeardPair.Excerpt) -> Int {
        let instant = min(max(instant, excerpt.from), excerpt.until)
        return FigureAxis.scaled(instant - excerpt.from, excerpt.until - excerpt.from, Self.width)
    }

    /// The greatest magnitude in each column, drawn to both sides of the middle.
    private static func outline(of samples: [Int16], top: Int, loudest: Int) -> String {
        guard !samples.isEmpty else { return "" }
        let middle = top + waveHeight / 2
        return (0..<width).map { column -> String in
            let part = samples[
                column * samples.count / width..<(column + 1) * samples.count / width
            ]
            let peak = part.reduce(0) { max($0, abs(Int($1))) }
            let tall = max(1, peak * (waveHeight / 2) / loudest)
            return "M\(column) \(middle - tall)h1v\(2 * tall)h-1z"
        }.joined()
    }
}

/// What a page with excerpts does: both are played at once, and a key decides which is heard.
package enum HearingScript {
    /// The script, which may be run again for what has come since.
    package static let text = """
        for (const hearing of document.querySelectorAll('.hearing:not([data-ready])')) {
          hearing.dataset.ready = 'yes';
          const sounds = [...hearing.querySelectorAll('audio')];
          const players = [...hearing.querySelectorAll('.player')];
          const drawing = hearing.querySelector('svg');
          const names = players.map(player => player.firstChild.textContent.trim());
          const length = Number(hearing.dataset.length) / 1e9;
          const bar = document.createElement('p');
          const make = words => {
            const button = document.createElement('button');
            button.type = 'button';
            button.textContent = words;
            return bar.appendChild(button);
          };
          const play = make('play'), change = make('switch (x)');
          const heard = bar.appendChild(document.createElement('span'));
          heard.setAttribute('role', 'status');
          players[0].before(bar);
          for (const player of players) player.hidden = true;
          let side = 0;
          const line = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
          line.setAttribute('class', 'mark');
          line.setAttribute('width', 2);
          line.setAttribute('height', drawing.viewBox.baseVal.height);
          drawing.append(line);
          const place = () => line.setAttribute('x', Math.min(998, sounds[side].currentTime / length * 1000));
          const show = () => {
            sounds.forEach((sound, index) => { sound.muted = index !== side; });
            heard.textContent = ` ${names[side]} is heard`;
            place();
          };
          const follow = () => {
            place();
            if (!sounds[side].paused) requestAnimationFrame(follow);
          };
          const stop = () => { for (const sound of sounds) sound.pause(); play.textContent = 'play'; };
          const toggle = () => {
            if (!sounds[side].paused) return stop();
            const at = sounds[side].ended ? 0 : sounds[side].currentTime;
            for (const sound of sounds) { sound.currentTime = at; sound.play(); }
            play.textContent = 'pause';
            follow();
          };
          const turn = () => {
            const at = sounds[side].currentTime;
            side = (side + 1) % sounds.length;
            // Two sounds that play side by side drift by a few milliseconds.
            if (Math.abs(sounds[side].currentTime - at) > 0.01) sounds[side].currentTime = at;
            show();
          };
          for (const sound of sounds) sound.addEventListener('ended', stop);
          play.addEventListener('click', toggle);
          change.addEventListener('click', turn);
          drawing.addEventListener('click', event => {
            const box = drawing.getBoundingClientRect();
            const at = (event.clientX - box.left) / box.width * length;
            for (const sound of sounds) sound.currentTime = at;
            place();
          });
          addEventListener('keydown', event => {
            const isTyped = event.target.closest && event.target.closest('input,select,textarea');
            const all = [...document.querySelectorAll('.hearing')];
            const isPlaying = one => [...one.querySelectorAll('audio')].some(sound => !sound.paused);
            // What plays is meant, else where the focus is, else the first.
            const meant = all.find(isPlaying) || document.activeElement.closest('.hearing') || all[0];
            const isOther = event.ctrlKey || event.metaKey || event.altKey || isTyped;
            if (event.key === 'x' && !isOther && meant === hearing) turn();
          });
          show();
        }

        """
}
