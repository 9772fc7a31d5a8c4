import KodamaLanguage

extension SwarmPart {
    /// Mornings in random worlds: they begin shortly before the wake.
    static let coach = SwarmPart(
        // Half an hour after the wake a morning is over (K-23).
        stormSecondsMin: 2_700,
        clock: "06:00:00",
        app: { phone in
            let draw = phone.draw
            // Within the first minutes, in which the most goes wrong.
            let minute = draw["wake"].number(in: 1...5)
            var app: DocumentNode = [
                "wakes": [.plain("06:\(minute < 10 ? "0" : "")\(minute):00")]
            ]
            let choices: [(String, [String])] = [
                ("ios", ["ios-18", "ios-26-0", "ios-26-1"]),
                ("alarms", ["granted", "denied", "undetermined"]),
                ("notifications", ["granted", "denied", "undetermined"]),
                ("answer", ["granted", "denied"]), ("focus", ["none", "sleep", "strict"]),
                ("muted", ["true", "false"]), ("critical", ["true", "false"]),
                ("realtime", ["true", "false"]), ("account", [phone.owner]),
                ("bedtime", ["21:00:00", "23:59:00"]),
            ]
            for (key, words) in choices where draw[key]["there"].happens(percent: 35) {
                if let word = draw[key].one(of: words) { app[key: key] = .plain(word) }
            }
            if app[key: "account"] != nil, draw["onboards"].happens(percent: 20) {
                app[key: "onboards"] = "true"
            }
            return app
        },
        bounds: { phases in
            [
                // No world bounds `wake.entries.lost`: what the system has is lost with a phone that is off at
                // its time, and with an alarm whose permission was taken back, whatever the app does.
                phases.gate("wake.notification.error", "max", "<= 60s"),
                phases.gate("account.reports.rejected", "== 0"),
                phases.gate("entitlement.lockouts", "== 0"),
                phases.gate("entitlement.overruns", "== 0"),
            ]
        }
    )
}
