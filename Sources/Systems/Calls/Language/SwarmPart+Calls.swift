import KodamaLanguage

extension SwarmPart {
    /// How long after the first calls of the quiet phase the second ones come, in seconds: calls ring for 45 s.
    private static let callSeconds: Int64 = 48

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
            // When all is calm every other owner calls the next one, and then those call.
            let owners = (phone.others + [phone.owner]).sorted()
            if owners.count > 1, let place = owners.firstIndex(of: phone.owner) {
                let call: DocumentNode = [
                    "call": [
                        "from": .plain(phone.name),
                        "to": .plain(owners[(place + 1) % owners.count]),
                    ]
                ]
                let turn = Int64(place % 2) * Self.callSeconds
                endings.append(SwarmEnding(call, delaySeconds: turn))
                if turn > 0 {
                    let end = phone.does("end-call")
                    endings.append(SwarmEnding(end, delaySeconds: turn - 3))
                }
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
                phases.gate("call.unpushed", "value", "== 0", isQuietOnly: true),
                // Both answer a call that is over for the patience of a push at most (D-03).
                phases.gate("call.ghost_ring.time", "max", "<= 10s"),
            ]
        }
    )
}
