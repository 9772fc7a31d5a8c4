import KodamaEvidence

/// The metrics of calls, each declared once.
struct CallMeasures {
    /// Why a phone that a push was accepted for may stay silent.
    private static let silences = [
        "the user had logged out",
        "two calls already",
        "Do Not Disturb",
        "the user threw the app out",
        "another token had taken its place while no app ran",
        "a message had said that the call was over",
        "no path when the push was accepted",
        "the phone was back at the push service after the call",
        "the push came as the call ended",
    ]

    var ring = Measure.time(
        "call.ring.time",
        """
        From the push service's acceptance of the first push for a call to the ring on that phone, if \
        packets passed between phone and push service then. A call screen that is gone within half a \
        second, unanswered, is no ring.
        """,
        "K-16, VP-04",
        excluding: CallMeasures.silences
    )
    /// The same by how the app stood, in the order of `AppState`.
    var ringByState: [Measure<Distribution>] = AppState.allCases.map { state in
        Measure.time(
            "call.ring.\(state).time",
            "The same, for an app that was \(state.meaning) when the push was accepted.",
            "K-16, VP-04",
            excluding: CallMeasures.silences
        )
    }
    var unrung = Measure.count(
        "call.unrung",
        """
        Pushes accepted while packets passed, for calls that went on while they passed for 15 s more, that \
        led to no ring on that phone; one whose user has logged out, has Do Not Disturb on, or throws the \
        app out as it rings or within 4 s after the push, may be silent, one whose app has not run since \
        another token took its place, or was suspended or ended before the server had that, one that was told \
        by then that the call was over, and one that the push service reached only after the call.
        """,
        "K-16, VP-04",
        excluding: CallMeasures.silences + ["the call went on for less than 15 s"]
    )
    var unpushed = Measure.count(
        "call.unpushed",
        "Calls that went on for 15 s at the server without a push that the push service accepted.",
        "VP-07",
        excluding: ["the call went on for less than 15 s"]
    )
    var duplicates = Measure.count(
        "call.duplicates.rung",
        """
        Rings of a phone beyond the first for one call; a call screen that is gone within half a second \
        is none.
        """,
        "K-17, VP-02",
        occasions: .atOnce
    )
    var ghost = Measure.time(
        "call.ghost_ring.time",
        """
        For each ring: how long it went on after the app server knew that the call was over or answered \
        elsewhere, as far as the phone was reachable meanwhile.
        """,
        "D-03, VP-05"
    )
    var unnoticed = Measure.count(
        "call.missed.unnoticed",
        """
        Calls that nobody answered or declined and of which no phone of the callee's showed a notice, \
        though one was reachable for the last 60 s of the run. A phone that nobody was signed in to from \
        the end of the call to that of the run does not count, nor does one whose push was given up, or \
        went to a token that was replaced while no app ran, and whose app has not run since.
        """,
        "VP-05",
        excluding: [
            "no phone of the callee's was reachable for the last 60 s",
            "the push service gave up its pushes, and no app of the callee's ran since",
        ]
    )
    var needlessNotices = Measure.count(
        "call.missed.needless",
        """
        Calls that somebody answered, or that were declined or gave way to another, of which a \
        phone showed a notice all the same.
        """,
        "VP-05",
        occasions: .atOnce
    )
    var unexplained = Measure.count(
        "call.microphone.unexplained",
        """
        Calls that a user placed or answered while their app was without the microphone, and where within \
        5 s neither the system asked for it nor the app said that it is needed.
        """,
        "AN-06",
        occasions: .atOnce
    )
    var wait = Measure.time(
        "call.wait.time",
        """
        For each call that the server took: from the caller's tap to the caller's app saying that it is \
        connected or over, or to the end of the app's process.
        """,
        "VP-09"
    )
    var needless = Measure.count(
        "call.push.needless",
        """
        Pushes that were sent for a call that the server knew to be answered or over, or by a token that \
        the push service had said is dead.
        """,
        "VP-07",
        occasions: .atOnce
    )
    var conduct = Measure.count(
        "call.conduct.breaches",
        """
        Voices that were heard in a call for more than half a second while their user had muted it, after \
        their app said that it is over, during a phone call, or after their user had logged out; and rings of \
        a phone whose user has logged out.
        """,
        "K-22, RS-15",
        occasions: .atOnce
    )
    var kills = Measure.count(
        "call.push.unreported",
        "Apps that the system ended because they did not report a push.",
        "D-01, D-20, VP-01",
        occasions: .atOnce
    )
    var blocks = Measure.count(
        "call.push.blocked",
        "Apps that the system launches for pushes no more.",
        "D-20",
        occasions: .atOnce
    )
    var answer = Measure.time(
        "call.answer.time",
        "From the user's answer to the first voice heard at both phones.",
        "VP-05",
        excluding: ["no voice could pass"]
    )
    var place = Measure.time(
        "call.place.time",
        "From the caller's tap to the ring on the first phone of the callee's.",
        "VP-09",
        excluding: ["no push was accepted", "no phone could ring"]
    )
    var end = Measure.time(
        "call.end.time",
        """
        From the user's end of a call, be it declined, cancelled or hung up, to the last of the other \
        phones in it that is done with it; one whose app's process had ended before is in it no \
        more.
        """,
        "VP-05, VP-09",
        excluding: ["nobody else had it"]
    )
    var oneWay = Measure.time(
        "call.one_way.time",
        """
        For each call in which both apps said that it is connected: the longest time in which voice \
        was heard at one phone only.
        """,
        "VP-05"
    )
    var oneWayCalls = Measure.count(
        "call.one_way",
        """
        Calls in which both apps said that it is connected and voice was heard at one phone only for 5 s \
        in a row, while packets passed to both phones, media among them, and neither user had muted it or had \
        a phone call.
        """,
        "VP-05"
    )
    var oneWayShare = Measure.share(
        "call.one_way.share",
        "Share of all such times in those in which both apps said that a call is connected.",
        "VP-05",
        occasions: .atOnce
    )
    var heard = Measure.time(
        "call.heard.time",
        "For each call in which both apps said that it is connected: how long voice went both ways.",
        "VP-05",
        better: .higher,
        occasions: .atOnce
    )
    var silent = Measure.count(
        "call.silent",
        """
        Calls that were connected for 5 s or more in which packets passed to each of both phones, media \
        among them, and in which nobody was ever heard; without the time in which it was on hold, a user had \
        a phone call, both had muted it, or a phone's voice engine began to fail.
        """,
        "VP-05",
        excluding: ["connected for less than 5 s"]
    )
    var alone = Measure.time(
        "call.alone.time",
        """
        For each call that an app said is connected: the longest time in which one app alone was \
        in it, the others not yet or no more, as far as that phone was reachable meanwhile.
        """,
        "VP-05, VP-09"
    )
    var aloneShare = Measure.share(
        "call.alone.share",
        "Share of all such times in those in which an app said that a call is connected.",
        "VP-05, VP-09",
        occasions: .atOnce
    )
    var unheard = Measure.time(
        "call.unheard.time",
        """
        For each phone whose app said that a call is connected: the longest time in which it was \
        in the call and the other's voice was not heard there, for whatever reason.
        """,
        "VP-05, VP-09"
    )
    var unheardShare = Measure.share(
        "call.unheard.share",
        "Share of all such times in those in which a phone's app said that a call is connected.",
        "VP-05, VP-09",
        occasions: .atOnce
    )

    /// The metrics, in the order in which reports list them.
    var all: [any AnyMeasure] {
        [ring] + ringByState as [any AnyMeasure] + [
            unrung, unpushed, place, wait, answer, end, duplicates, ghost, unnoticed,
            needlessNotices, unexplained, oneWay, oneWayShare, oneWayCalls, heard, silent, alone,
            aloneShare, unheard, unheardShare, conduct, needless, kills, blocks,
        ]
    }
}

extension CallMeasures {
    /// A phone that a push reached did not ring, for a reason that has nothing to do with how late it was.
    mutating func excludeRing(_ state: AppState?, _ reason: String, at occurrence: Occurrence) {
        ring.exclude(reason, at: occurrence)
        if let state { ringByState[Int(state.rawValue)].exclude(reason, at: occurrence) }
    }

    /// A phone that a push reached had not rung when the call, or the run, was over.
    mutating func censorRing(_ state: AppState?, _ least: Int64, at occurrence: Occurrence) {
        ring.censor(least, at: occurrence)
        if let state { ringByState[Int(state.rawValue)].censor(least, at: occurrence) }
    }
}

extension AppState {
    /// In words.
    fileprivate var meaning: String {
        switch self {
        case .foreground: "in front"
        case .background: "running in the background"
        case .suspended: "suspended"
        case .killed: "not running"
        }
    }
}
