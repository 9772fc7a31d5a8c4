import KodamaEvidence

/// The metrics of replicas, each declared once.
struct ReplicaMeasures {
    var lag = Measure.time(
        "replica.sync.lag",
        """
        From an app's return to the same rows on both sides, where they differed at the return: \
        the time in which it could exchange rows, over every break. It can while its path carries \
        packets, the app's server answers, its process runs, is not in the background and has not \
        left its file alone, its phone's keychain works and its disk has room, its user is signed \
        in, and its schema is no older than the primary's; the last of these to come is its return, \
        be it a launch.
        """,
        "K-18, RP-02, RP-03"
    )
    var difference = Measure.time(
        "replica.difference.time",
        """
        For each time in which an app's rows and the primary's were not the same: for how long of it the \
        app could exchange rows, as in `replica.sync.lag`.
        """,
        "RP-04"
    )
    var differenceShare = Measure.share(
        "replica.difference.share",
        "Share of these times in the time in which the app could exchange rows.",
        "RP-04",
        occasions: .atOnce
    )
    var arrival = Measure.time(
        "replica.write.arrival.time",
        """
        From an app's word that a write is in its file to the write at the primary: the time in \
        which the app could exchange rows, as in `replica.sync.lag`, over every break.
        """,
        "RP-03",
        excluding: [
            "the primary refuses the write",
            "the app has not been able to exchange rows since",
        ]
    )
    var lost = Measure.count(
        "replica.writes.lost",
        """
        Of the writes that an app told its user are in its file: those that at the end of the \
        run are neither at the primary, which may have failed and lost them, nor kept for it in \
        the file, and that the app did not report as lost with a damaged file or as refused.
        """,
        "K-18, RP-04",
        occasions: .atOnce
    )
    var reportedLost = Measure.count(
        "replica.writes.reported_lost",
        """
        Of these writes: those that are at neither place, and that were made before the app said \
        that its file, which was damaged indeed, could not be saved whole.
        """,
        "RP-07",
        occasions: .atOnce
    )
    var waiting = Measure.count(
        "replica.writes.waiting",
        """
        Of these writes: those that at the end of the run are kept in the file for the primary, \
        which does not have them.
        """,
        "RP-03",
        occasions: .atOnce
    )
    var rejected = Measure.count(
        "replica.writes.rejected",
        """
        Of these writes: those that the app has set aside and told its user of, since the primary \
        refuses them for ever, or refuses what they were made on.
        """,
        "RP-04",
        occasions: .atOnce
    )
    var repeated = Measure.count(
        "replica.writes.repeated",
        """
        Writes, of all that primaries took, that the primary had already; one that it lost when \
        it failed it has no more.
        """,
        "RP-04",
        occasions: .atOnce
    )
    var undone = Measure.count(
        "replica.writes.undone",
        """
        Of the writes that primaries took: those set aside, since they edited or deleted a row that \
        another replica had made anew behind the position to which the app had the log when they were \
        made. Nothing of them is seen anywhere; what they were made on is gone.
        """,
        "RP-04",
        occasions: .atOnce
    )
    var readsUndone = Measure.count(
        "replica.reads.undone",
        """
        For each app that had its file open when its primary failed: changes by others that the app \
        had taken and the primary lost. Rows that were read go away, or are as before, until whoever \
        made the changes hands them over again; what was written on the web does not come back.
        """,
        "RP-04, D-06",
        occasions: .atOnce
    )
    var refused = Measure.count(
        "replica.writes.refused",
        "Writes that an app told its user are not in its file, among all writes of users.",
        "RP-03",
        occasions: .atOnce
    )
    var endedLocked = Measure.count(
        "replica.ended_locked",
        """
        Of the times that an app went to the background: those after which the system ended it, since it was \
        to be suspended in the middle of a transaction.
        """,
        "RP-04",
        occasions: .atOnce
    )
    var unread = Measure.count(
        "replica.reads.failed",
        """
        Times that a user wanted to see the rows and the app could not show them, or not with all \
        that its user had written there and the primary did not have, unless the file had been \
        damaged since. An app that is older than its file leaves it alone, and shows none; so does \
        one that cannot open its file for as long as the disk has no room.
        """,
        "RP-03, D-12",
        excluding: [
            "a later version of the app wrote the file",
            "the disk had no room to open the file",
        ]
    )
    var wrong = Measure.time(
        "replica.status.wrong.time",
        """
        For each time in which an app in front showed what was not so: that it was up to date, \
        while its rows and the primary's differed, or that it must be updated, while its schema \
        was no older than the primary's. What others wrote an app learns at its next exchange.
        """,
        "RP-03, RP-05"
    )
    var wrongShare = Measure.share(
        "replica.status.wrong.share",
        "Share of these times in the time in which the app was in front.",
        "RP-03, RP-05",
        occasions: .atOnce
    )
    var outdated = Measure.time(
        "replica.outdated.report.time",
        """
        From when nothing but its schema, which was older than the primary's, kept an app from \
        exchanging rows, as in `replica.sync.lag`, to its word that it must be updated; where \
        that did not come, until something else kept it from it or the run ended.
        """,
        "RP-05"
    )
    var requests = Measure.count(
        "replica.requests",
        "Requests that replicas made to the app's server.",
        "RP-02",
        occasions: .atOnce
    )

    /// The metrics, in the order in which reports list them.
    var all: [any AnyMeasure] {
        [
            lag, difference, differenceShare, arrival, lost, reportedLost, waiting, rejected,
            repeated, undone, refused, unread, readsUndone, wrong, wrongShare, outdated, requests,
            endedLocked,
        ]
    }
}
