import KodamaEvidence

/// A run looked at closely, or the same seed before and after: lanes one above the other, storms, and
/// records, all narrowed by the same range.
struct StoryView {
    private let stories: [RunStory]
    /// What each story is called, if there are several.
    private let names: [String]
    /// The command that replays the last one.
    private let command: String?
    private let isCoarse: Bool
    private let recordCountMax: Int

    /// What the colours of lanes mean.
    private static let tones: [(RunStory.Tone, String)] = [
        (.good, "as it should be"), (.busy, "under way"), (.bad, "trouble"), (.neutral, "neither"),
        (.speech, "speech"),
    ]

    init(
        _ stories: [RunStory],
        names: [String] = [""],
        command: String?,
        isCoarse: Bool = false,
        recordCountMax: Int = StoryTeller.recordCountMax
    ) {
        self.stories = stories
        self.names = names
        self.command = command
        self.isCoarse = isCoarse
        self.recordCountMax = recordCountMax
    }

    func draw(into html: inout Markup) {
        html.element("div", "class=\"story\"") { html in
            if let command { CommandView.draw(command, into: &html) }
            html.element("p", "class=\"tones\"") { html in
                for (tone, meaning) in Self.tones {
                    html.element("span", meaning, "class=\"tone \(tone.rawValue)\"")
                }
            }
            for (story, name) in zip(stories, names) {
                if !name.isEmpty { html.element("h4", name) }
                let story = isCoarse ? story.coarse : story
                LanesPicture(story, name: name, isCoarse: isCoarse).draw(into: &html)
                if story.omittedLanes > 0 {
                    let words = "\(story.omittedLanes) more components have less trouble."
                    html.element("p", words, "class=\"soft\"")
                }
                StormPicture(story)?.draw(into: &html)
                drawRecords(of: story, name, &html)
            }
        }
    }

    private func drawRecords(of story: RunStory, _ name: String, _ html: inout Markup) {
        let label = "seed \(story.seed)" + (name.isEmpty ? "" : " \(name)")
        guard recordCountMax > 0 else { return }
        let records = story.records.prefix(recordCountMax)
        let omitted = [story.omittedRecords, story.records.count - records.count].heldSum
        html.element("details") { html in
            html.element("summary", "\(counted(records.count, "record")) of \(label)")
            html.raw(
                "<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"Records of \(label)\">"
            )
            html.raw("<table class=\"records\"><thead><tr><th scope=\"col\">time</th>")
            html.raw("<th scope=\"col\">who</th><th scope=\"col\">what</th>")
            html.raw(
                "<th scope=\"col\">whom</th><th scope=\"col\">values</th></tr></thead>\n<tbody>\n"
            )
            for record in records {
                html.raw("<tr data-at=\"\(record.at)\">")
                html.element("td", PlotNumber.text(Int(record.at / 1_000), over: 1_000_000) + " s")
                html.element("td", record.component)
                html.element("td", record.kind)
                html.element("td", record.subject ?? "")
                html.element("td", record.values)
                html.raw("</tr>\n")
            }
            html.raw("</tbody></table></div>")
            if omitted > 0 {
                html.element(
                    "p",
                    "\(omitted) more are shown by the command above with --level control."
                )
            }
        }
    }
}
