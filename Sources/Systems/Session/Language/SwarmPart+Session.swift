import KodamaLanguage

extension SwarmPart {
    /// Conversations with an agent in random worlds.
    static let session = SwarmPart(
        // A guest's conversation is another user's, and whoever took the identity keeps it (RS-05).
        without: ["sign-in-as-guest", "join-elsewhere"],
        app: { phone in
            let draw = phone.draw["opens"]
            return draw.happens(percent: 50) ? ["opens": draw.time(milliseconds: 0...20_000)] : [:]
        },
        settling: { phone in
            [
                SwarmEnding(phone.does("sign-in"), ends: ["log-out"]),
                SwarmEnding(
                    phone.does("connect"),
                    // An engine that did not start ends the walk until its user asks again (RS-08).
                    ends: ["disconnect", "hang-up", "log-out", "server-leave", "server", "engine"]
                ),
                SwarmEnding(phone.does("unmute", app: "session"), ends: ["mute"]),
            ]
        },
        bounds: { phases in
            [
                phases.gate("session.unrecovered", "== 0"),
                phases.gate("session.transportless", "== 0"),
                phases.gate("conduct.breaches", "== 0"),
                phases.settles("session.false_connected.time", within: 70, isOnceOpen: true),
                phases.settles("session.false_lost.time", within: 70, isOnceOpen: true),
            ]
        }
    )
}
