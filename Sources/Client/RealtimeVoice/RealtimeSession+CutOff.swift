import SansIO

/// A server that sends by a way that passes nothing down, while another way answers (D-18, D-22).
///
/// Of the ways by which it hears a phone the server sends by the better one. Where Wi-Fi passes
/// everything up and nothing down, that is Wi-Fi, until the phone's ICE gives its pair up. Checks
/// along cellular are answered all the while. It looks as if the agent had gone, but for the checks
/// that the server sends itself: they go where voice goes.
///
/// ICE brings such a room back, with its agent. Nothing is faster: by which radio a room object
/// connects is the system's choice, and no app can make it leave Wi-Fi.
extension LiveRoom {
    /// The time between two checks of the server's (livekit/livekit, `pkg/rtc/transport.go`).
    static let serverCheckInterval = Duration.seconds(2)

    /// How long after the last voice ICE may take to bring it back.
    ///
    /// A pair is given up 15 s after its first unanswered check, which leaves up to 2.5 s after the
    /// cut; the server believes in another one after 2.5 s without the old one, upon a check up to
    /// 2.5 s later (libwebrtc, `p2p/base/p2p_constants.cc`). Statistics show it within a second.
    private static let takeoverTime = Duration.seconds(24)

    /// Whether the server has sent no check lately, as of `due`, although it had before.
    ///
    /// One is often lost by chance, two in a row hardly ever. Where none was ever counted, nothing
    /// can be said.
    func isCutOff(at due: Instant) -> Bool {
        statistics.serverChecks ?? 0 > 0
            && serverHeardAt < due.advanced(by: .zero - Self.serverCheckInterval * 2)
    }

    /// Keeps the room for as long as ICE may take to bring back voice that was last heard at `end`.
    mutating func awaitTakeover(since end: Instant) {
        cutOffUntil = end.advanced(by: Self.takeoverTime)
    }

    /// The server was heard: the way by which it sends works.
    mutating func hearServer(at now: Instant) {
        serverHeardAt = now
        cutOffUntil = nil
    }

    /// Voice is due again, since the link is alive again.
    ///
    /// Where the server was cut off, whoever is there is heard together with its checks; statistics
    /// may have come in between, so that the next ones decide.
    mutating func awaitVoiceBack(wasCutOff: Bool, at now: Instant) {
        let elapsed = wasCutOff ? Self.voiceReturnTime - .seconds(1) : .zero
        voiceAwaitedSince = now.advanced(by: .zero - elapsed)
    }
}
