import KodamaLanguage

/// A number with its noun: `1 run`, `2 runs`.
public func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}

extension Sequence where Element: FixedWidthInteger {
    /// The sum; one that is out of range stays at its end, since a file says what is summed.
    var heldSum: Element {
        reduce(0) { sum, element in
            let (next, isOut) = sum.addingReportingOverflow(element)
            return isOut ? (element < 0 ? .min : .max) : next
        }
    }
}

/// Text for a shell to read back.
public enum ShellText {
    /// The word as a shell takes it for one: quoted only if it has to be.
    public static func quoted(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9": true
            case "_", "-", ".", "/", "=", "%", ":", ",", "+", "@": true
            default: false
            }
        }
        guard !isPlain || word.isEmpty else { return word }
        return "'" + word.replacingScalars { $0 == "'" ? "'\\''" : nil } + "'"
    }
}
