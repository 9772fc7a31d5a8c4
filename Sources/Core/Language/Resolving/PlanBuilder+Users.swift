// Users: signed in on phones, referred to by those who want something of them.

extension PlanBuilder {
    /// Somebody is signed in to a system's app on a phone.
    package mutating func signIn(_ user: CheckedValue?, to system: String) {
        guard let name = user?.text, !name.isEmpty, users[system]?.contains(name) != true
        else { return }
        users[system, default: []].append(name)
    }

    /// An app refers to a user, who may be signed in on a phone that stands further down.
    package mutating func expectUser(_ user: CheckedValue?, of system: String) {
        if let user { expectedUsers.append((user, system)) }
    }

    /// Looks up all that was referred to before all phones were known.
    mutating func checkExpectedUsers() {
        for (user, system) in expectedUsers { _ = refer(user, toUserOf: system) }
        expectedUsers = []
    }

    /// The name of a user who is signed in on some phone, or `nil` after a report.
    package mutating func refer(_ user: CheckedValue?, toUserOf system: String) -> String? {
        guard let user, let name = user.text else { return nil }
        let known = users[system] ?? []
        if known.contains(name) { return name }
        // The user may be of a phone that was refused.
        guard phonesAreSound, !lost.contains(where: NameKind.phone.mayName) else { return nil }
        let nearest = Suggestion.nearest(to: name, among: known)
        report(
            "nobody is signed in as '\(name)' on any phone",
            code: "unknown-user",
            hint: nearest.map { "did you mean '\($0)'?" }
                ?? "users are: \(known.sorted().joined(separator: ", "))",
            at: user
        )
        return nil
    }
}
