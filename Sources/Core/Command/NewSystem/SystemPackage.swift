/// A Swift package with a system of its own: what 'new-system' writes, and `Tests/Outside/ping` is.
struct SystemPackage {
    /// A file of the package.
    struct File: Equatable {
        /// Its path in the package.
        var path: String
        /// All that stands in it.
        var text: String
    }

    /// Where the package finds Kodama's.
    enum Source: Equatable {
        /// In a folder: absolute, or relative to the package.
        case folder(String)
        /// In a repository, whose branch main is used, since Kodama's versions have no tags.
        case repository(String)

        /// Takes the address of a repository, such as `https://host/kodama.git` or `git@host:kodama`.
        ///
        /// - Parameter url: What the user wrote; anything else is taken for a folder.
        init?(url: String) {
            let host = url.prefix { $0 != ":" && $0 != "/" }
            let isShort = host.contains("@") && url.dropFirst(host.count).first == ":"
            guard url.contains("://") || isShort else { return nil }
            self = .repository(url)
        }

        /// The name by which the package's targets refer to Kodama's package.
        var identity: String {
            guard case .repository(let url) = self else { return "kodama" }
            let last = url.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? "kodama"
            return (last.hasSuffix(".git") ? String(last.dropLast(4)) : last).lowercased()
        }

        /// The dependency in Package.swift.
        var dependency: String {
            switch self {
            case .folder(let path): ".package(name: \"kodama\", path: \(Self.literal(path)))"
            case .repository(let url): ".package(url: \(Self.literal(url)), branch: \"main\")"
            }
        }

        /// A text as Swift writes it.
        private static func literal(_ text: String) -> String {
            let escaped = text.flatMap { $0 == "\\" || $0 == "\"" ? ["\\", $0] : [$0] }
            return "\"\(String(escaped))\""
        }
    }

    /// The system's name.
    var name: String
    /// Where Kodama is.
    var kodama: Source

    /// The files, each with its path in the package.
    var files: [File] {
        SystemTemplate.files.map { File(path: filled($0.path), text: filled($0.text)) }
    }

    /// Puts the names in their places.
    private func filled(_ text: String) -> String {
        text.replacing("__Name__", with: Self.typePrefix(of: name))
            .replacing("__name__", with: name)
            .replacing("__number__", with: "\(Self.number(of: name))")
            .replacing("__kodama__", with: kodama.identity)
            .replacing("__dependency__", with: kodama.dependency)
    }

    /// What the names of the system's types begin with.
    private static func typePrefix(of name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst()
    }

    /// The number of the system in kinds of record, from 128 to 255: what the shipped systems do not use.
    ///
    /// Drawn from the name by FNV-1a, so that two teams' systems seldom have the same; if they do, the
    /// command line that knows both says so when it starts.
    private static func number(of name: String) -> Int {
        let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return 128 + Int((hash ^ hash >> 16) % 128)
    }

    /// Whether a type of such a system would be called like one of Kodama's that the package uses.
    static func clashes(with name: String) -> Bool {
        let words = SystemTemplate.files.flatMap { file in
            file.text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
        }
        let own = words.filter { $0.contains("__Name__") }
            .map { $0.replacing("__Name__", with: typePrefix(of: name)) }
        return !Set(own).isDisjoint(with: words)
    }
}
