/// Tells the milestones of systems that have no narrator, in the words of their forms.
struct MilestoneNarrator: SystemNarrator {
    private var texts: [TraceKind: TraceFormText] = [:]

    init(_ directory: TraceDirectory) {
        for entry in directory.systems.milestonesOfNoNarrator { texts[entry.kind] = entry.text }
    }

    mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        guard let text = texts[record.kind] else { return }
        let values = text.fields.indices.map { Self.value(text.fields[$0], record.values[$0]) }
        let with = narration.name(of: record.subject).map { "with \($0)" }
        let details = ([with].compactMap(\.self) + values).joined(separator: ", ")
        let sentence = Self.clause(text.summary) + (details.isEmpty ? "" : ": \(details)")
        narration.say(sentence, of: record.component, at: record.instant)
    }

    /// A sentence without its capital and its full stop; a word of capitals keeps them.
    private static func clause(_ sentence: String) -> String {
        let first = sentence.prefix { $0 != " " }
        let isCapitalised = first.dropFirst().allSatisfy { !$0.isUppercase }
        let head = isCapitalised ? first.lowercased() : String(first)
        let rest = sentence.dropFirst(first.count)
        return head + (rest.hasSuffix(".") ? rest.dropLast() : rest)
    }

    private static func value(_ field: TraceField, _ number: Int64) -> String {
        let isTime = field.name.hasSuffix("_ns")
        let name = String(field.name.dropLast(isTime ? 3 : 0)).replacing("_", with: " ")
        let word = field.words?.word(of: number)?.replacing("-", with: " ")
        return "\(name) \(word ?? (isTime ? number.lengthText : "\(number)"))"
    }
}
