extension SyntaxFault {
    /// The fault in words for people who do not write scanners.
    var wording: Problem.Wording {
        if let known = Self.words.first(where: { problem.contains($0.problem) }) {
            return .init(known.code, known.message, known.hint.map { .init($0) }, beginning)
        }
        return .init("malformed-yaml", "not valid YAML: \(problem)", beginning)
    }

    /// A remark on where the unfinished thing began.
    private var beginning: Diagnostic.Note? {
        guard let began else { return nil }
        switch context {
        case let text where text.contains("quoted scalar"):
            return .init("the quote was opened here", at: began)
        case let text where text.contains("flow sequence"):
            return .init("the list was opened here", at: began)
        case let text where text.contains("flow mapping"):
            return .init("the mapping was opened here", at: began)
        case let text where text.contains("simple key"):
            return .init("the key begins here", at: began)
        case let text where text.contains("block mapping"):
            return .init("the mapping begins here", at: began)
        case let text where text.contains("block collection"):
            return .init("the list begins here", at: began)
        default:
            return nil
        }
    }

    private struct Words {
        var problem: String
        var code: String
        var message: String
        var hint: String?

        init(_ problem: String, _ code: String, _ message: String, _ hint: String? = nil) {
            self.problem = problem
            self.code = code
            self.message = message
            self.hint = hint
        }
    }

    /// What libyaml says (its src/reader.c, src/scanner.c, src/parser.c), and what we say.
    private static let words: [Words] = [
        .init(
            "tab in indentation",
            "tab-indentation",
            "a tab is not allowed in the indentation",
            "indent with spaces"
        ),
        .init(
            "another document",
            "several-documents",
            "a second document begins here",
            "a scenario is one document; remove the line '---'"
        ),
        .init(
            "quote left open",
            "unfinished-text",
            "a quoted text begins here and is not closed on its line",
            "close the quote"
        ),
        .init("undefined alias", "undefined-alias", "no anchor of that name stands above"),
        .init(
            "end of stream",
            "unfinished-text",
            "the file ends inside a quoted text",
            "close the quote"
        ),
        .init(
            "found unexpected document indicator",
            "unfinished-text",
            "a document ends inside a quoted text",
            "close the quote"
        ),
        .init(
            "unknown escape",
            "unknown-escape",
            "no such escape in double quotes",
            "use single quotes, or write \\\\ for a backslash"
        ),
        .init("Unicode character escape", "unknown-escape", "no such Unicode character"),
        .init(
            "mapping values are not allowed",
            "misplaced-colon",
            "a ':' cannot stand here",
            "put the key on a line of its own, or quote the text that holds ': '"
        ),
        .init(
            "cannot start any token",
            "misplaced-character",
            "a value cannot begin with this character",
            "put the value in quotes"
        ),
        .init(
            "could not find expected ':'",
            "missing-colon",
            "a key without ':'",
            "write 'key: value', with a space after the colon"
        ),
        .init(
            "did not find expected key",
            "bad-indentation",
            "a key was expected here",
            "check the indentation against the line above"
        ),
        .init(
            "expected '-' indicator",
            "bad-indentation",
            "a '-' was expected here",
            "check the indentation against the line above"
        ),
        .init(
            "block sequence entries are not allowed",
            "misplaced-dash",
            "a list cannot begin here",
            "put the '-' on a line of its own"
        ),
        .init(
            "expected ',' or ']'",
            "unfinished-list",
            "a list in brackets is not closed",
            "a ',' or ']' is missing"
        ),
        .init(
            "expected ',' or '}'",
            "unfinished-mapping",
            "a mapping in braces is not closed",
            "a ',' or '}' is missing"
        ),
        .init(
            "expected comment or line break",
            "misplaced-limit",
            "'>' and '|' at the start of a value begin a block of text",
            "quote a limit: \">= 90%\""
        ),
        .init("expected node content", "missing-node", "a value was expected here"),
        .init(
            "expected alphabetic or numeric",
            "misplaced-character",
            "'*' and '&' at the start of a value name an anchor",
            "put the value in quotes"
        ),
        .init("control characters", "control-character", "a control character is not allowed here"),
        .init(
            "tab character",
            "tab-indentation",
            "a tab stands in the indentation",
            "indent with spaces"
        ),
        .init("Maximum nest", "too-deep", "values are nested too deep"),
        .init("document start", "misplaced-text", "text follows where the document had ended"),
        .init("tag", "malformed-tag", "a tag is malformed", "put a value with '!' in quotes"),
        .init("directive", "malformed-directive", "a directive ('%') is malformed"),
    ]
}
