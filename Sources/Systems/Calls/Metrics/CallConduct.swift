import KodamaEvidence
import SansIO

/// Whose voice is heard in whose call, and whether it may be (K-22).
///
/// A voice must not be heard from a phone whose user has muted the call, nor from one whose app says that
/// the call is over, nor from one that has a phone call, nor from one whose user has logged out; such a one
/// does not ring either. What is on its way then still arrives: half a second is allowed.
struct CallConduct {
    private static let grace: Int64 = 500_000_000

    /// A voice that is heard.
    private struct Flow: Equatable {
        let listener: ComponentIndex
        let talker: ComponentIndex
        let call: Int64
        let since: Int64
    }

    private enum Reason {
        case muted, over, phoneCall, signedOut
    }

    /// Why a voice must not be heard, and since when.
    private struct Ban: Equatable {
        let since: Int64
        let reason: Reason
    }

    /// What a ban covers.
    private struct Banned: Hashable {
        let talker: ComponentIndex
        /// `nil` for all of its calls.
        let call: Int64?
    }

    /// How many voices were heard, and of how many of them something that must not have been.
    private(set) var voices = 0
    private(set) var breaches: [Span] = []

    /// The voices that are heard, by talker, and what must not be.
    private var flows: [ComponentIndex: [Flow]] = [:]
    private var bans: [Banned: [Ban]] = [:]

    /// A voice is heard from now on.
    mutating func flows(
        from talker: ComponentIndex,
        to listener: ComponentIndex,
        _ call: Int64,
        at now: Int64
    ) {
        voices += 1
        let flow = Flow(listener: listener, talker: talker, call: call, since: now)
        flows[talker, default: []].append(flow)
    }

    /// It is heard no more.
    mutating func stops(
        from talker: ComponentIndex,
        to listener: ComponentIndex,
        _ call: Int64,
        at now: Int64
    ) {
        let index = flows[talker]?.firstIndex { $0.listener == listener && $0.call == call }
        guard let index, let flow = flows[talker]?.remove(at: index) else { return }
        check(flow, until: now)
    }

    /// The user of an app's phone mutes a call.
    mutating func mutes(_ talker: ComponentIndex, _ call: Int64, at now: Int64) {
        ban(talker, call, .muted, at: now)
    }

    /// The user unmutes it; another stays muted.
    mutating func unmutes(_ talker: ComponentIndex, _ call: Int64, at now: Int64) {
        lift(.muted, of: talker, in: call, at: now)
    }

    /// An app says that a call is over.
    mutating func ends(_ talker: ComponentIndex, _ call: Int64, at now: Int64) {
        ban(talker, call, .over, at: now)
    }

    /// A phone call takes the microphone from an app.
    mutating func silences(_ talker: ComponentIndex, at now: Int64) {
        ban(talker, nil, .phoneCall, at: now)
    }

    /// It is over.
    mutating func unsilences(_ talker: ComponentIndex, at now: Int64) {
        lift(.phoneCall, of: talker, at: now)
    }

    /// The user of an app logs out.
    mutating func signsOut(_ app: ComponentIndex, at now: Int64) {
        ban(app, nil, .signedOut, at: now)
    }

    /// A user signs in.
    mutating func signsIn(_ app: ComponentIndex, at now: Int64) {
        lift(.signedOut, of: app, at: now)
    }

    /// Whether nobody has been signed in to an app for longer than is allowed for.
    func isSignedOut(_ app: ComponentIndex, at instant: Int64) -> Bool {
        bans(of: app).contains { $0.reason == .signedOut && instant - $0.since > Self.grace }
    }

    /// Whether nobody is signed in to an app, and nobody has been since an instant.
    func hasBeenSignedOut(_ app: ComponentIndex, since instant: Int64) -> Bool {
        bans(of: app).contains { $0.reason == .signedOut && $0.since <= instant }
    }

    /// A phone rang.
    mutating func rings(_ app: ComponentIndex, from began: Int64, to end: Int64) {
        if isSignedOut(app, at: began) { breaches.append(Span(start: began, end: end)) }
    }

    /// Whether the user of an app's phone has a phone call.
    func hasPhoneCall(_ app: ComponentIndex) -> Bool {
        bans(of: app).contains { $0.reason == .phoneCall }
    }

    /// Whether the user of an app's phone has muted a call, or has a phone call.
    func isSilent(_ talker: ComponentIndex, in call: Int64) -> Bool {
        !bans(of: talker).isEmpty || !bans(of: talker, in: call).isEmpty
    }

    /// The run is over: what is heard is heard until then.
    mutating func close(at now: Int64) {
        let lasting = flows.values.joined().sorted {
            ($0.since, $0.talker.index, $0.call) < ($1.since, $1.talker.index, $1.call)
        }
        for flow in lasting { check(flow, until: now) }
        flows = [:]
        bans = [:]
    }

    /// What bans one call of an app, or all of them.
    private func bans(of talker: ComponentIndex, in call: Int64? = nil) -> [Ban] {
        bans[Banned(talker: talker, call: call)] ?? []
    }

    private mutating func ban(
        _ talker: ComponentIndex,
        _ call: Int64?,
        _ reason: Reason,
        at now: Int64
    ) {
        let ban = Ban(since: now, reason: reason)
        bans[Banned(talker: talker, call: call), default: []].append(ban)
    }

    /// Lifts what bans one call of an app, or what bans all of them.
    private mutating func lift(
        _ reason: Reason,
        of talker: ComponentIndex,
        in call: Int64? = nil,
        at now: Int64
    ) {
        for ban in bans(of: talker, in: call) where ban.reason == reason {
            for flow in flows[talker] ?? [] where call.map({ $0 == flow.call }) ?? true {
                check(flow, ban, until: now)
            }
        }
        bans[Banned(talker: talker, call: call)]?.removeAll { $0.reason == reason }
    }

    private mutating func check(_ flow: Flow, until now: Int64) {
        let bans = bans(of: flow.talker) + bans(of: flow.talker, in: flow.call)
        for ban in bans.sorted(by: { $0.since < $1.since }) { check(flow, ban, until: now) }
    }

    private mutating func check(_ flow: Flow, _ ban: Ban, until now: Int64) {
        let from = max(flow.since, ban.since)
        guard now - from > Self.grace else { return }
        breaches.append(Span(start: from, end: now))
    }
}
