extension MetricCatalog {
    /// The metrics of sessions, in the order in which reports list them.
    ///
    /// *Two-way audio* is there while what the phone captures is heard by the agent, and what the agent
    /// says is heard at the phone, each within 1 s; 200 ms of missing sound in a row end it, and it is
    /// back at the ear's time. Less than that, under way when the wish ends, is no loss either. While
    /// the microphone is muted only the agent's side counts. The conversation is *wanted* while the app
    /// runs in front and the user has asked for it last, except during phone calls and after another
    /// took the identity (D-08); only then does anything count. What has not ended when the run, or the
    /// wish, does counts with its length so far, once that is a miss of its row: it cannot vanish.
    public static let session: [MetricDescription] =
        returning + conversation + [wholeReconnect] + parts + attempts + losses

    private static let returning: [MetricDescription] = [
        time(
            "session.reconnect.time",
            """
            For each loss of two-way audio, and each outage of the path of up to 15 s in it: from \
            path lost, or from the last audio without an outage, to two-way audio. Usable times \
            under 10 s do not end an outage. Open ones count from 30 s.
            """,
            "K-01a"
        ),
        time(
            "session.recovery.time",
            """
            For each outage of the path of up to 10 min that ends while two-way audio is absent, or \
            was in it: from path usable to two-way audio; 0 if that was sooner. Open ones count from \
            10 s.
            """,
            "K-01b"
        ),
        time(
            "session.false_connected.time",
            """
            Each stretch in which the app's last status is connected or reconnected, and the \
            conversation wanted, while two-way audio is absent.
            """,
            "K-01c"
        ),
        time(
            "session.connect.time",
            "From each launch of the app to the first two-way audio. Open ones count from 3 s.",
            "K-02"
        ),
        time(
            "session.resume.time",
            """
            From each return of the user (opens the app again, connects, taps a notification, ends a \
            call) to two-way audio; 0 if it never went away. Open ones count from 3 s.
            """,
            "RS-06, RS-13"
        ),
    ]

    private static let conversation: [MetricDescription] = [
        time(
            "voice.round_trip.time",
            """
            From the end of the user's speech to the first sample of the agent's answer that \
            reaches the phone's speaker, whatever was lost before it, if that comes before the user \
            speaks again.
            """,
            "K-09"
        ),
        .init(
            name: "voice.turns.unanswered",
            unit: .partsPerMillion,
            form: .proportion,
            direction: .lower,
            meaning: """
                Share of the user's turns in a wanted conversation after which 10 s pass without \
                speech and without an answer.
                """,
            source: "K-09"
        ),
        .init(
            name: "voice.answers.unheard",
            unit: .partsPerMillion,
            form: .proportion,
            direction: .lower,
            meaning: """
                Share, by length, of what the agent says in answers in a wanted conversation that the \
                phone does not hear within 1 s; less than 200 ms in a row count as heard.
                """,
            source: "K-09"
        ),
    ]

    private static let wholeReconnect = time(
        "session.reconnect.whole.time",
        """
        Each loss of two-way audio, after an outage of any length: from path lost, or from the last \
        audio, to two-way audio. Open ones count if the path was usable for their last 30 s. The \
        parts of each add up to it exactly; each gives a sample to each part, often 0.
        """,
        "K-01a"
    )

    private static let parts: [MetricDescription] = ReconnectPart.allCases.map { part in
        switch part {
        case .detection:
            partTime("detection", "until the session or the SDK begins to do anything about it.")
        case .waiting:
            partTime("waiting", "in which no attempt and no request for a token is under way.")
        case .failedQuick:
            partTime("failed_quick", "in quick attempts that failed.")
        case .failedFull:
            partTime("failed_full", "in full attempts that failed.")
        case .failedConnect:
            partTime("failed_connect", "in connects of new room objects that failed.")
        case .token:
            partTime("token", "in requests for a token outside of attempts.")
        case .signalling:
            partTime("signalling", "in other attempts, up to the server's answer.")
        case .media:
            partTime("media", "in other attempts, from the server's answer to connected media.")
        case .audible:
            partTime("audible", "from connected media to two-way audio, or to the next loss.")
        case .selfHealed:
            partTime("self_healed", "all of a loss in which nothing was done about it.")
        }
    }

    private static let attempts: [MetricDescription] = [
        count(
            "session.attempts.count",
            .distribution,
            "Attempts of any kind that begin within each whole reconnect.",
            "RS-11"
        ),
        count(
            "session.attempts.rate",
            .distribution,
            """
            For each attempt: how many, of all phones, began in the second that ends with it; the \
            maximum is the peak of any second.
            """,
            "RS-11"
        ),
        count(
            "session.disconnects.reported",
            .count,
            "Ends of room objects reported to the app that it had not asked for.",
            "RS-09"
        ),
        count(
            "session.agent.silenced",
            .count,
            "Agents that closed their session while the conversation was wanted.",
            "D-05"
        ),
    ]

    private static let losses: [MetricDescription] = [
        time(
            "session.audio.lost.time",
            "For each phone that ever had two-way audio: the sum of its losses in the run.",
            "K-10"
        ),
        .init(
            name: "session.audio.lost.share",
            unit: .partsPerMillion,
            form: .proportion,
            direction: .lower,
            meaning: "Share of losses in the wanted time after the first two-way audio.",
            source: "K-10"
        ),
        count(
            "session.unrecovered",
            .count,
            """
            Times without two-way audio that ended without it although the path had been usable for \
            their last 30 s, or in which it was usable for 10 min on end.
            """,
            "K-01b, D-19"
        ),
    ]

    private static func time(
        _ name: String,
        _ meaning: String,
        _ source: String
    ) -> MetricDescription {
        .init(
            name: name,
            unit: .nanoseconds,
            form: .distribution,
            direction: .lower,
            meaning: meaning,
            source: source
        )
    }

    private static func partTime(_ part: String, _ meaning: String) -> MetricDescription {
        time("session.reconnect.\(part).time", "Time of each whole reconnect: \(meaning)", "K-01a")
    }

    private static func count(
        _ name: String,
        _ form: MetricForm,
        _ meaning: String,
        _ source: String
    ) -> MetricDescription {
        .init(
            name: name,
            unit: .count,
            form: form,
            direction: .lower,
            meaning: meaning,
            source: source
        )
    }
}
