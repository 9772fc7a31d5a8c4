extension YAMLReader {
    /// Blanks the smallest part of the text that holds a mistake, so that the rest can be read.
    ///
    /// A part is an entry of a top-level key: a list's element or a mapping's key with all that belongs to
    /// it; or the whole key if nothing of it is left. Line and column of everything else stay.
    ///
    /// - Parameter mistake: Where the mistake was noticed, or what it began with.
    /// - Returns: Whether anything was there to blank.
    mutating func leaveOut(around mistake: SourceLocation) -> Bool {
        guard let line = mistake.line else { return false }
        let section = section(at: line)
        guard !section.isEmpty else { return false }
        var entry = entry(at: line, of: section)
        if entry.allSatisfy(isBlank) { entry = section }
        let rest = section.dropFirst().filter { !entry.contains($0) && !isBlank($0) }
        if rest.isEmpty { entry = section }
        guard !entry.allSatisfy(isBlank) else { return false }
        for line in entry { blank(line) }
        gaps.insert(key(of: section))
        return true
    }

    /// The lines of the top-level key that `line` belongs to, the key's own first.
    private func section(at line: Int) -> Range<Int> {
        var first = min(line, source.lineCount)
        while first > 1, !beginsKey(first) { first -= 1 }
        var end = first + 1
        while end <= source.lineCount, !beginsKey(end) { end += 1 }
        return first..<end
    }

    /// The lines of the entry that `line` belongs to, inside a top-level key.
    private func entry(at line: Int, of section: Range<Int>) -> Range<Int> {
        let inner = section.dropFirst()
        guard line > section.lowerBound, let least = inner.first(where: { !isBlank($0) }) else {
            return section
        }
        let indentation = indentation(of: least)
        func begins(_ line: Int) -> Bool {
            !isBlank(line) && self.indentation(of: line) <= indentation
                && source.line(line)?.unicodeScalars.first != "\t"
        }
        let first = inner.last { $0 <= line && begins($0) } ?? line
        let end = inner.first { $0 > max(first, line) && begins($0) } ?? section.upperBound
        return first..<end
    }

    /// The first double quote up to the line `last` that its own line does not close: all that follows is read
    /// inside out, so that the mistake shows anywhere but there.
    func oddQuote(upTo last: Int) -> SourceLocation? {
        for line in 1...max(1, last) {
            var open: Int?
            var isEscaped = false
            var previous: Unicode.Scalar = " "
            for (index, scalar) in text(line).enumerated() {
                if scalar == "#", open == nil, previous == " " { break }
                if scalar == "\"", !isEscaped { open = open == nil ? index : nil }
                isEscaped = open != nil && scalar == "\\" && !isEscaped
                previous = scalar
            }
            if let open { return SourceLocation(file: source.file, line: line, column: open + 1) }
        }
        return nil
    }

    /// Whether a line begins a top-level key: it is not indented, and neither a remark nor a list's element.
    private func beginsKey(_ line: Int) -> Bool {
        guard let first = text(line).first else { return false }
        return !" \t#-]}".unicodeScalars.contains(first)
    }

    private func isBlank(_ line: Int) -> Bool {
        let first = text(line).first { $0 != " " && $0 != "\t" }
        return first == nil || first == "#"
    }

    private func indentation(of line: Int) -> Int {
        text(line).prefix { $0 == " " }.count
    }

    /// What is left of a line.
    private func text(_ line: Int) -> ArraySlice<Unicode.Scalar> {
        guard let start = source.offset(line: line, column: 1) else { return [] }
        return scalars[start...].prefix { !SourceText.isBreak($0) }
    }

    private mutating func blank(_ line: Int) {
        for index in text(line).indices { scalars[index] = " " }
    }

    /// The top-level key whose lines these are.
    private func key(of section: Range<Int>) -> String {
        let line = source.line(section.lowerBound) ?? ""
        return String(line.prefix { $0 != ":" })
    }
}
