/// Scenarios of version 1 of the language: what to write instead, key by key.
///
/// Version 2 puts several apps on a phone and merges `audio` and `media` into `voice`.
enum VersionOne {
    /// One report for every key that reads otherwise now; empty unless the file is of version 1.
    static func reports(of root: SyntaxNode) -> [Report] {
        guard let version = root["version"], version.value.text == "1" else { return [] }
        var reports = [
            report("the file", "write 'version: 2'", at: version.value.place)
        ]
        for key in ["audio", "media"] {
            guard let entry = root[key] else { continue }
            let mode = entry.value.text.map { "write 'voice: \($0)'" }
            let advice = mode ?? "write 'voice'"
            reports.append(report("'\(key)'", advice, at: entry.keyPlace))
        }
        if let devices = root["devices"] {
            reports.append(report("'devices'", "write 'phones'", at: devices.keyPlace))
            for device in devices.value.elements { reports += self.reports(ofDevice: device) }
        }
        for entry in root["timeline"]?.value.elements ?? [] {
            guard let phone = entry["do"]?.value["phone"] else { continue }
            reports.append(report("'phone'", "write 'condition'", at: phone.keyPlace))
        }
        return reports
    }

    /// A device had one app, whose keys stood beside the phone's own.
    private static func reports(ofDevice device: SyntaxNode) -> [Report] {
        let own = ["group", "opens"].compactMap { device[$0] }
        let words = own.map { "\($0.key): \($0.value.text ?? "…")" }
        let app = device["app"]?.value.text ?? "…"
        let inner = words.isEmpty ? "{}" : "{ \(words.joined(separator: ", ")) }"
        let advice = "write 'apps: { \(app): \(inner) }'"
        var reports = own.map { entry in
            report("'\(entry.key)' beside 'app'", advice, at: entry.keyPlace)
        }
        if let app = device["app"] { reports.append(report("'app'", advice, at: app.keyPlace)) }
        for (key, other) in [("links", "radios"), ("phone", "condition")] {
            guard let entry = device[key] else { continue }
            reports.append(report("'\(key)' of a device", "write '\(other)'", at: entry.keyPlace))
        }
        return reports
    }

    /// A remark on a key that version 2 has renamed, where the new one may stand.
    static func renamed(_ key: String, among allowed: [String]) -> Diagnostic.Note? {
        let names = [
            ("devices", "phones"), ("audio", "voice"), ("media", "voice"), ("links", "radios"),
            ("phone", "condition"), ("app", "apps"), ("device", "phone"),
        ]
        let other = names.first { $0.0 == key && allowed.contains($0.1) }
        return other.map { .init("it is called '\($0.1)' since version 2") }
    }

    private static func report(_ what: String, _ advice: String, at place: Place) -> Report {
        Report(problem: .oldKey(what, write: advice), place: place)
    }
}

extension SyntaxNode {
    /// The key and value, if it is a mapping that has the key.
    fileprivate subscript(key: String) -> Entry? {
        entries?.first { $0.key == key }
    }

    /// The entries of a list.
    fileprivate var elements: [SyntaxNode] {
        guard case .sequence(let nodes) = content else { return [] }
        return nodes
    }

    /// The text of a single value.
    fileprivate var text: String? {
        guard case .scalar(let scalar) = content else { return nil }
        return scalar.text
    }
}
