import KodamaEvidence
import SansIO

/// Measures how the phones of an account come to hold the same: how soon, what is lost, and by which rule.
///
/// It knows who edited what and which edit each phone holds, and decides by the documented rule itself: an
/// edit that was made in sight of another is later, and of concurrent ones the later clock wins (D-28).
struct MirrorMeter {
    private var converge = Measure.time(
        "mirror.converge.time",
        """
        For each edit of a field, and each report: from when it was made, or all phones of the account were \
        last online together if that is later, to when all hold the same there.
        """,
        "D-28, AN-18",
        excluding: ["a phone of the account is offline"]
    )
    private var conflicts = Measure.share(
        "mirror.conflicts",
        "Of all edits: those of a field that another phone had set and this one had not seen.",
        "D-28",
        occasions: .atOnce
    )
    private var byRule = Measure.share(
        "mirror.conflicts.by_rule",
        "Of the fields that were set on two phones at once and are the same again: those that hold the later edit.",
        "D-28",
        better: .higher,
        occasions: .atOnce
    )
    private var lost = Measure.count(
        "mirror.fields.lost",
        "Fields that are the same on all phones again and hold another edit than the last, of all such.",
        "D-28, AN-18",
        occasions: .atOnce
    )
    private var limited = Measure.share(
        "mirror.limited",
        "Of the requests to the mirror: those that it refused for a while.",
        "D-28",
        occasions: .atOnce
    )
    private var keeps = Invariant(
        "mirror.loses-nothing",
        "No phone replaces a field by an edit that the rule puts before the one that it holds.",
        "D-28, AN-18"
    )

    /// A field of an account.
    private struct Field {
        /// The edits, by number: their clocks.
        var clocks: [Int64: Int64] = [:]
        /// Which edit each phone holds, in the order of the phones.
        var held: [Int64?] = []
        /// The edits that not all phones know the end of.
        var open: [(made: Instant, occasion: Occasion)] = []
        var isConflict = false

        func clock(of edit: Int64?) -> Int64 { edit.flatMap { clocks[$0] } ?? .min }
        var latest: Int64 { clocks.values.max() ?? .min }
        var isSame: Bool { held.allSatisfy { $0 == held.first } }
    }

    private struct Account {
        var phones: [(component: ComponentIndex, isReachable: Bool)] = []
        /// Since when all are reachable.
        var together: Instant?
        var fields: [Int64: Field] = [:]

        func index(of phone: ComponentIndex) -> Int? {
            phones.firstIndex { $0.component == phone }
        }
    }

    private var accounts: [Int64: Account] = [:]

    var metrics: [any AnyMeasure] { [converge, conflicts, byRule, lost, limited] }
    var invariants: [Invariant] { [keeps] }

    /// Takes a record.
    ///
    /// - Returns: Whether it is of the mirror.
    mutating func take(_ record: TraceRecord, at position: Int) -> Bool {
        switch record.kind {
        case MirrorReach.kind: reach(MirrorReach(record), record)
        case MirrorSynced.kind:
            let isLimited = MirrorSynced(record).isLimited.isSet
            limited.add(isLimited ? 1 : 0, of: 1, at: Occurrence(record))
        case FieldEdited.kind: edit(FieldEdited(record), record, at: position)
        case FieldHeld.kind:
            let form = FieldHeld(record)
            hold(form.edit, form.field, of: form.account, record, at: position)
        default: return false
        }
        return true
    }

    private mutating func reach(_ form: MirrorReach, _ record: TraceRecord) {
        var account = accounts[form.account, default: Account()]
        if let index = account.index(of: record.component) {
            account.phones[index].isReachable = form.isReachable.isSet
        } else {
            account.phones.append((record.component, form.isReachable.isSet))
        }
        let isTogether = account.phones.allSatisfy { $0.isReachable }
        account.together = isTogether ? account.together ?? record.instant : nil
        accounts[form.account] = account
    }

    private mutating func edit(_ form: FieldEdited, _ record: TraceRecord, at position: Int) {
        let occasion = converge.open(at: record.instant, of: record.component, record)
        let phoneCount = accounts[form.account]?.phones.count ?? 0
        var field = accounts[form.account]?.fields[form.field] ?? Field()
        while field.held.count < phoneCount { field.held.append(nil) }
        let isConflict = !field.isSame
        conflicts.add(isConflict ? 1 : 0, of: 1, at: Occurrence(record))
        if isConflict { field.isConflict = true }
        field.clocks[form.edit] = form.clock
        field.open.append((record.instant, occasion))
        accounts[form.account, default: Account()].fields[form.field] = field
        hold(form.edit, form.field, of: form.account, record, at: position)
    }

    /// A phone holds an edit from now on.
    private mutating func hold(
        _ edit: Int64,
        _ number: Int64,
        of account: Int64,
        _ record: TraceRecord,
        at position: Int
    ) {
        guard let present = accounts[account], var field = present.fields[number],
            let phone = present.index(of: record.component), phone < field.held.count
        else { return }
        let isLater = field.clock(of: field.held[phone]) <= field.clock(of: edit)
        keeps.check(isLater, record, at: position)
        field.held[phone] = edit
        if field.isSame { settle(&field, together: present.together, record) }
        accounts[account]?.fields[number] = field
    }

    /// All phones hold the same in a field.
    private mutating func settle(
        _ field: inout Field,
        together: Instant?,
        _ record: TraceRecord
    ) {
        let now = record.instant
        let isLatest = field.clock(of: field.held.first ?? nil) == field.latest
        let place = Occurrence(record)
        lost.add(isLatest ? 0 : 1, at: place)
        if field.isConflict { byRule.add(isLatest ? 1 : 0, of: 1, at: place) }
        field.isConflict = false
        for (made, occasion) in field.open {
            guard let together else {
                converge.exclude(occasion, "a phone of the account is offline", at: now)
                continue
            }
            let since = max(made, together)
            converge.close(occasion, since.duration(to: now).wholeNanoseconds, at: now)
        }
        field.open = []
    }
}
