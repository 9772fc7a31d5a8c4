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

    /// A voice that must not be heard.
    private struct Ban: Equatable {
        let talker: ComponentIndex
        /// `nil` for all of its calls.
        let call: Int64?
        let since: Int64
        let reason: Reason

        func covers(_ flow: Flow) -> Bool {
            flow.talker == talker && call.map { $0 == flow.call } ?? true
        }
    }

    /// How many voices were heard, and of how many of them something that must not have been.
    private(set) var voices = 0
    private(set) var breaches: [Span] = []

    private var flows: [Flow] = []
    private var bans: [Ban] = []

    /// A voice is heard from now on.
    mutating func flows(
        from talker: ComponentIndex,
        to listener: ComponentIndex,
        _ call: Int64,
        at now: Int64
    ) {
        voices += 1
        flows.append(Flow(listener: listener, talker: talker, call: call, since: now))
    }

    /// It is heard no more.
    mutating func stops(
        from talker: ComponentIndex,
        to listener: ComponentIndex,
        _ call: Int64,
        at now: Int64
    ) {
        let index = flows.firstIndex {
            $0.talker == talker && $0.listener == listener && $0.call == call
        }
        guard let index else { return }
        let flow = flows.remove(at: index)
        for ban in bans { check(flow, ban, until: now) }
    }

    /// The user of an app's phone mutes a call.
    mutating func mutes(_ talker: ComponentIndex, _ call: Int64, at now: Int64) {
        bans.append(Ban(talker: talker, call: call, since: now, reason: .muted))
    }

    /// The user unmutes it; another stays muted.
    mutating func unmutes(_ talker: ComponentIndex, _ call: Int64, at now: Int64) {
        lift(.muted, of: talker, in: call, at: now)
    }

    /// An app says that a call is over.
    mutating func ends(_ talker: ComponentIndex, _ call: Int64, at now: Int64) {
        bans.append(Ban(talker: talker, call: call, since: now, reason: .over))
    }

    /// A phone call takes the microphone from an app.
    mutating func silences(_ talker: ComponentIndex, at now: Int64) {
        bans.append(Ban(talker: talker, call: nil, since: now, reason: .phoneCall))
    }

    /// It is over.
    mutating func unsilences(_ talker: ComponentIndex, at now: Int64) {
        lift(.phoneCall, of: talker, at: now)
    }

    /// The user of an app logs out.
    mutating func signsOut(_ app: ComponentIndex, at now: Int64) {
        bans.append(Ban(talker: app, call: nil, since: now, reason: .signedOut))
    }

    /// A user signs in.
    mutating func signsIn(_ app: ComponentIndex, at now: Int64) {
        lift(.signedOut, of: app, at: now)
    }

    /// Whether nobody has been signed in to an app for longer than is allowed for.
    func isSignedOut(_ app: ComponentIndex, at instant: Int64) -> Bool {
        bans.contains {
            $0.talker == app && $0.reason == .signedOut && instant - $0.since > Self.grace
        }
    }

    /// Whether nobody is signed in to an app, and nobody has been since an instant.
    func hasBeenSignedOut(_ app: ComponentIndex, since instant: Int64) -> Bool {
        bans.contains { $0.talker == app && $0.reason == .signedOut && $0.since <= instant }
    }

    /// A phone rang.
    mutating func rings(_ app: ComponentIndex, from began: Int64, to end: Int64) {
        if isSignedOut(app, at: began) { breaches.append(Span(start: began, end: end)) }
    }

    /// Whether the user of an app's phone has a phone call.
    func hasPhoneCall(_ app: ComponentIndex) -> Bool {
        bans.contains { $0.talker == app && $0.reason == .phoneCall }
    }

    /// Whether the user of an app's phone has muted a call, or has a phone call.
    func isSilent(_ talker: ComponentIndex, in call: Int64) -> Bool {
        bans.contains { $0.talker == talker && $0.call.map { $0 == call } ?? true }
    }

    /// The run is over: what is heard is heard until then.
    mutating func close(at now: Int64) {
        for flow in flows {
            for ban in bans { check(flow, ban, until: now) }
        }
        flows = []
        bans = []
    }

    /// Lifts what bans one call of an app, or what bans all of them.
    private mutating func lift(
        _ reason: Reason,
        of talker: ComponentIndex,
        in call: Int64? = nil,
        at now: Int64
    ) {
        for ban in bans where ban.talker == talker && ban.reason == reason && ban.call == call {
            for flow in flows { check(flow, ban, until: now) }
        }
        bans.removeAll { $0.talker == talker && $0.reason == reason && $0.call == call }
    }

    private mutating func check(_ flow: Flow, _ ban: Ban, until now: Int64) {
        let from = max(flow.since, ban.since)
        guard ban.covers(flow), now - from > Self.grace else { return }
        breaches.append(Span(start: from, end: now))
    }
}
