import KodamaEvidence
import SansIO

/// Measures what becomes of reports: kept on the phone, counted at the server, marked on the phone.
struct AccountMeter {
    private var time = Measure.time(
        "account.report.time",
        "From when the store kept a reflection or an event to when it was marked as taken by the server.",
        "AN-08, AN-09",
        excluding: ["the server rejects it"]
    )
    private var summary = Measure.time(
        "guide.summary.time",
        """
        From when the phone kept a summary of what was talked about without the agent to when the \
        server had it.
        """,
        "AN-05"
    )
    private var rejected = Measure.count(
        "account.reports.rejected",
        "Reports that the server rejects, of all that were marked.",
        "AN-09",
        occasions: .atOnce
    )
    private var limit = Measure.time(
        "account.limit.shown.time",
        "From when the server refused something for a usage limit to when the app shows that limit.",
        "AN-20"
    )
    private var once = Invariant(
        "account.counts-once",
        """
        The server has each report and summary of an account at most once, and neither the server nor a \
        phone's mark knows one that no phone of the account has kept.
        """,
        "AN-05, AN-08, AN-09"
    )
    private var keeps = Invariant(
        "account.loses-nothing",
        """
        A store that is opened has every report that was kept before, and the server every one that a \
        phone has marked as taken.
        """,
        "AN-05, AN-08, AN-09, AN-18"
    )

    /// What is known of one report of an account.
    private struct Report {
        var isKept = false
        var isTaken = false
        /// How often the server has it.
        var times: Int64 = 0
        /// The phones whose outboxes hold it, and since when.
        var waiting: [(app: ComponentIndex, since: Occasion)] = []
        /// Since when a summary waits for the server.
        var summarySince: Occasion?
    }

    /// The reports of each account, by number.
    private var reports: [Int64: [Int64: Report]] = [:]
    /// The limits that each app shows, as bits, and the refusals that it has not shown.
    private var shown: [ComponentIndex: Int64] = [:]
    private var refusals: [ComponentIndex: [(use: Int64, since: Occasion)]] = [:]

    var metrics: [any AnyMeasure] { [time, rejected, summary, limit] }
    var invariants: [Invariant] { [once, keeps] }

    /// Takes a record.
    ///
    /// - Returns: Whether it is of an account.
    mutating func take(_ record: TraceRecord, at position: Int) -> Bool {
        switch record.kind {
        case StoreOpened.kind: keeps.check(StoreOpened(record).missing == 0, record, at: position)
        case ReportKept.kind:
            let form = ReportKept(record)
            let occasion = time.open(at: record.instant, of: record.component, record)
            withReport(form.report, of: form.account) {
                $0.isKept = true
                $0.waiting.append((record.component, occasion))
            }
        case SummaryKept.kind:
            let form = SummaryKept(record)
            let occasion = summary.open(at: record.instant, of: record.component, record)
            withReport(form.report, of: form.account) {
                $0.isKept = true
                $0.summarySince = occasion
            }
        case ReportSettled.kind: settle(ReportSettled(record), record, at: position)
        case ReportCounted.kind:
            let form = ReportCounted(record)
            let (report, arrived) = withReport(form.report, of: form.account) { report in
                report.times = form.times
                let since = form.times > 0 ? report.summarySince : nil
                if since != nil { report.summarySince = nil }
                return (report, since)
            }
            if let arrived { summary.close(arrived, at: record.instant) }
            once.check(report.isKept && report.times <= 1, record, at: position)
            keeps.check(!report.isTaken || report.times > 0, record, at: position)
        case LimitMet.kind:
            let since = limit.open(at: record.instant, of: record.component, record)
            refusals[record.component, default: []].append((LimitMet(record).use.number, since))
            closeShown(of: record)
        case LimitsShown.kind:
            shown[record.component] = LimitsShown(record).kinds
            closeShown(of: record)
        default: return false
        }
        return true
    }

    /// Counts the refusals whose limit the app shows.
    private mutating func closeShown(of record: TraceRecord) {
        let bits = shown[record.component] ?? 0
        for (use, since) in refusals[record.component] ?? [] where bits >> use & 1 == 1 {
            limit.close(since, at: record.instant)
        }
        refusals[record.component]?.removeAll { bits >> $0.use & 1 == 1 }
    }

    private mutating func settle(_ form: ReportSettled, _ record: TraceRecord, at position: Int) {
        let isTaken = form.isTaken.isSet
        let app = record.component
        let (report, occasion) = withReport(form.report, of: form.account) { report in
            if isTaken { report.isTaken = true }
            let index = report.waiting.firstIndex { $0.app == app }
            return (report, index.map { report.waiting.remove(at: $0).since })
        }
        once.check(report.isKept, record, at: position)
        if isTaken { keeps.check(report.times > 0, record, at: position) }
        rejected.add(isTaken ? 0 : 1, at: Occurrence(record))
        guard let occasion else { return }
        if isTaken {
            time.close(occasion, at: record.instant)
        } else {
            time.exclude(occasion, "the server rejects it", at: record.instant)
        }
    }

    private mutating func withReport<Value>(
        _ number: Int64,
        of account: Int64,
        _ body: (inout Report) -> Value
    ) -> Value {
        body(&reports[account, default: [:]][number, default: Report()])
    }
}
