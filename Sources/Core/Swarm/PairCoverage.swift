import KodamaEvidence
import KodamaSimulation

/// Which kinds of records followed which at the components of each role: what a world made its machines do, as
/// far as their traces tell.
///
/// A pair is (role, kind before, kind). The role of an app is its system, of a phone `phone`, of a server its name.
struct PairCoverage: TraceSink {
    /// The pairs, as the hash of role and both kinds' names.
    private(set) var pairs: Set<UInt64> = []
    private var roles: [UInt64] = []
    private var last: [UInt16] = []
    /// The pair last added for each component, which most often comes again.
    private var recent: [UInt64] = []
    private let phones: Set<String>
    private let people: Set<String>

    init(phones: some Sequence<String>, people: some Sequence<String>) {
        self.phones = Set(phones)
        self.people = Set(people)
    }

    mutating func begin(_ directory: TraceDirectory) {
        roles = directory.names.map { NameHash.of(role(of: $0)) }
        last = Array(repeating: 0, count: roles.count)
        recent = Array(repeating: 0, count: roles.count)
    }

    mutating func record(_ record: TraceRecord) {
        let index = Int(record.component.index)
        guard index < roles.count else { return }
        let code = record.kind.code
        let both = UInt64(last[index]) << 16 | UInt64(code)
        last[index] = code
        guard recent[index] != both else { return }
        recent[index] = both
        pairs.insert(roles[index] &+ (both &* 0x9E37_79B9_7F4A_7C15))
    }

    private func role(of name: String) -> String {
        if let dot = name.lastIndex(of: "."), phones.contains(String(name[..<dot])) {
            return String(name[name.index(after: dot)...])
        }
        if name.contains("/") { return "link" }
        if phones.contains(name) { return "phone" }
        return people.contains(name) ? "person" : name
    }
}
