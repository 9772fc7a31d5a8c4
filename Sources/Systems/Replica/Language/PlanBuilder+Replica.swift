import KodamaLanguage

extension PlanBuilder {
    /// The user whose database is meant; `nil` after a report.
    ///
    /// Where no phone has a replica it is said later that there is no server.
    mutating func databaseOwner(_ user: CheckedValue?) -> String? {
        guard systemsInUse.contains(ReplicaAppPlan.system) else { return user?.text }
        return refer(user, toUserOf: ReplicaAppPlan.system)
    }

    /// Reports what is written to rows that nothing has made by then.
    ///
    /// What follows an event may come at any time. Chance makes rows too, but none with a name.
    mutating func checkRows(_ orders: [Order], _ root: CheckedValue) {
        guard phonesAreSound else { return }
        let isMadeByChance = (root["faults"]?.entries ?? []).contains { mix in
            mix["kinds"]?.fields.contains { ["write", "web-write"].contains($0.key) } ?? false
        }
        let writes = writes(of: orders)
        var made: [WrittenRow: Moment] = [:]
        for write in writes where write.kind == .new {
            for row in [write.row, write.latest] {
                guard let row else { continue }
                made[row] = min(made[row] ?? write.moment, write.moment)
            }
        }
        var refused: Set<Int> = []
        for write in writes where write.kind != .new && !refused.contains(write.moment.order) {
            let isMade = made[write.row ?? write.latest].map(write.moment.mayFollow) ?? false
            guard !isMade, write.row != nil || !isMadeByChance else { continue }
            refused.insert(write.moment.order)
            let order = orders[write.moment.order]
            let message =
                write.row?.name.map { "no row '\($0)' of '\(write.latest.user)' is made before" }
                ?? "nothing is written there before"
            let hint = "write it with 'as: new' first"
            report(message, code: "no-row", hint: hint, at: order.place)
        }
    }

    /// All that is written, in the order of the file.
    private func writes(of orders: [Order]) -> [PlannedWrite] {
        var writes: [PlannedWrite] = []
        for (index, order) in orders.enumerated() {
            for act in order.deed.acts {
                var moment = Moment(order: index)
                if case .at(let start) = order.trigger { moment.time = start + act.delay }
                if case .write(let write) = act.act as? ReplicaAppAct {
                    guard let user = user(of: act.target) else { continue }
                    writes.append(PlannedWrite(write, of: user, at: act.target, moment))
                } else if case .write(user: let user, let write) = act.act as? PrimaryAct {
                    writes.append(PlannedWrite(write, of: user, at: act.target, moment))
                }
            }
        }
        return writes
    }

    /// The user of the app that is this component.
    private func user(of component: String) -> String? {
        let name = component.dropLast(ReplicaAppPlan.system.count + 1)
        return phone(named: String(name))?.settings(of: ReplicaAppPlan.self)?.user
    }
}

/// A row of a user's database: one with a name, or the last that was written at a place.
private struct WrittenRow: Hashable {
    var user: String
    var name: String?
    var place: String?
}

/// When something is written.
private struct Moment: Comparable {
    /// So long after the start; `nil` if it follows an event.
    var time: Duration?
    /// The place of its order among all.
    var order: Int

    /// Whether something else may have come before.
    func mayFollow(_ other: Moment) -> Bool {
        time == nil || other.time == nil || other < self
    }

    /// What may come at any time is the first.
    static func < (left: Moment, right: Moment) -> Bool {
        (left.time ?? .seconds(-1), left.order) < (right.time ?? .seconds(-1), right.order)
    }
}

/// A write that the timeline orders.
private struct PlannedWrite {
    var kind: ReplicaWrite.Kind
    /// The row, if it has a name.
    var row: WrittenRow?
    /// The last row of the place.
    var latest: WrittenRow
    var moment: Moment

    init(_ write: ReplicaWrite, of user: String, at place: String, _ moment: Moment) {
        kind = write.kind
        row = write.row.map { WrittenRow(user: user, name: $0) }
        latest = WrittenRow(user: user, place: place)
        self.moment = moment
    }
}
