import SansIO

/// What the system is told of pushes, and what it says to that.
extension CallRegistry {
    mutating func report(
        _ uuid: UniqueID,
        _ update: CallUpdate,
        _ purpose: PendingReport.Purpose,
        _ push: PushID?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        let operation = operations.next()
        effects.append(.system(.reportIncoming(operation, uuid, update)))
        if reports.count == Self.reportsMax { taken(reports.removeFirst(), into: &effects) }
        let report = PendingReport(
            operation: operation,
            uuid: uuid,
            push: push,
            purpose: purpose,
            until: now.advanced(by: Self.reportTimeout)
        )
        reports.append(report)
    }

    /// Reports a call that ends at once, if the rule is to report always.
    mutating func reportPlaceholder(
        _ update: CallUpdate,
        _ reason: CallEndReason,
        _ push: PushID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch configuration.pushRule {
        case .completeQuietly: effects.append(.completePush(push))
        case .reportAlways:
            let uuid = UniqueID(from: &generator)
            report(uuid, update, .placeholder(reason.system), push, at: now, into: &effects)
        }
    }

    mutating func reportDuplicate(
        of call: Call,
        _ push: PushID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        // The system knows nothing of a call that may be over.
        if call.isDoubted {
            let update = call.description.update
            return reportPlaceholder(update, .expired, push, at: now, into: &effects)
        }
        switch configuration.pushRule {
        case .completeQuietly: effects.append(.completePush(push))
        case .reportAlways:
            report(call.uuid, call.description.update, .duplicate, push, at: now, into: &effects)
        }
    }

    mutating func reportFinished(
        _ operation: OperationID,
        _ error: SystemReportError?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = reports.firstIndex(where: { $0.operation == operation }) else { return }
        let report = reports.remove(at: index)
        guard let error else { return shown(report, into: &effects) }
        if let push = report.push { effects.append(.completePush(push)) }
        guard report.purpose == .call else { return }
        effects.append(.writeLog(.reportFailed(error)))
        // A second report of the same call may have better luck.
        let second = reports.firstIndex { $0.uuid == report.uuid && $0.purpose == .duplicate }
        if let second {
            reports[second].purpose = .call
        } else {
            // The system has no such call: nothing of it is left to report (VP-06).
            end(report.uuid, error.reason, by: .system, at: now, into: &effects)
        }
    }

    /// The system says that it has what was reported, under an identity that it did not know.
    private mutating func shown(
        _ report: PendingReport,
        into effects: inout EffectBuffer<Effect>
    ) {
        if report.purpose == .duplicate {
            // It was this report that made the call ring; the first one can only fail now.
            let first = reports.firstIndex { $0.uuid == report.uuid && $0.purpose == .call }
            if let first { reports[first].purpose = .duplicate }
            if call(report.uuid) == nil {
                effects.append(.system(.reportEnded(report.uuid, .failed)))
            }
        }
        taken(report, into: &effects)
    }

    /// The user has ended what a report was for: the system need not be told.
    mutating func settleReports(of uuid: UniqueID) {
        for index in reports.indices where reports[index].uuid == uuid {
            if case .placeholder = reports[index].purpose { reports[index].purpose = .over }
        }
    }

    /// The system has what was reported.
    mutating func taken(_ report: PendingReport, into effects: inout EffectBuffer<Effect>) {
        if case .placeholder(let reason) = report.purpose {
            effects.append(.system(.reportEnded(report.uuid, reason)))
        }
        if let push = report.push { effects.append(.completePush(push)) }
    }
}
