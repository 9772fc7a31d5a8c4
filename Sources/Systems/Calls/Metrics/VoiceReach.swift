import KodamaEvidence
import KodamaSession

/// When voice could pass between each app and the room server: packets did, media were not cut, and the server
/// answered.
///
/// A server that says nothing learns of no microphone that is opened, and tells of none.
/// An app whose phone has lost one radio of several can go over to another.
struct VoiceReach {
    private let links: PhoneLinks

    init(_ directory: TraceDirectory) {
        links = PhoneLinks(directory)
    }

    /// What of the room server everybody needs.
    static let shared: [Resource] = [.server("rooms"), .signallingAnswers]

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
        if Self.shared.contains(where: { conditions.isWithout($0) }) { return false }
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
        return Self.shared.map { conditions.without($0, end: end) }
            .reduce(conditions.without(.path, of: app, end: end)) { $0.union($1) }
            .union(conditions.without(.media, of: phone, end: end)).union(none)
            .union(conditions.without(.voice, of: phone, end: end))
            .complement(in: span).length
    }
}
