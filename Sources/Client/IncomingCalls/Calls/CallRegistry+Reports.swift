import SansIO

/// What the system is told of pushes, and what it says to that.
extension CallRegistry {
    mutating func report(
        _ uuid: UniqueID,
        _ update: CallUpdate,
        _ purpose: PendingReport.Purpose,
        _ push: PushID?,
        in turn: inout Turn<Effect>
    ) {
        let operation = operations.next()
        turn.order(.system(.reportIncoming(operation, uuid, update)))
        if reports.count == Self.reportsMax { taken(reports.removeFirst(), in: &turn) }
        let report = PendingReport(
            operation: operation,
            uuid: uuid,
            push: push,
            purpose: purpose,
            until: turn.now.advanced(by: Self.reportTimeout)
        )
        reports.append(report)
    }

    /// Reports a call that ends at once, if the rule is to report always.
    mutating func reportPlaceholder(
        _ update: CallUpdate,
        _ reason: CallEndReason,
        _ push: PushID,
        in turn: inout Turn<Effect>
    ) {
        switch configuration.pushRule {
        case .completeQuietly: turn.order(.completePush(push))
        case .reportAlways:
            let uuid = UniqueID(from: &generator)
            report(uuid, update, .placeholder(reason.system), push, in: &turn)
        }
    }

    mutating func reportDuplicate(of call: Call, _ push: PushID, in turn: inout Turn<Effect>) {
        // The system knows nothing of a call that may be over.
        if call.isDoubted {
            let update = call.description.update
            return reportPlaceholder(update, .expired, push, in: &turn)
        }
        switch configuration.pushRule {
        case .completeQuietly: turn.order(.completePush(push))
        case .reportAlways:
            report(call.uuid, call.description.update, .duplicate, push, in: &turn)
        }
    }

    mutating func reportFinished(
        _ operation: OperationID,
        _ error: SystemReportError?,
        in turn: inout Turn<Effect>
    ) {
        guard let index = reports.firstIndex(where: { $0.operation == operation }) else { return }
        let report = reports.remove(at: index)
        guard let error else { return shown(report, in: &turn) }
        if let push = report.push { turn.order(.completePush(push)) }
        guard report.purpose == .call else { return }
        turn.order(.writeLog(.reportFailed(error)))
        // A second report of the same call may have better luck.
        let second = reports.firstIndex { $0.uuid == report.uuid && $0.purpose == .duplicate }
        if let second {
            reports[second].purpose = .call
        } else {
            // The system has no such call: nothing of it is left to report (VP-06).
            end(report.uuid, error.reason, by: .system, in: &turn)
        }
    }

    /// The system says that it has what was reported, under an identity that it did not know.
    private mutating func shown(_ report: PendingReport, in turn: inout Turn<Effect>) {
        if report.purpose == .duplicate {
            // It was this report that made the call ring; the first one can only fail now.
            let first = reports.firstIndex { $0.uuid == report.uuid && $0.purpose == .call }
            if let first { reports[first].purpose = .duplicate }
            if call(report.uuid) == nil {
                turn.order(.system(.reportEnded(report.uuid, .failed)))
            }
        }
        taken(report, in: &turn)
    }

    /// The user has ended what a report was for: the system need not be told.
    mutating func settleReports(of uuid: UniqueID) {
        for index in reports.indices where reports[index].uuid == uuid {
            if case .placeholder = reports[index].purpose { reports[index].purpose = .over }
        }
    }

    /// The system has what was reported.
    mutating func taken(_ report: PendingReport, in turn: inout Turn<Effect>) {
        if case .placeholder(let reason) = report.purpose {
            turn.order(.system(.reportEnded(report.uuid, reason)))
        }
        if let push = report.push { turn.order(.completePush(push)) }
    }
}
