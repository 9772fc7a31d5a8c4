import Evidence

/// One run looked at closely: its lanes, its storm, and its records, all narrowed by the same range.
struct StoryView {
    let story: RunStory
    /// The swept values of its point.
    let label: String
    /// The command that replays it.
    let command: String?
    /// How many records are shown.
    let recordCountMax: Int

    init(_ story: RunStory, label: String, command: String?, recordCountMax: Int) {
        self.story = story
        self.label = label
        self.command = command
        self.recordCountMax = recordCountMax
    }

    func draw(into html: inout Markup) {
        let position = label.isEmpty ? "" : " at \(label)"
        html.element("h4", "Seed \(story.seed)\(position): \(story.reason)")
        html.element("div", "class=\"story\"") { html in
            if let command { CommandView.draw(command, into: &html) }
            let seconds = PlotNumber.text(Int(story.durationNanoseconds / 1_000_000), over: 1_000)
            html.raw("<form class=\"range\" hidden>")
            html.raw(
                "<label>from <input type=\"number\" min=\"0\" step=\"any\" value=\"0\"> s</label>"
            )
            html.raw(
                "<label>until <input type=\"number\" min=\"0\" step=\"any\" value=\"\(seconds)\"> s</label>"
            )
            html.raw("<button type=\"button\">whole run</button>")
            html.raw("<span class=\"soft\">or drag over the lanes</span></form>\n")
            LanesPicture(story).draw(into: &html)
            if story.omittedLanes > 0 {
                html.element(
                    "p",
                    "\(story.omittedLanes) more components have less trouble.",
                    "class=\"soft\""
                )
            }
            StormPicture(story)?.draw(into: &html)
            drawRecords(&html)
        }
    }

    private func drawRecords(_ html: inout Markup) {
        let records = story.records.prefix(recordCountMax)
        let omitted = story.omittedRecords + story.records.count - records.count
        html.element("details") { html in
            html.element("summary", "\(counted(records.count, "record")) of seed \(story.seed)")
            html.raw(
                "<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"Records of seed \(story.seed)\">"
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
