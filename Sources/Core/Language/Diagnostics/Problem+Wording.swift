import KodamaSimulation

extension Problem {
    /// What messages call the mapping whose keys are the systems that the command knows.
    static let appsNoun = "a phone's apps"

    /// The words for the problem and what may help.
    struct Wording {
        /// The stable name of the kind of mistake.
        var code: String
        /// What is wrong.
        var message: String
        /// What may help.
        var notes: [Diagnostic.Note] = []

        /// Makes words.
        init(_ code: String, _ message: String, _ notes: Diagnostic.Note?...) {
            self.code = code
            self.message = message
            self.notes = notes.compactMap(\.self)
        }
    }

    /// The words for the problem.
    var wording: Wording {
        fileWording ?? shapeWording ?? valueWording ?? meaningWording
    }

    /// A remark that offers the nearest known word.
    static func nearest(to word: String, among known: [String]) -> Diagnostic.Note? {
        Suggestion.nearest(to: word, among: known).map { .init("did you mean '\($0)'?") }
    }

    /// A remark on a metric with its limit behind it: the limit has a key of its own.
    static func limit(
        in text: String,
        of kind: NameKind,
        among known: [String]
    ) -> Diagnostic.Note? {
        guard kind == .metric, let sign = text.firstIndex(where: { "<>=".contains($0) }) else {
            return nil
        }
        let name = text[..<sign].split(separator: " ").first.map(String.init) ?? ""
        let metric =
            known.contains(name) ? name : Suggestion.nearest(to: name, among: known) ?? name
        return .init("write the limit behind it: { metric: \(metric), max: \"\(text[sign...])\" }")
    }

    /// A remark on a name that stands for several, with numbers behind it.
    static func numbered(_ name: String, among known: [String]) -> Diagnostic.Note? {
        let numbered = known.filter {
            $0.hasPrefix("\(name)-") && Int($0.dropFirst(name.count + 1)) != nil
        }
        guard let first = numbered.first, let last = numbered.last, first != last else {
            return nil
        }
        return .init("there are '\(first)' to '\(last)'; name one of them")
    }

    /// A remark that lists a few words.
    static func list(_ words: [String], most: Int = 10, as title: String) -> Diagnostic.Note? {
        guard !words.isEmpty, words.count <= most else { return nil }
        return .init("\(title): \(words.joined(separator: ", "))")
    }

    /// A remark that says what to write, if there is something to say.
    static func write(_ text: String?) -> Diagnostic.Note? {
        text.map { .init("write \($0)") }
    }

    /// A remark that points at an earlier place.
    static func first(_ location: SourceLocation?) -> Diagnostic.Note? {
        location.map { .init("the first is here", at: $0) }
    }
}

extension Problem {
    /// Words for what is wrong with a file or its YAML.
    private var fileWording: Wording? {
        switch self {
        case .emptyFile:
            Wording("empty-file", "the file holds no scenario", .init("begin with 'version: 2'"))
        case .malformed(let fault):
            fault.wording
        case .duplicateKey(let key, let first):
            Wording("duplicate-key", "key '\(key)' appears twice", Self.first(first))
        case .mergeKey:
            Wording(
                "merge-key",
                "merge keys ('<<') are not part of the scenario language",
                .init("repeat the keys, or put what is shared into a file and use 'extends'")
            )
        case .keyNotText:
            Wording("key-not-text", "a key must be a single word, not a list or a mapping")
        case .explicitTag(let tag):
            Wording(
                "explicit-tag",
                "tags such as '\(tag)' are not part of the scenario language",
                .init("leave it out; what a value is follows from its key")
            )
        case .tooDeep(let levels):
            Wording("too-deep", "values are nested more than \(levels) levels deep")
        case .tooLarge(let what):
            Wording("too-large", "the scenario is larger than \(what)")
        case .tooMany(let count, let noun, let most):
            Wording(
                "too-many",
                "that makes \(count) \(noun) in one run; at most \(most) are allowed",
                .init(Self.fewer(noun))
            )
        case .tooManyAtAllPoints(let noun, let most):
            Wording(
                "too-many",
                "the points of the sweep have more than \(most) \(noun) together",
                .init("sweep fewer values, or \(Self.fewer(noun))")
            )
        case .unreadableFile(let path, let reason):
            Wording(
                "unreadable-file",
                "cannot read '\(path)': \(reason.rawValue)",
                reason == .outside
                    ? .init(
                        "put it beside the scenario, or name a folder above both on the command line"
                    )
                    : nil
            )
        case .extendsItself(let chain):
            Wording(
                "extends-itself",
                "the scenario extends itself",
                .init(chain.joined(separator: " extends "))
            )
        case .brokenBase(let path, let errors):
            Wording(
                "broken-base",
                "'\(path)' is not valid YAML",
                errors > 1 ? .init("\(errors) errors are listed for it") : nil
            )
        case .faultyTrace(let path, let line, let fault):
            Wording(
                "faulty-trace",
                "\(path):\(line): \(fault.words)",
                .init(
                    "a trace has one number a line: the millisecond at which 1504 bytes may leave"
                )
            )
        default:
            nil
        }
    }

    /// What is said of the `5s` that `{ for: 1,5s }` has for a key.
    private static func decimalComma(before key: String) -> Diagnostic.Note? {
        guard key.first.map(ScalarText.isDigit) == true else { return nil }
        return .init("between braces a comma begins the next key; write a decimal as in 1.\(key)")
    }

    /// A remark on what a user does, where it is written as an action of its own.
    private static func act(called key: String, among allowed: [String]) -> Diagnostic.Note? {
        let acts = [
            "hangup": "end-call", "hang-up": "end-call", "mute": "mute", "unmute": "unmute",
        ]
        guard allowed.contains("user"), let act = acts[key] else { return nil }
        return .init("write what users do as 'user: { of: a phone, does: \(act) }'")
    }

    /// What is said of a share without the threshold that is part of its name.
    private static func threshold(behind key: String) -> Diagnostic.Note? {
        guard key == "share_above" else { return nil }
        return .init(
            "write the threshold behind it, in the metric's unit, such as 'share_above 20ms'"
        )
    }

    /// Words for a value of the wrong shape.
    private var shapeWording: Wording? {
        switch self {
        case .wrongKind(let expected, let found, let text):
            Wording("wrong-kind", "expected \(expected), found \(found)", Self.write(text))
        case .noName(let kind, let found):
            Wording(
                "wrong-kind",
                "expected the name of a \(kind.noun), found \(found)",
                kind == .profile
                    ? .init("write its name; what differs stands beside it, such as 'loss: 10%'")
                    : nil,
                kind.listed.map { .init("'kodama list \($0)' names them") }
            )
        case .missingValue(let expected):
            Wording("missing-value", "the value is missing; write \(expected)")
        case .unknownKey(let key, let inside, let allowed):
            Wording(
                "unknown-key",
                "unknown key '\(key)' in \(inside)",
                VersionOne.renamed(key, among: allowed) ?? Self.nearest(to: key, among: allowed)
                    ?? Self.act(called: key, among: allowed) ?? Self.decimalComma(before: key)
                    ?? Self.threshold(behind: key),
                Self.list(
                    allowed,
                    most: 16,
                    as: inside == Self.appsNoun ? "this command knows" : "allowed"
                )
            )
        case .keyOfOther(let key, let inside, let owners):
            Wording(
                "key-of-other",
                "'\(key)' is not a key of \(inside)",
                .init("it belongs to \(owners.joined(separator: ", "))")
            )
        case .missingKey(let key, let inside, let summary):
            Wording(
                "missing-key",
                "\(inside) needs the key '\(key)'",
                .init("'\(key)': \(summary)")
            )
        case .chooseOne(let keys, let inside):
            Wording("choose-one", "\(inside) needs one of \(keys.joined(separator: ", "))")
        case .excludesEachOther(let first, let second, let inside):
            Wording("exclusive-keys", "'\(first)' and '\(second)' cannot be combined in \(inside)")
        case .wrongCount(let found, let allowed, let noun):
            Wording("wrong-count", Self.countMessage(found: found, allowed: allowed, noun: noun))
        case .oldKey(let what, let write):
            Wording("old-key", "\(what) is of version 1 of the scenario language", .init(write))
        case .unsupportedVersion(let text):
            Wording(
                "unsupported-version",
                "version '\(text)' of the scenario language is not known",
                .init("write 'version: 2'")
            )
        default:
            nil
        }
    }

    /// What makes fewer of something that is counted before it is laid out.
    private static func fewer(_ noun: String) -> String {
        [
            "phones": "write a smaller 'count'", "writes": "write fewer 'rows'",
            "acts on phones alike": "write a smaller 'count', or name some of the phones",
        ][noun]
            ?? "write a longer 'every', or bound them by 'from' and 'until'"
    }

    private static func countMessage(
        found: Int,
        allowed: ClosedRange<Int>,
        noun: String
    ) -> String {
        let wanted =
            allowed.lowerBound == allowed.upperBound
            ? "\(allowed.lowerBound)"
            : found < allowed.lowerBound
                ? "at least \(allowed.lowerBound)" : "at most \(allowed.upperBound)"
        let entries = found == 1 ? "1 entry" : "\(found) entries"
        return "\(noun) has \(entries), needs \(wanted)"
    }
}

extension TraceParseError.Kind {
    /// What is wrong.
    fileprivate var words: String {
        switch self {
        case .notMilliseconds(let text):
            "'\(text.prefix(40))' is not a whole number of milliseconds"
        case .falling(let found, let previous): "time falls from \(previous) to \(found) ms"
        case .noOpportunity: "the trace is empty"
        case .zeroPeriod: "the trace holds no opportunity after 0 ms"
        }
    }
}
