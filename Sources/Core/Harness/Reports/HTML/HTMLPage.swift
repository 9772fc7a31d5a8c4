/// One page that opens anywhere: everything in one file, nothing fetched, readable without its script.
struct HTMLPage {
    /// The whole file.
    ///
    /// - Parameters:
    ///   - title: The page's title.
    ///   - footer: The last line, if there is one.
    ///   - playsSound: Whether it may load sound that lies beside it.
    ///   - holdsSound: Whether sound is in it that two settings are compared by.
    ///   - body: Adds what stands between.
    /// - Returns: The text.
    static func text(
        title: String,
        footer: String?,
        playsSound: Bool = false,
        holdsSound: Bool = false,
        body: (inout Markup) -> Void
    ) -> String {
        let media = (playsSound ? " 'self' file:" : "") + (holdsSound ? " data:" : "")
        let sound = media.isEmpty ? "" : "; media-src\(media)"
        var html = Markup()
        html.raw(
            """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" \
            content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'\(sound)">
            <link rel="icon" href="data:,">

            """
        )
        html.element("title", title)
        html.raw("\n<style>\n\(PageStyle.text)</style>\n</head>\n<body>\n")
        body(&html)
        if let footer { html.element("footer", footer) }
        let hearing = holdsSound ? HearingScript.text : ""
        html.raw("\n<script>\n\(PageScript.text)\(hearing)</script>\n</body>\n</html>\n")
        return html.text
    }
}
