import KodamaEvidence
import SansIO

/// Measures who has access against who has a right to it, which the billing service alone knows.
struct BillingMeter {
    private var access = Measure.share(
        "entitlement.access.rate",
        "Of the talks with the app that the user had a right to: those with access.",
        "AN-13, D-27",
        better: .higher,
        occasions: .atOnce
    )
    private var overrun = Measure.share(
        "entitlement.overrun.rate",
        "Of the talks with the app behind the end of the period and its grace: those with access.",
        "AN-13, D-27",
        occasions: .atOnce
    )
    private var dark = Measure.share(
        "entitlement.outage.share",
        "Of all talks with the app: those while the billing service was down.",
        "D-27",
        occasions: .atOnce
    )
    private var lockouts = Measure.count(
        "entitlement.lockouts",
        """
        How often an app said to a user who has paid, or whose grace runs, that they have no access; of all \
        that it said to such.
        """,
        "AN-13, D-27",
        occasions: .atOnce
    )
    private var overruns = Measure.count(
        "entitlement.overruns",
        """
        How often an app said to a user whose period and grace are over that they have access; of all that \
        it said to such. It may take a second to notice, which is more than its clock is behind the server's.
        """,
        "AN-13, D-27",
        occasions: .atOnce
    )

    private var rights: [Int64: RightChanged] = [:]
    private var downAccounts: Set<Int64> = []

    var metrics: [any AnyMeasure] { [access, overrun, dark, lockouts, overruns] }

    /// Takes a record.
    ///
    /// - Returns: Whether it is of a subscription.
    mutating func take(_ record: TraceRecord) -> Bool {
        let now = record.instant
        switch record.kind {
        case RightChanged.kind: rights[RightChanged(record).account] = RightChanged(record)
        case BillingReach.kind:
            let form = BillingReach(record)
            if form.isUp.isSet {
                downAccounts.remove(form.account)
            } else {
                downAccounts.insert(form.account)
            }
        case AccessShown.kind:
            let form = AccessShown(record)
            let isEntitled = form.status.value?.isEntitled ?? false
            judge(isEntitled, rights[form.account], record)
        case AccessUsed.kind:
            let form = AccessUsed(record)
            let hasAccess = form.hasAccess.isSet
            guard let right = rights[form.account] else { return true }
            judge(hasAccess, right, record)
            let place = Occurrence(record)
            dark.add(downAccounts.contains(form.account) ? 1 : 0, of: 1, at: place)
            if now < right.isDueUntil { access.add(hasAccess ? 1 : 0, of: 1, at: place) }
            if now >= right.ends { overrun.add(hasAccess ? 1 : 0, of: 1, at: place) }
        default: return false
        }
        return true
    }

    private mutating func judge(_ isEntitled: Bool, _ right: RightChanged?, _ record: TraceRecord) {
        guard let right else { return }
        let (now, place) = (record.instant, Occurrence(record))
        if now < right.isDueUntil { lockouts.add(isEntitled ? 0 : 1, at: place) }
        let end = right.ends.advanced(by: .seconds(1))
        if now >= end { overruns.add(isEntitled ? 1 : 0, at: place) }
    }
}
