import KodamaEvidence
import PeerTransport
import SansIO

/// What befalls the radio between two phones, as the world's own records tell it: whether a handover
/// had a warning is never asked of the app that makes it.
struct RadioTroubles {
    /// What is known of the radio between two phones.
    private struct Trouble {
        /// When its link was last changed, slowed or jammed.
        var warnedAt: Int64?
        /// When nothing passed any more, while that is so.
        var stoppedAt: Int64?
        /// Since when both have a connection over the Internet.
        var standbySince: Int64?
        /// Whose app has one.
        var connected: Set<Int> = []
    }

    /// How a handover from radio to Internet came about.
    enum Cause {
        /// The radio ended from one moment to the next, with the Internet standing by.
        case cut
        /// The radio got worse at least a second before it ended, with the Internet standing by.
        case warned
        /// The Internet did not stand by when the trouble began, or the radio did not end.
        case other
    }

    /// A warning lies at least so long before the end.
    private static var warningMin: Int64 { 1_000_000_000 }
    /// What lies further back than this has nothing to do with the end.
    private static var warningMax: Int64 { 60_000_000_000 }

    private let links: PhoneLinks
    private let phones: [Int]
    private var troubles: [PhonePair: Trouble] = [:]

    init(_ directory: TraceDirectory) {
        links = PhoneLinks(directory)
        phones = links.phones
    }

    mutating func record(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        switch record.kind {
        case LinkChanged.kind: change(record, at: now)
        case LinkReached.kind: move(record, at: now)
        case PeerRadioSwitched.kind: switchRadio(record, at: now)
        case ConnectionUp.kind where ConnectionUp(record).path.value == .internet:
            connect(record, isUp: true, at: now)
        case ConnectionDown.kind where ConnectionDown(record).path.value == .internet:
            connect(record, isUp: false, at: now)
        default: break
        }
    }

    /// How the handover came about that ends between these two phones, the silence of which began then.
    func cause(between one: ComponentIndex, and other: ComponentIndex, from start: Int64) -> Cause {
        guard let trouble = pair(one, other).flatMap({ troubles[$0] }) else { return .other }
        let warning = trouble.warnedAt.flatMap { start - $0 <= Self.warningMax ? $0 : nil }
        let begin = min(trouble.stoppedAt ?? start, warning ?? start)
        guard let standby = trouble.standbySince, standby <= begin,
            let stopped = trouble.stoppedAt
        else { return .other }
        guard let warning, stopped - warning >= Self.warningMin else { return .cut }
        return .warned
    }

    /// Whether the radio between two phones is gone.
    func hasEnd(between one: ComponentIndex, and other: ComponentIndex) -> Bool {
        pair(one, other).flatMap { troubles[$0]?.stoppedAt } != nil
    }

    /// When the radio between two phones ended that is gone at this instant, if the Internet stood by.
    func end(between one: ComponentIndex, and other: ComponentIndex, at now: Int64) -> Int64? {
        guard cause(between: one, and: other, from: now) != .other else { return nil }
        return pair(one, other).flatMap { troubles[$0]?.stoppedAt }
    }

    private mutating func change(_ record: TraceRecord, at now: Int64) {
        guard let phones = links.ends[Int(record.component.index)] else { return }
        let pair = PhonePair(phones.0, phones.1)
        switch LinkChanged(record).disruption.value {
        case .stopped: troubles[pair, default: Trouble()].stoppedAt = now
        case .slowed, .jammed, .changed: troubles[pair, default: Trouble()].warnedAt = now
        case .restored:
            troubles[pair]?.stoppedAt = nil
            troubles[pair]?.warnedAt = nil
        case nil: break
        }
    }

    /// People walk: a radio that reaches badly has given a warning, one that reaches nothing has ended.
    private mutating func move(_ record: TraceRecord, at now: Int64) {
        guard let phones = links.ends[Int(record.component.index)] else { return }
        let pair = PhonePair(phones.0, phones.1)
        var trouble = troubles[pair] ?? Trouble()
        switch LinkReached(record).reach.value {
        case .good:
            trouble.warnedAt = nil
            trouble.stoppedAt = nil
        case .weak:
            trouble.warnedAt = trouble.warnedAt ?? now
            trouble.stoppedAt = nil
        case .gone: trouble.stoppedAt = trouble.stoppedAt ?? now
        case nil: break
        }
        troubles[pair] = trouble
    }

    private mutating func switchRadio(_ record: TraceRecord, at now: Int64) {
        guard let phone = links.owners.place(of: record.component) else { return }
        let isOn = PeerRadioSwitched(record).isOn.isSet
        for other in phones where other != phone {
            troubles[PhonePair(phone, other), default: Trouble()].stoppedAt = isOn ? nil : now
        }
    }

    private mutating func connect(_ record: TraceRecord, isUp: Bool, at now: Int64) {
        guard let phone = links.owners.place(of: record.component),
            let pair = pair(record.component, record.subject)
        else { return }
        var trouble = troubles[pair] ?? Trouble()
        if isUp { trouble.connected.insert(phone) } else { trouble.connected.remove(phone) }
        if trouble.connected.count < 2 {
            trouble.standbySince = nil
        } else {
            trouble.standbySince = trouble.standbySince ?? now
        }
        troubles[pair] = trouble
    }

    private func pair(_ one: ComponentIndex, _ other: ComponentIndex) -> PhonePair? {
        guard let first = links.owners.place(of: one),
            let second = links.owners.place(of: other)
        else { return nil }
        return PhonePair(first, second)
    }
}
