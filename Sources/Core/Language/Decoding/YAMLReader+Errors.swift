import Yams

extension YAMLReader {
    /// Reports why Yams gave up.
    ///
    /// - Returns: Where the mistake is, if what is around it may be worth reading.
    mutating func report(_ error: any Error) -> SourceLocation? {
        guard let error = error as? YamlError else {
            report(.malformed(SyntaxFault(problem: "\(error)", context: "")), at: 0)
            return nil
        }
        switch error {
        case .scanner(let context, let problem, let mark, _),
            .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            var location = source.clamped(line: mark.line, column: mark.column)
            if let tab = tab(before: location), problem != "found undefined alias" {
                let fault = SyntaxFault(problem: "tab in indentation", context: "")
                reports.append(Report(problem: .malformed(fault), place: Place(location: tab)))
                return tab
            }
            if let quote = oddQuote(upTo: location.line ?? 1), quote.line != location.line {
                let fault = SyntaxFault(problem: "quote left open", context: "")
                reports.append(Report(problem: .malformed(fault), place: Place(location: quote)))
                return quote
            }
            let began = context.map { source.clamped(line: $0.mark.line, column: $0.mark.column) }
            // The scanner notices a key without a colon only when the next one comes.
            if let began, problem == "could not find expected ':'" { location = began }
            let fault = SyntaxFault(
                problem: problem,
                context: context?.text ?? "",
                began: began == location ? nil : began
            )
            reports.append(Report(problem: .malformed(fault), place: Place(location: location)))
            guard !problem.contains("document") else { return nil }
            // A block goes on until it is wrong; what stands in brackets or quotes was wrong from its start.
            return context?.text.contains("block") ?? true ? location : began ?? location
        case .reader(let problem, _, let value, _):
            // The reader's offset counts characters of a text that we have padded and masked.
            let place = source.scalars.firstIndex { Int32(bitPattern: $0.value) == value } ?? 0
            report(.malformed(SyntaxFault(problem: problem, context: "")), at: place)
        default:
            report(.malformed(SyntaxFault(problem: "\(error)", context: "")), at: 0)
        }
        return nil
    }

    /// The nearest tab in the indentation of the line, or of one of the two above it.
    private func tab(before location: SourceLocation) -> SourceLocation? {
        guard let last = location.line else { return nil }
        for line in stride(from: last, through: max(1, last - 2), by: -1) {
            let indentation = (source.line(line) ?? "").unicodeScalars.prefix {
                $0 == " " || $0 == "\t"
            }
            let column = indentation.enumerated().first { $0.element == "\t" }?.offset
            if let column {
                return SourceLocation(file: location.file, line: line, column: column + 1)
            }
        }
        return nil
    }
}
