import KodamaLanguage

extension SwarmPart {
    /// Groups that talk by radio and Internet in random worlds.
    static let intercom = SwarmPart(
        // A sized voice seals no frame, so what an attack plays there says nothing of the client.
        without: ["attack"],
        app: { phone in
            let draw = phone.draw
            let group = draw["group"].happens(percent: 85) ? "ridge" : "lake"
            var app: DocumentNode = ["group": .plain(group)]
            // Whether it is secured is one for all of a world: the two kinds do not hear one another.
            app[key: "secured"] = "true"
            if draw["opens there"].happens(percent: 30) {
                app[key: "opens"] = draw["opens"].time(milliseconds: 0...30_000)
            }
            return app
        },
        settling: { phone in
            let radio: DocumentNode = ["peer-radio": ["of": .plain(phone.name), "is": "on"]]
            return [
                SwarmEnding(radio, ends: ["peer-radio"]),
                SwarmEnding(phone.does("join-group"), ends: ["leave-group"]),
                SwarmEnding(phone.does("unmute", app: "intercom"), ends: ["mute"]),
            ]
        },
        bounds: { phases in
            [
                phases.gate("voice.duplicates.played", "== 0"),
                phases.gate("voice.cross_group.played", "== 0"),
                phases.gate("voice.conduct.breaches", "== 0"),
                phases.gate("group.packets.uncounted", "== 0"),
                phases.gate("group.members.shown", "max", "<= 6"),
                phases.gate("group.card.stale.time", "max", "<= 70s", isQuietOnly: true),
                phases.gate("group.card.mute.time", "max", "<= 70s", isQuietOnly: true),
                phases.gate("group.owner.dispute.time", "max", "<= 70s", isQuietOnly: true),
            ]
        }
    )
}
