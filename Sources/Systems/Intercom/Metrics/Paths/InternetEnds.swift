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

    /// Since when nothing passes between two phones, by any way that they have, and when nothing did before.
    private var cutSince: [PhonePair: Int64] = [:]
    private var formerCuts: [PhonePair: [Span]] = [:]

    init(_ directory: TraceDirectory) {
        links = PhoneLinks(directory)
        ways = PhoneWays(directory)
    }

    mutating func record(_ record: TraceRecord) {
        let component = Int(record.component.index)
        let now = record.instant.nanoseconds
        guard ways.take(record) else { return }
        if let ends = links.ends[component] { review(PhonePair(ends.0, ends.1), at: now) }
        guard let phone = links.radios[component] ?? links.owners.place(of: record.component)
        else { return }
        for other in links.owners.phones where other != phone {
            review(PhonePair(phone, other), at: now)
        }
        if ways.isOffline(phone) {
            offlineUntil[phone] = Span.future
        } else if offlineUntil[phone] == Span.future {
            offlineUntil[phone] = now
        }
    }

    /// Looks again at whether nothing passes between two phones.
    private mutating func review(_ pair: PhonePair, at now: Int64) {
        let isCut = ways.isCut(ComponentIndex(pair.first), ComponentIndex(pair.second))
        guard isCut == (cutSince[pair] == nil) else { return }
        if let since = cutSince[pair] {
            formerCuts[pair, default: []].append(Span(start: since, end: now))
        }
        cutSince[pair] = isCut ? now : nil
    }

    /// When nothing passed between two phones, by any way that they have.
    func cuts(between one: ComponentIndex, and other: ComponentIndex) -> Spans {
        guard let first = links.owners.place(of: one), let second = links.owners.place(of: other)
        else { return Spans() }
        let pair = PhonePair(first, second)
        let open = cutSince[pair].map { [Span(start: $0, end: Span.future)] } ?? []
        return Spans((formerCuts[pair] ?? []) + open)
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
