/// The host that a probe asks.
public enum ProbeHost: UInt8, Sendable, Hashable, CaseIterable {
    /// The room server's host, as the URL of the latest credentials names it.
    case roomServer
    /// A host that does not fall with the room server, such as the app's own server.
    case other
}

/// How a session that has lost its voice feels for the path, and what an answer starts (K-19, K-20).
///
/// A probe is one datagram: a binding request of STUN (RFC 8489), 48 bytes with its headers, which is never
/// repeated. Where datagrams are blocked none is answered, and all goes as it would without.
public struct ProbeConfiguration: Sendable, Equatable {
    /// Whether probes are sent.
    public var isEnabled = true
    /// The time between two probes; both hosts take turns.
    ///
    /// Half a second makes two packets in any second.
    public var interval: Duration = .milliseconds(500)
    /// How long an outage is probed as often as that.
    public var slowAfter: Duration = .seconds(60)
    /// The time between two probes after that; a server that is away is asked by each of them.
    ///
    /// For as long as the outage lasts: by default the session leaves in the background, and a call
    /// without its peer ends, so that an outage of hours has its user before a lit screen. And the
    /// attempts of `OuterRetryPolicy.slowDelay` would keep the radio up all the same.
    public var slowInterval: Duration = .seconds(3)
    /// Over how long the attempts of all sessions spread that have felt one server come back.
    ///
    /// It brings a seventh of them in any second on average, of 200 hardly ever a quarter, and leaves the
    /// rest of K-20's 8 s to the probe before and the connect after.
    public var spread: Duration = .seconds(7)
    /// How long a server that is away is left alone, and up to as long again.
    ///
    /// Only where its STUN port has ceased to answer, and the rest has not, does an attempt meet more
    /// than silence; what is in flight when the server returns reaches it at once.
    public var awayDelay: Duration = .seconds(20)

    /// The default preset.
    public init() {}

    /// The spread behind an answered probe.
    ///
    /// Slow ones part the sessions, too: together both take as long as the spread and the two
    /// probes of which one asks the server.
    func spreadTime(isSlow: Bool) -> Duration {
        isSlow ? max(.zero, spread - max(.zero, slowInterval - interval * 2)) : spread
    }
}
