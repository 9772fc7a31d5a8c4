import KodamaEvidence
import SansIO

/// When phones lost their way to the Internet, as the world's own records tell it.
///
/// Only what lets nothing pass ends it: an Internet that is slow, jammed or lossy still stands.
struct InternetEnds {
    private let links: PhoneLinks
    private var ways: PhoneWays
    /// Until when each phone that lost its Internet had none.
    private var offlineUntil: [Int: Int64] = [:]

    init(_ directory: TraceDirectory) {
        links = PhoneLinks(directory)
        ways = PhoneWays(directory)
    }

    mutating func record(_ record: TraceRecord) {
        let component = Int(record.component.index)
        guard ways.take(record),
            let phone = links.radios[component] ?? links.owners.place(of: record.component)
        else { return }
        if ways.isOffline(phone) {
            offlineUntil[phone] = Span.future
        } else if offlineUntil[phone] == Span.future {
            offlineUntil[phone] = record.instant.nanoseconds
        }
    }

    /// Whether nothing passes between two phones, by any way that there is.
    func isCut(between one: ComponentIndex, and other: ComponentIndex) -> Bool {
        ways.isCut(one, other)
    }

    /// Whether one of the two had no Internet at some time since then.
    func hasEnd(
        between one: ComponentIndex,
        and other: ComponentIndex,
        since start: Int64
    ) -> Bool {
        [one, other].contains { component in
            guard let phone = links.owners.place(of: component) else { return false }
            return offlineUntil[phone].map { $0 > start } ?? false
        }
    }
}
