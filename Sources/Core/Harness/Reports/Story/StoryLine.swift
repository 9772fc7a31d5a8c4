/// One line of a trace's text form, in its parts.
///
/// Stories lean on the names that the text form has, and on nothing else of the trace.
struct StoryLine {
    var at: Int64
    var component: String
    var kind: String
    /// The other component that it concerns, if there is one.
    var subject: String?
    /// The values with their names, as the line has them.
    var values: String

    /// Reads a line; `nil` if it is none of a record.
    init?(_ line: Substring) {
        let parts = line.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: true)
        guard parts.count >= 4, let at = Int64(parts[0]) else { return nil }
        self.at = at
        component = String(parts[1])
        kind = String(parts[2])
        subject = parts[3] == "-" ? nil : String(parts[3])
        values = parts.count > 4 ? String(parts[4].drop { $0 == " " }) : ""
    }

    /// The word or number of a value, if the record has it.
    func value(_ name: String) -> String? {
        for pair in values.split(separator: " ") {
            guard let sign = pair.firstIndex(of: "="), pair[..<sign] == name else { continue }
            return String(pair[pair.index(after: sign)...])
        }
        return nil
    }

    /// The number of a value, if it is one.
    func number(_ name: String) -> Int64? { value(name).flatMap { Int64($0) } }
}
