import KodamaEvidence
import SansIO

/// Measures what becomes of reports: kept on the phone, counted at the server, marked on the phone.
struct AccountMeter {
    private var time = Measure.time(
        "account.report.time",
        "From when the store kept a reflection or an event to when it was marked as taken by the server.",
        "AN-08, AN-09"
    )
    private var rejected = Measure.count(
        "account.reports.rejected",
        "Reports that the server rejects, of all that were marked.",
        "AN-09",
        occasions: .atOnce
    )
    private var once = Invariant(
        "account.counts-once",
        "The server never has more reports of an account than its phones have kept.",
        "AN-08, AN-09"
    )
    private var keeps = Invariant(
        "account.loses-nothing",
        """
        A store that is opened has every report that was kept before, and the server every one that a \
        phone has marked as taken.
        """,
        "AN-08, AN-09, AN-18"
    )

    /// Reflections and events.
    private struct Reports {
        var reflections: Int64 = 0
        var events: Int64 = 0

        mutating func add(_ count: Int64, isReflection: Bool) {
            if isReflection { reflections += count } else { events += count }
        }

        func covers(_ other: Reports) -> Bool {
            other.reflections <= reflections && other.events <= events
        }
    }

    private struct Account {
        let number: Int64
        var kept = Reports()
        var taken = Reports()
        var counted = Reports()
    }

    private struct App {
        let component: ComponentIndex
        var kept = Reports()
        /// Since when reports wait in the outboxes, the oldest first.
        var reflections: [Occasion] = []
        var events: [Occasion] = []
    }

    private var accounts: [Account] = []
    private var apps: [App] = []

    var metrics: [any AnyMeasure] { [time, rejected] }
    var invariants: [Invariant] { [once, keeps] }

    /// Takes a record.
    ///
    /// - Returns: Whether it is of an account.
    mutating func take(_ record: TraceRecord, at position: Int) -> Bool {
        switch record.kind {
        case StoreOpened.kind:
            let form = StoreOpened(record)
            let found = Reports(reflections: form.reflections, events: form.events)
            keeps.check(found.covers(apps[app(of: record)].kept), record, at: position)
        case ReportKept.kind: keep(ReportKept(record), record)
        case ReportsSettled.kind: settle(ReportsSettled(record), record, at: position)
        case ReportsCounted.kind:
            let form = ReportsCounted(record)
            let index = account(form.account)
            let counted = Reports(reflections: form.reflections, events: form.events)
            accounts[index].counted = counted
            once.check(accounts[index].kept.covers(counted), record, at: position)
            keeps.check(counted.covers(accounts[index].taken), record, at: position)
        default: return false
        }
        return true
    }

    private mutating func keep(_ form: ReportKept, _ record: TraceRecord) {
        let isReflection = form.isReflection.isSet
        let index = app(of: record)
        apps[index].kept.add(1, isReflection: isReflection)
        accounts[account(form.account)].kept.add(1, isReflection: isReflection)
        let occasion = time.open(at: record.instant, of: record.component, record)
        if isReflection {
            apps[index].reflections.append(occasion)
        } else {
            apps[index].events.append(occasion)
        }
    }

    private mutating func settle(
        _ form: ReportsSettled,
        _ record: TraceRecord,
        at position: Int
    ) {
        let isReflection = form.isReflection.isSet
        let index = account(form.account)
        accounts[index].taken.add(form.taken, isReflection: isReflection)
        keeps.check(accounts[index].counted.covers(accounts[index].taken), record, at: position)
        let app = app(of: record)
        for number in 0..<(form.taken + form.rejected) {
            let isTaken = number < form.taken
            rejected.add(isTaken ? 0 : 1, at: Occurrence(record))
            let queue = isReflection ? apps[app].reflections : apps[app].events
            guard let oldest = queue.first else { return }
            if isReflection {
                apps[app].reflections.removeFirst()
            } else {
                apps[app].events.removeFirst()
            }
            guard isTaken else {
                time.exclude(oldest, "the server rejects it", at: record.instant)
                continue
            }
            let length = oldest.start.duration(to: record.instant).wholeNanoseconds
            time.close(oldest, length, at: record.instant)
        }
    }

    private mutating func account(_ number: Int64) -> Int {
        if let index = accounts.firstIndex(where: { $0.number == number }) { return index }
        accounts.append(Account(number: number))
        return accounts.count - 1
    }

    private mutating func app(of record: TraceRecord) -> Int {
        if let index = apps.firstIndex(where: { $0.component == record.component }) {
            return index
        }
        apps.append(App(component: record.component))
        return apps.count - 1
    }
}
