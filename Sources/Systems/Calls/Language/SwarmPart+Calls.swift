import KodamaLanguage

extension SwarmPart {
    /// Calls between the owners of phones in random worlds.
    static let calls = SwarmPart(
        app: { phone in
            let draw = phone.draw
            var app: DocumentNode = ["user": .plain(phone.owner)]
            if let contact = draw["contact"].one(of: phone.others) {
                app[key: "contact"] = .plain(contact)
            }
            if draw["answers there"].happens(percent: 80) {
                app[key: "answers"] = draw["answers"].time(milliseconds: 500...20_000)
            }
            if draw["hangs_up there"].happens(percent: 80) {
                app[key: "hangs_up"] = draw["hangs_up"].time(milliseconds: 1_000...60_000)
            }
            return app
        },
        settling: { phone in
            var endings = [
                SwarmEnding(phone.does("sign-in-to-calls"), ends: ["log-out-of-calls"]),
                SwarmEnding(phone.does("focus-off"), ends: ["focus-on"]),
            ]
            // The first owner calls once more, when all is calm.
            if let other = phone.others.first, phone.owner < other {
                let call: DocumentNode = [
                    "call": ["from": .plain(phone.name), "to": .plain(other)]
                ]
                endings.append(SwarmEnding(call))
            }
            return endings
        },
        bounds: { phases in
            [
                phases.gate("call.duplicates.rung", "== 0"),
                phases.gate("call.push.unreported", "== 0"),
                phases.gate("call.silent", "== 0"),
                phases.gate("call.one_way", "== 0"),
                phases.gate("call.conduct.breaches", "== 0"),
                phases.gate("call.missed.needless", "== 0"),
                phases.gate("call.missed.unnoticed", "== 0"),
                phases.gate("call.unrung", "== 0"),
                // Both answer a call that is over for the patience of a push at most (D-03).
                phases.gate("call.ghost_ring.time", "max", "<= 10s"),
            ]
        }
    )
}
