import KodamaEvidence
import SansIO

/// When phones lost their way to the Internet, and to each other, as the world's own records tell it.
///
/// Only what lets nothing pass ends a way: one that is slow, jammed or lossy still stands.
struct InternetEnds {
    /// When something let nothing pass.
    private struct Closures {
        /// Since when it lets nothing pass.
        var since: Int64?
        /// The times that are over, in order.
        var former: [Span] = []

        mutating func set(_ isShut: Bool, at now: Int64) {
            guard isShut == (since == nil) else { return }
            if let since { former.append(Span(start: since, end: now)) }
            since = isShut ? now : nil
        }

        /// The times that were not over at an instant.
        func all(since start: Int64) -> [Span] {
            let first = former.lastIndex { $0.end <= start }.map { $0 + 1 } ?? 0
            return former[first...] + (since.map { [Span(start: $0, end: Span.future)] } ?? [])
        }

        /// Whether it lets nothing pass, or did until after an instant.
        func outlasts(_ start: Int64) -> Bool {
            since != nil || former.last.map { $0.end > start } ?? false
        }
    }

    private var ways: PhoneWays
    /// When each link between phones was shut, and each phone deaf to all others by such links.
    private var shut: [Int: Closures] = [:]
    private var deaf: [Int: Closures] = [:]
    /// When each phone had no Internet.
    private var offline: [Int: Closures] = [:]

    init(_ directory: TraceDirectory) {
        ways = PhoneWays(directory)
    }

    mutating func record(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        switch ways.take(record) {
        case .link(let link): shut[link, default: Closures()].set(ways.isShut(link: link), at: now)
        case .phone(let phone):
            deaf[phone, default: Closures()].set(ways.isDeaf(phone), at: now)
            offline[phone, default: Closures()].set(ways.isOffline(phone), at: now)
        case nil: return
        }
    }

    /// When nothing passed between two phones, by any way that they have, from an instant on.
    func cuts(
        between one: ComponentIndex,
        and other: ComponentIndex,
        since start: Int64
    ) -> Spans {
        guard let first = ways.links.owners.place(of: one),
            let second = ways.links.owners.place(of: other)
        else { return Spans() }
        func times(_ closures: [Closures?]) -> Spans {
            Spans(closures.flatMap { $0?.all(since: start) ?? [] })
        }
        var cuts: Spans?
        if let link = ways.links.between[PhonePair(first, second)] {
            cuts = times([shut[link], deaf[first], deaf[second]])
        }
        if ways.shareInternet(first, second) {
            let apart = times([offline[first], offline[second]])
            cuts = cuts?.intersection(apart) ?? apart
        }
        return cuts ?? Spans()
    }

    /// Whether one of the two had no Internet at some time since then.
    func hasEnd(
        between one: ComponentIndex,
        and other: ComponentIndex,
        since start: Int64
    ) -> Bool {
        [one, other].contains { component in
            guard let phone = ways.links.owners.place(of: component) else { return false }
            return offline[phone]?.outlasts(start) ?? false
        }
    }
}
