import Foundation

/// A page of Markdown, as the rules on documentation see it.
struct Page {
    /// The path from the repository's root.
    let path: String
    /// The lines without their ends.
    let lines: [Substring]

    init(_ path: String, _ text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The page's name, by which other pages link to it.
    var name: String {
        String(path.split(separator: "/").last ?? "").replacingOccurrences(of: ".md", with: "")
    }

    /// The lines outside code blocks and comments, numbered from 1.
    var prose: [(number: Int, text: Substring)] {
        var isCode = false
        var isComment = false
        return lines.enumerated().compactMap { index, line in
            if line.hasPrefix("```") {
                isCode.toggle()
                return nil
            }
            if line.hasPrefix("<!--") { isComment = true }
            defer { if line.contains("-->") { isComment = false } }
            return isCode || isComment ? nil : (index + 1, line)
        }
    }

    /// The headings, as anchors spell them in Markdown on the web: lower case, hyphens for spaces.
    var anchors: Set<String> {
        let titles = prose.filter { $0.text.hasPrefix("#") }
            .map { $0.text.drop(while: { $0 == "#" || $0 == " " }).lowercased() }
        return Set(
            titles.map { title in
                String(
                    title.compactMap {
                        $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" ? $0 : nil
                    }
                )
            }
        )
    }

    /// The targets of links in parentheses, such as `file.md` and `#anchor`.
    var links: [(number: Int, target: String)] {
        prose.flatMap { number, text in
            text.matches(of: #/\]\((?<target>[^)\s]+)\)/#).map { (number, String($0.target)) }
        }
    }

    /// The pages that `<doc:Name>` links to, without the heading.
    var pageLinks: [(number: Int, target: String)] {
        prose.flatMap { number, text in
            text.matches(of: #/<doc:(?<target>[^>#]+)[^>]*>/#).map { (number, String($0.target)) }
        }
    }

    /// The texts in single backticks.
    var quoted: [(number: Int, text: String)] {
        prose.flatMap { number, line in
            line.matches(of: #/`(?<text>[^`]+)`/#).map { (number, String($0.text)) }
        }
    }

    /// The texts in backticks that are paths from the repository's root, without what follows a space.
    var paths: [(number: Int, path: String)] {
        let folders = ["Sources/", "Tests/", "Scenarios/", "Scripts/", "Reports/", ".ci/"]
        return quoted.compactMap { number, text in
            let path = text.prefix { $0 != " " }
            guard folders.contains(where: { path.hasPrefix($0) }), !path.contains("NAME") else {
                return nil
            }
            return (number, String(path))
        }
    }

    /// The texts in backticks that have the form of a metric's or a parameter's name, such as `vad.attack`.
    var dottedNames: [(number: Int, name: String)] {
        let endings = [
            ".json", ".jsonl", ".yaml", ".yml", ".md", ".xml", ".html", ".swift", ".toml", ".py",
            ".txt",
        ]
        return quoted.compactMap { number, text in
            guard text.wholeMatch(of: #/[a-z]+(?:\.[a-z_]+)+/#) != nil,
                !endings.contains(where: { text.hasSuffix($0) })
            else { return nil }
            return (number, text)
        }
    }

    /// The texts in backticks that have the form of a type's name, such as `StateMachine`.
    var typeNames: [(number: Int, name: String)] {
        quoted.compactMap { number, text in
            text.wholeMatch(of: #/[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+/#) == nil
                ? nil : (number, text)
        }
    }

    /// The names in backticks in the last column of tables whose last column is headed `scenarios`.
    var scenarioNames: [(number: Int, name: String)] {
        var isScenarios = false
        return prose.flatMap { number, text -> [(number: Int, name: String)] in
            guard text.hasPrefix("|") else {
                isScenarios = false
                return []
            }
            let cells = text.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.drop(while: { $0 == " " }) }
            guard let last = cells.dropLast().last else { return [] }
            if last.hasPrefix("scenarios") { isScenarios = true }
            guard isScenarios else { return [] }
            return last.matches(of: #/`(?<name>[a-z0-9-]+)`/#).map { (number, String($0.name)) }
        }
    }
}
