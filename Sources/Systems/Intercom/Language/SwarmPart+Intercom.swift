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
            // Every other phone leaves and comes again, so that each hears anew whom it heard before.
            let place = phone.others.count { $0 < phone.owner }
            let rejoins =
                place % 2 == 0
                ? [
                    SwarmEnding(phone.does("leave-group")),
                    SwarmEnding(phone.does("join-group"), delaySeconds: 3),
                ] : [SwarmEnding(phone.does("join-group"), ends: ["leave-group"])]
            return [
                SwarmEnding(radio, ends: ["peer-radio"]),
                SwarmEnding(phone.does("unmute", app: "intercom"), ends: ["mute"]),
            ] + rejoins
        },
        bounds: { phases in
            [
                phases.gate("voice.duplicates.played", "== 0"),
                phases.gate("voice.cross_group.played", "== 0"),
                phases.gate("voice.conduct.breaches", "== 0"),
                phases.gate("group.packets.uncounted", "== 0"),
                phases.gate("group.members.shown", "max", "<= 6"),
                phases.settles("group.card.stale.time", within: 70, isOnceOpen: true),
                phases.settles("group.card.mute.time", within: 70, isOnceOpen: true),
                phases.settles("group.card.missing.time", within: 70, isOnceOpen: true),
                phases.settles("group.owner.dispute.time", within: 70, isOnceOpen: true),
                phases.settles("group.first_word.time", within: 70, isOnceOpen: true),
            ]
        }
    )
}
