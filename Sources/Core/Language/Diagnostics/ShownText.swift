/// Text from files that somebody else may have written, as a terminal may see it.
public enum ShownText {
    /// How many Unicode scalars of one message are shown.
    private static let countMax = 600

    /// The text with every control character but tab and line feed as a symbol: none of them moves the
    /// cursor, hides what stands there, or turns the direction of writing.
    ///
    /// C0 controls become Unicode's control pictures, everything else U+FFFD.
    public static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard isControl(scalar) else {
                shown.append(scalar)
                continue
            }
            let picture = scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) : nil
            shown.append(picture ?? "\u{FFFD}")
        }
        return String(shown)
    }

    /// The text on one line, as a comment of a scenario takes it: what ends a line to YAML is a space.
    package static func oneLine(_ text: String) -> String {
        escaped(text.replacingScalars { SourceText.isBreak($0) ? " " : nil })
    }

    /// The text, of a long one its beginning and its end.
    public static func cut(_ text: String) -> String {
        // Bytes are counted at no cost, and there are at least as many as scalars.
        guard text.utf8.count > countMax else { return text }
        let scalars = Array(text.unicodeScalars)
        guard scalars.count > countMax else { return text }
        return SourceText.string(scalars.prefix(countMax / 2)) + " … "
            + SourceText.string(scalars.suffix(countMax / 3))
    }

    /// C0 and C1 controls, DEL, and what turns the direction of text.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0x00...0x1F, 0x7F...0x9F: true
        default: turnsText(scalar)
        }
    }

    /// Whether a scalar turns the direction of what stands behind it (Unicode UAX #9, the explicit ones).
    package static func turnsText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension String {
    /// The text with some of its Unicode scalars replaced.
    ///
    /// `replacing` and `split` go by `Character`, and take neither the line feed in `"\r\n"` nor a
    /// quotation mark with a combining accent behind it for one: whatever reads the result goes by bytes.
    ///
    /// - Parameter replacement: What stands for a scalar; `nil` leaves it as it is.
    /// - Returns: The text.
    package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if let other = replacement(scalar) {
                text += other
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
