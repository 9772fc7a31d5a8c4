import KodamaEvidence

/// When voice could pass between each app and the room server: packets did, and media were not cut.
///
/// An app whose phone has lost one radio of several can go over to another.
struct VoiceReach {
    /// The radios of each phone.
    private let radios: [ComponentIndex: [ComponentIndex]]
    private let owners: Owners

    init(_ directory: TraceDirectory) {
        let links = PhoneLinks(directory)
        owners = links.owners
        var radios: [ComponentIndex: [ComponentIndex]] = [:]
        for (radio, phone) in links.radios.sorted(by: { $0.key < $1.key }) {
            radios[ComponentIndex(phone), default: []].append(ComponentIndex(radio))
        }
        self.radios = radios
    }

    /// Whether voice can pass now.
    func reaches(_ app: ComponentIndex, _ conditions: Conditions) -> Bool {
        let phone = owners.phone(of: app)
        if conditions.isWithout(.path, of: app) || conditions.isWithout(.media, of: phone) {
            return false
        }
        guard let radios = radios[phone] else { return true }
        return !radios.allSatisfy {
            conditions.isWithout(.media, of: $0) || conditions.isWithout(.network, of: $0)
        }
    }

    /// How much of a time voice could pass.
    func time(of app: ComponentIndex, in span: Span, _ conditions: Conditions) -> Int64 {
        guard !span.isEmpty else { return 0 }
        let phone = owners.phone(of: app)
        let end = span.end
        let deaf = radios[phone]?.map {
            conditions.without(.media, of: $0, end: end)
                .union(conditions.without(.network, of: $0, end: end))
        }
        let none = deaf?.dropFirst().reduce(deaf?.first) { $0?.intersection($1) } ?? Spans()
        return conditions.without(.path, of: app, end: end)
            .union(conditions.without(.media, of: phone, end: end)).union(none)
            .complement(in: span).length
    }
}
