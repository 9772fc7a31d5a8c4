import KodamaLanguage

extension SwarmPart {
    /// Rows of the owners of phones, or of one owner with several, in random worlds.
    static let replica = SwarmPart(
        app: { phone in
            let draw = phone.draw
            let isShared = draw["shares"].happens(percent: 30)
            let user = isShared ? phone.others.first ?? phone.owner : phone.owner
            var app: DocumentNode = ["user": .plain(user)]
            if draw["version there"].happens(percent: 20) {
                app[key: "version"] = .plain("\(draw["version"].number(in: 1...3))")
            }
            if draw["opens there"].happens(percent: 30) {
                app[key: "opens"] = draw["opens"].time(milliseconds: 0...30_000)
            }
            return app
        },
        settling: { phone in
            [
                SwarmEnding(
                    phone.does("sign-in-to-replica"),
                    ends: ["sign-out-of-replica", "sign-in-to-replica-as-guest"]
                ),
                SwarmEnding(phone.does("sync-replica")),
            ]
        },
        bounds: { phases in
            [
                phases.gate("replica.writes.lost", "== 0"),
                phases.gate("replica.writes.repeated", "== 0"),
                phases.gate("replica.reads.failed", "== 0"),
                // An exchange a minute at least, in front and with a path (K-18).
                phases.settles("replica.difference.time", within: 70),
                phases.settles("replica.status.wrong.time", within: 70),
            ]
        }
    )
}
