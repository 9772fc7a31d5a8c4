import KodamaEvidence
import PeerTransport
import SansIO

extension IntercomNarrator {
    /// What befell links, and therefore may be why something happens shortly after.
    struct Disruptions {
        /// By link the latest that befell it.
        private var latest: [String: Sentence.Cause] = [:]
        /// The phones that have joined a group.
        private var phones: Set<String> = []

        /// Notes what befell a link.
        mutating func note(_ record: TraceRecord, in narration: Narration) {
            let link = narration.name(of: record.component) ?? ""
            latest[link] = Sentence.Cause(
                at: record.instant,
                "the link \(link) \(LinkChanged(record).disruption.value.pastTense)"
            )
        }

        /// Learns the name of a phone that joins a group.
        mutating func meet(_ phone: ComponentIndex, in narration: Narration) {
            if let name = narration.name(of: phone) { phones.insert(name) }
        }

        /// What befell a link of a record's pair shortly before it.
        func recent(
            _ record: TraceRecord,
            _ path: TransportPath,
            in narration: Narration
        ) -> Sentence.Cause? {
            let names = [record.component, record.subject].compactMap { narration.name(of: $0) }
            guard names.count == 2 else { return nil }
            let links =
                path == .local
                ? ["\(names[0])/\(names[1])", "\(names[1])/\(names[0])"]
                : names.flatMap { name in
                    latest.keys.sorted().filter { link in
                        // A link that ends at another phone is no way to the Internet.
                        link.hasPrefix(name + "/") && !phones.contains { link.hasSuffix("/" + $0) }
                    }
                }
            let causes = links.compactMap { latest[$0] }
            guard let last = causes.max(by: { $0.at < $1.at }),
                last.at.duration(to: record.instant).wholeNanoseconds <= IntercomNarrator.recentMax
            else { return nil }
            return last
        }
    }
}
