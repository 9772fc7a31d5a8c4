import KodamaLanguage

extension SwarmPart {
    /// Mornings in random worlds: they begin shortly before the wake.
    static let coach = SwarmPart(
        // Half an hour after the wake a morning is over (K-23).
        stormSecondsMin: 2_700,
        clock: "06:00:00",
        app: { phone in
            let draw = phone.draw
            let minute = draw["wake"].number(in: 2...12)
            var app: DocumentNode = [
                "wakes": [.plain("06:\(minute < 10 ? "0" : "")\(minute):00")]
            ]
            let choices: [(String, [String])] = [
                ("ios", ["ios-18", "ios-26-0", "ios-26-1"]),
                ("alarms", ["granted", "denied", "undetermined"]),
                ("notifications", ["granted", "denied", "undetermined"]),
                ("answer", ["granted", "denied"]), ("focus", ["none", "sleep", "strict"]),
                ("muted", ["true", "false"]), ("critical", ["true", "false"]),
            ]
            for (key, words) in choices where draw[key]["there"].happens(percent: 35) {
                if let word = draw[key].one(of: words) { app[key: key] = .plain(word) }
            }
            return app
        },
        bounds: { phases in
            [phases.gate("wake.notification.error", "max", "<= 60s")]
        }
    )
}
