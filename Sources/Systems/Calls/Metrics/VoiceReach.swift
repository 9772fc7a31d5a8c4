import KodamaEvidence

/// When voice could pass between each app and the room server: packets did, and media were not cut.
///
/// An app whose phone has lost one radio of several can go over to another.
struct VoiceReach {
    private let links: PhoneLinks

    init(_ directory: TraceDirectory) {
        links = PhoneLinks(directory)
    }

    /// The phone that a component is, belongs to, or is a radio of.
    func phone(of component: ComponentIndex) -> ComponentIndex {
        links.radios[Int(component.index)].map { ComponentIndex($0) }
            ?? links.owners.phone(of: component)
    }

    /// The radios of a phone; `nil` if it has none.
    private func radios(of phone: ComponentIndex) -> [ComponentIndex]? {
        links.radiosOfPhone[Int(phone.index)]?.map { ComponentIndex($0) }
    }

    /// Whether voice can pass now.
    func reaches(_ app: ComponentIndex, _ conditions: Conditions) -> Bool {
        let phone = links.owners.phone(of: app)
        if conditions.isWithout(.path, of: app) || conditions.isWithout(.media, of: phone) {
            return false
        }
        guard let radios = radios(of: phone) else { return true }
        return !radios.allSatisfy {
            conditions.isWithout(.media, of: $0) || conditions.isWithout(.network, of: $0)
        }
    }

    /// How much of a time voice could pass, and be taken and played at the phone: its voice engine does not fail.
    func time(of app: ComponentIndex, in span: Span, _ conditions: Conditions) -> Int64 {
        guard !span.isEmpty else { return 0 }
        let phone = links.owners.phone(of: app)
        let end = span.end
        let deaf = radios(of: phone)?.map {
            conditions.without(.media, of: $0, end: end)
                .union(conditions.without(.network, of: $0, end: end))
        }
        let none = deaf?.dropFirst().reduce(deaf?.first) { $0?.intersection($1) } ?? Spans()
        return conditions.without(.path, of: app, end: end)
            .union(conditions.without(.media, of: phone, end: end)).union(none)
            .union(conditions.without(.voice, of: phone, end: end))
            .complement(in: span).length
    }
}
