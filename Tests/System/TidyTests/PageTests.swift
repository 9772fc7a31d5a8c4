import Foundation
import Testing

/// Holds README.md and the pages of the DocC catalogue to what can be seen in their text.
///
/// `Scripts/docs` has docc build the pages, and runs their listings.
@Suite("Documentation leads nowhere in vain, and names what there is")
struct PageTests {
    static let catalogue = "Sources/Core/Command/Kodama.docc"
    /// The page that lists all others.
    static let root = "Kodama"

    /// The folder of scenarios whose names a page's tables list.
    static let scenarioFolders = [
        "Session": "session", "Calls": "call", "Intercom": "intercom", "Replica": "replica",
        "Coach": "coach",
    ]

    static func page(_ path: String) throws -> Page {
        let url = SourceTree.root.appendingPathComponent(path)
        return Page(path, try String(contentsOf: url, encoding: .utf8))
    }

    static func cataloguePages() throws -> [Page] {
        let folder = SourceTree.root.appendingPathComponent(catalogue)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try names.filter { $0.hasSuffix(".md") }.sorted().map {
            try page("\(catalogue)/\($0)")
        }
    }

    /// README.md and all pages of the catalogue.
    static func allPages() throws -> [Page] { try [page("README.md")] + cataloguePages() }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: SourceTree.root.appendingPathComponent(path).path)
    }

    // MARK: Length

    @Test("README.md has at most 150 lines")
    func readmeLength() throws {
        let count = try Self.page("README.md").lines.count - 1
        #expect(
            count <= 150,
            "README.md has \(count) lines; what is longer belongs in \(Self.catalogue)"
        )
    }

    // MARK: Links

    /// What a page links to in vain: pages, files, headings and paths that don't exist.
    static func deadLinks(in page: Page, pages: Set<String>) -> [String] {
        let folder = page.path.split(separator: "/").dropLast().joined(separator: "/")
        var dead: [String] = []
        for (number, target) in page.links where !target.hasPrefix("https://") {
            if target.hasPrefix("#") {
                if !page.anchors.contains(String(target.dropFirst())) {
                    dead.append("\(number): \(target)")
                }
                continue
            }
            let file = String(target.prefix { $0 != "#" })
            if !exists(folder.isEmpty ? file : "\(folder)/\(file)") {
                dead.append("\(number): \(target)")
            }
        }
        for (number, target) in page.pageLinks where !pages.contains(target) {
            dead.append("\(number): doc:\(target)")
        }
        for (number, path) in page.paths where !exists(path) { dead.append("\(number): \(path)") }
        return dead
    }

    @Test("Every link and every path leads to a page, a heading or a file")
    func links() throws {
        let pages = Set(try Self.cataloguePages().map(\.name))
        for page in try Self.allPages() {
            for dead in Self.deadLinks(in: page, pages: pages) {
                Issue.record("\(page.path):\(dead) leads nowhere")
            }
        }
    }

    @Test("A link and a path that lead nowhere are found, outside code blocks")
    func deadLinksAreFound() {
        let page = Page(
            "A.md",
            """
            # One Heading
            [file](README.md), [web](https://example.org), [here](#one-heading), <doc:B>, `Sources/Core`
            ```
            [dead](dead.md)
            ```
            [file](dead.md) and [heading](#two), <doc:C#Two>
            `Sources/Dead` and `Scripts/docs --listings`, `Scripts/dead --renew`
            """
        )
        let dead = Self.deadLinks(in: page, pages: ["B"])
        #expect(
            dead == ["6: dead.md", "6: #two", "6: doc:C", "7: Sources/Dead", "7: Scripts/dead"]
        )
    }

    @Test("The catalogue's first page lists every other page once")
    func topics() throws {
        let pages = try Self.cataloguePages()
        let root = try #require(pages.first { $0.name == Self.root })
        let entries = root.prose.compactMap { $0.text.wholeMatch(of: #/- <doc:(?<name>\w+)>/#) }
        let listed = entries.map { String($0.name) }
        #expect(listed.sorted() == pages.map(\.name).filter { $0 != Self.root }.sorted())
    }

    // MARK: Names

    @Test("Every metric and parameter that a page names is one that the guide describes")
    func dottedNames() throws {
        let guide = try Self.page("Scenarios/guide.md")
        // A sweep's key of all links, which the command's help describes.
        let known = Set(guide.quoted.map(\.text)).union(["link.loss"])
        for page in try Self.allPages() {
            for (number, name) in page.dottedNames where !known.contains(name) {
                Issue.record("\(page.path):\(number): the guide describes no \(name)")
            }
        }
    }

    @Test("Every scenario that a page's table names is a file")
    func scenarioNames() throws {
        for page in try Self.cataloguePages() {
            guard let folder = Self.scenarioFolders[page.name] else {
                #expect(page.scenarioNames.isEmpty, "\(page.path) has no folder of scenarios")
                continue
            }
            #expect(!page.scenarioNames.isEmpty, "\(page.path) names no scenario")
            for (number, name) in page.scenarioNames
            where !Self.exists("Scenarios/\(folder)/\(name).yaml") {
                Issue.record("\(page.path):\(number): there is no Scenarios/\(folder)/\(name).yaml")
            }
        }
    }

    @Test("Every type that a page names is declared in the sources, or is a module")
    func typeNames() throws {
        let files = try ["Client", "Core", "Server", "Systems", "Tools"].flatMap {
            try SourceTree.swiftFiles(under: "Sources/\($0)")
        }
        #expect(!files.isEmpty)
        let known = Set(files.flatMap { $0.declaredTypes.map(\.name) } + files.map(\.module))
            .union(files.map(\.target))
        for page in try Self.allPages() {
            for (number, name) in page.typeNames
            where !known.contains(name) && !Self.isForeign(name) {
                Issue.record("\(page.path):\(number): no \(name) is declared")
            }
        }
    }

    /// Names that pages mention and no Swift file declares: another maker's, a package's, a placeholder.
    static func isForeign(_ name: String) -> Bool {
        ["UIApplicationMain", "PushOverHTTP2"].contains(name) || name.contains("NAME")
    }

    @Test("Names of metrics, types and scenarios are found in a page")
    func namesAreFound() {
        let page = Page(
            "A.md",
            """
            `vad.attack` `report.json` `StateMachine` `Seat` `kodama run`
            | what | scenarios |
            |---|---|
            | `other` | `clean`, `two-devices` |

            | what | where |
            | `other` | `clean` |
            """
        )
        #expect(page.dottedNames.map(\.name) == ["vad.attack"])
        #expect(page.typeNames.map(\.name) == ["StateMachine"])
        #expect(page.scenarioNames.map(\.name) == ["clean", "two-devices"])
    }

    // MARK: Listings

    @Test("Every listing begins with a command, and is one that Scripts/docs runs")
    func listings() throws {
        for page in try Self.allPages() {
            for (index, line) in page.lines.enumerated() where line == "```console" {
                let next = index + 1 < page.lines.count ? page.lines[index + 1] : ""
                #expect(next.hasPrefix("$ "), "\(page.path):\(index + 2) is no command")
            }
            // A prompt in a block of another kind is a listing that nothing runs.
            for (index, line) in page.lines.enumerated() where line.hasPrefix("$ ") {
                let block = page.lines[..<index].last { $0.hasPrefix("```") }
                #expect(
                    block == "```console",
                    "\(page.path):\(index + 1) is a command that nothing runs"
                )
            }
        }
    }
}
