/// Joins a scenario with those that it extends.
struct Inheritance {
    /// Keys that every file says for itself.
    private static let own = [
        "version", "scenario", "summary", "extends", "outcome", "because", "where",
    ]
    /// How many files a chain may have.
    private static let chainMax = 16

    private let files: FileReader
    /// The files read so far, by name.
    private(set) var sources: [String: SourceText] = [:]
    /// What has been found wrong.
    private(set) var reports: [Report] = []
    /// Whether the scenario lacks something that stands in its file.
    private(set) var hasGaps = false

    init(files: FileReader) {
        self.files = files
    }

    /// The root of `text` with everything that it extends merged in, or `nil` after a report.
    mutating func root(of text: String, file: String) -> SyntaxNode? {
        resolve(text, file: file, chain: [file])
    }

    private mutating func resolve(_ text: String, file: String, chain: [String]) -> SyntaxNode? {
        let source = SourceText(text, file: file)
        sources[file] = source
        let result = YAMLReader.read(source)
        reports += result.reports
        hasGaps = hasGaps || result.hasGaps
        // What rests on a base is not worth checking where the base is not whole.
        guard let root = result.root, chain.count == 1 || !result.hasGaps else { return nil }
        guard let entries = root.entries else {
            reports.append(
                Report(
                    problem: .wrongKind(expected: "a scenario", found: root.kindName),
                    place: root.place
                )
            )
            return nil
        }
        let old = VersionOne.reports(of: root)
        guard old.isEmpty else {
            reports += old
            return nil
        }
        guard let extends = entries.first(where: { $0.key == "extends" }),
            case .scalar(let path) = extends.value.content, !path.isTypedByCoreSchema
        else { return root }
        guard let base = base(path.text, at: extends.value.place, chain: chain) else { return nil }
        return Self.merge(root, over: base)
    }

    private mutating func base(_ path: String, at place: Place, chain: [String]) -> SyntaxNode? {
        let file = FileReader.path(path, namedIn: place.location.file)
        guard !chain.contains(file), chain.count < Self.chainMax else {
            reports.append(Report(problem: .extendsItself(chain: chain + [file]), place: place))
            return nil
        }
        // The working folder has no name of its own.
        let read: Result<String, FileReadError> =
            file.isEmpty ? .failure(FileReadError(.folder)) : files.read(file)
        switch read {
        case .failure(let error):
            let named = file.isEmpty ? path : file
            let problem = Problem.unreadableFile(named, reason: error.fault)
            reports.append(Report(problem: problem, place: place))
            return nil
        case .success(let text):
            let known = reports.count
            let root = resolve(text, file: file, chain: chain + [file])
            let faults = reports[known...]
            if root == nil, !faults.contains(where: { Self.isOfAnotherFile($0.problem) }) {
                let problem = Problem.brokenBase(file, errors: faults.count)
                reports.append(Report(problem: problem, place: place))
            }
            return root
        }
    }

    /// Whether the fault lies in what the base extends, and not in its text.
    private static func isOfAnotherFile(_ problem: Problem) -> Bool {
        switch problem {
        case .extendsItself, .unreadableFile, .brokenBase, .oldKey: true
        default: false
        }
    }

    /// The keys of `root`, then those of `base` that it does not have; parameters name by name.
    private static func merge(_ root: SyntaxNode, over base: SyntaxNode) -> SyntaxNode {
        var entries = root.entries ?? []
        for inherited in base.entries ?? [] where !own.contains(inherited.key) {
            guard let index = entries.firstIndex(where: { $0.key == inherited.key }) else {
                entries.append(inherited)
                continue
            }
            guard inherited.key == "parameters" else { continue }
            let parameters = entries[index].value.flattened()
            guard let mine = parameters.entries else { continue }
            let theirs = inherited.value.flattened().entries ?? []
            let added = theirs.filter { entry in !mine.contains { $0.key == entry.key } }
            entries[index].value.content = .mapping(mine + added)
        }
        return SyntaxNode(content: .mapping(entries), place: root.place)
    }
}
