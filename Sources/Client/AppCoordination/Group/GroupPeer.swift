import GroupSecurity
import PeerTransport
import SansIO

/// One connection.
struct GroupLink: Sendable, Equatable {
    let id: LinkID
    let path: TransportPath
    var session: SecureSession
    /// Who is at the other end, once proven.
    var member: MemberID?
    /// When membership last learned that the member is alive.
    var toldNanoseconds = Int64.min
    /// The session's deadline, as of its last call.
    private(set) var deadline: Deadline?

    init(id: LinkID, path: TransportPath, session: SecureSession) {
        (self.id, self.path, self.session) = (id, path, session)
        deadline = session.deadline
    }

    /// Looks up the deadline again, after a call of the session.
    mutating func settleDeadline() { deadline = session.deadline }
}

/// A member who is in.
struct GroupPeer: Sendable, Equatable {
    let id: MemberID
    let streamID: UInt32
    private(set) var handover: Handover
    private(set) var localProbe: LinkProbe
    private(set) var internetProbe: LinkProbe
    /// Put the capture indices of each path on a line without end.
    var captureIndices = TransportPath.allCases.map { _ in SerialUnwrapper() }
    /// Until when the member counts as talking if nothing more comes.
    var talkingUntil: Instant? {
        didSet { settleDeadline() }
    }
    /// For how long nothing may come before no path counts as carrying.
    private let quietMax: Duration
    /// When nothing will have come for too long; `nil` once nothing has.
    private var quietDue: Instant?
    // The deadlines of handover and probes, as of their last calls.
    private var handoverDeadline: Deadline?
    private var localDeadline: Deadline?
    private var internetDeadline: Deadline?
    /// The earliest of the three.
    private var pathDeadline: Deadline?
    /// The earliest of all, kept: a getter would copy the whole member for it, after every packet.
    private(set) var deadline: Deadline?

    init(
        _ member: Member,
        configuration: IntercomGroupConfiguration,
        judge: AnyLinkJudge,
        at now: Instant
    ) {
        id = member.id
        streamID = member.streamID
        // Four seconds and two pings of a path that is asked seldom; others have far more of them.
        let quietMax = Duration.seconds(4) + configuration.probe.period * 2
        self.quietMax = quietMax
        quietDue = now.advanced(by: quietMax)
        handover = Handover(configuration: configuration.handover)
        let probe = configuration.probe
        localProbe = LinkProbe(path: .local, configuration: probe, judge: judge)
        internetProbe = LinkProbe(path: .internet, configuration: probe, judge: judge)
        handoverDeadline = handover.deadline
        localDeadline = localProbe.deadline
        internetDeadline = internetProbe.deadline
        settlePathDeadline()
    }

    /// What is known of a path at `now`.
    func metrics(of path: TransportPath, at now: Instant) -> LinkMetrics {
        switch path {
        case .local: localProbe.metrics(at: now)
        case .internet: internetProbe.metrics(at: now)
        }
    }

    /// Gives the probe of a path an event, or wakes it; returns what it orders.
    mutating func drive(
        _ path: TransportPath,
        _ event: LinkProbe.Event?,
        at now: Instant
    ) -> [LinkProbe.Effect] {
        defer { settlePathDeadline() }
        switch path {
        case .local:
            defer { localDeadline = localProbe.deadline }
            return localProbe.drive(event, at: now)
        case .internet:
            defer { internetDeadline = internetProbe.deadline }
            return internetProbe.drive(event, at: now)
        }
    }

    /// Gives the handover an event, or wakes it; returns what it orders.
    mutating func drive(_ event: Handover.Event?, at now: Instant) -> [Handover.Effect] {
        let orders = handover.drive(event, at: now)
        handoverDeadline = handover.deadline
        settlePathDeadline()
        return orders
    }

    private mutating func settlePathDeadline() {
        let probes = Deadline.earliest(localDeadline, internetDeadline)
        pathDeadline = Deadline.earliest(handoverDeadline, probes)
        settleDeadline()
    }

    private mutating func settleDeadline() {
        let talk = Deadline.earliest(pathDeadline, talkingUntil.map { Deadline($0, "talk over") })
        deadline = Deadline.earliest(talk, quietDue.map { Deadline($0, "quiet") })
    }

    /// Whether nothing has come for so long that no path carries, whatever the transports say.
    var isQuiet: Bool { quietDue == nil }

    /// Something has come; says whether nothing had for long.
    mutating func hear(at now: Instant) -> Bool {
        let wasQuiet = isQuiet
        quietDue = now.advanced(by: quietMax)
        settleDeadline()
        return wasQuiet
    }

    /// Says whether that something has come is now too long ago, and was not before.
    mutating func fallQuiet(at now: Instant) -> Bool {
        guard let due = quietDue, due <= now else { return false }
        quietDue = nil
        settleDeadline()
        return true
    }
}
