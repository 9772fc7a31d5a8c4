public import CoachAccount
import CoachExchange
import ReplicaChanges
public import ReplicaStore
public import SansIO

/// What the coach's machines load from the store and keep in it.
extension CoachStore {
    /// The oldest entries of an outbox, limited in number (AN-08, AN-09).
    public func batch(
        of outbox: OutboxDelivery.Outbox,
        countMax: Int
    ) throws(Failure) -> OutboxDelivery.Batch {
        try file.withRows { rows in
            let count = max(1, countMax)
            switch outbox {
            case .reflections:
                let condition = "delivery IS NULL ORDER BY day, \"id\" LIMIT 1"
                let found = try Self.records(of: CoachReflection.self, in: rows, where: condition)
                return found.first.map { .reflection($0.report) } ?? .empty
            case .metrics:
                // One of a kind that only a later version knows waits for that.
                let names = MetricEvent.Name.allCases.map { "'\($0.rawValue)'" }
                let condition =
                    "delivery IS NULL AND name IN (\(names.joined(separator: ", ")))"
                    + " ORDER BY time, \"id\" LIMIT \(count)"
                let found = try Self.records(of: CoachInteraction.self, in: rows, where: condition)
                return found.isEmpty ? .empty : .metrics(found.map(\.event))
            }
        }
    }

    /// Marks what became of entries, all in one transaction.
    public func mark(
        _ mark: OutboxDelivery.Mark,
        in outbox: OutboxDelivery.Outbox,
        at time: WallTime
    ) throws(Failure) {
        let table = outbox == .reflections ? CoachReflection.table : CoachInteraction.table
        let deliveries =
            mark.taken.map { ($0, Delivery.taken) }
            + mark.rejected.map { ($0.id, Delivery.rejected($0.why)) }
        try file.withRows { rows in
            for (id, delivery) in deliveries where try rows.row(of: table, id) != nil {
                let value = delivery.text.map(ReplicaValue.text) ?? .null
                let column = ReplicaColumn("delivery", value)
                try self.set([column], of: table, id, at: time, in: rows)
            }
        }
    }

    // MARK: What this phone alone does

    /// How far the voice profile has come on this phone.
    public func voiceProgress() throws(Failure) -> VoiceProgress {
        try text("voice").flatMap { VoiceProgress(text: $0) } ?? .none
    }

    /// Keeps how far the voice profile has come, and with it what other phones are to know.
    public func keep(_ progress: VoiceProgress, at time: WallTime) throws(Failure) {
        try file.withRows { rows in
            try self.keep(progress.text, as: "voice", at: time, in: rows)
            switch progress {
            case .none: return
            case .sealed(let offer):
                let voice = CoachVoice(
                    id: offer.profile,
                    consented: offer.consented,
                    consentVersion: offer.consentVersion
                )
                try self.save(voice, at: time, in: rows)
            case .registered(let profile, let voice):
                let column = ReplicaColumn("voice", .text(voice))
                try self.set([column], of: CoachVoice.table, profile, at: time, in: rows)
            case .deleting(let profile):
                try self.delete(CoachVoice.table, profile, at: time, in: rows)
            }
        }
    }

    /// Whether a voice profile was deleted, here or on another phone.
    public func isVoiceDeleted(_ profile: String) throws(Failure) -> Bool {
        try file.withRows { rows in
            try self.version(CoachVoice.table, profile, in: rows)?.deleted != nil
        }
    }

    /// How far the onboarding has come on this phone.
    public func onboardingProgress() throws(Failure) -> OnboardingProgress {
        let words = try text("onboarding")?.split(separator: " ") ?? []
        let outcomes = words.map { OnboardingOutcome(rawValue: String($0)) }
        return OnboardingProgress(outcomes: outcomes.prefix { $0 != nil }.compactMap(\.self))
    }

    /// Keeps how far the onboarding has come.
    public func keep(_ progress: OnboardingProgress, at time: WallTime) throws(Failure) {
        let text = progress.outcomes.map(\.rawValue).joined(separator: " ")
        try file.withRows { try self.keep(text, as: "onboarding", at: time, in: $0) }
    }

    /// What is known of the user's subscription.
    public func entitlement() throws(Failure) -> EntitlementRecord {
        try text("entitlement").flatMap { EntitlementRecord(text: $0) } ?? EntitlementRecord()
    }

    /// Keeps what is known of the user's subscription.
    public func keep(_ record: EntitlementRecord, at time: WallTime) throws(Failure) {
        try file.withRows { try self.keep(record.text, as: "entitlement", at: time, in: $0) }
    }

    /// The key of one of this phone's own values.
    ///
    /// They are mirrored as all records are, and come back after a rescue; other phones have other
    /// keys.
    func key(_ name: String) -> String { "\(device)/\(name)" }

    func text(_ name: String) throws(Failure) -> String? {
        try file.withRows { try $0.row(of: "device", self.key(name))?.columns.text("value") }
    }

    private func keep(
        _ text: String,
        as name: String,
        at time: WallTime,
        in rows: ReplicaRows
    ) throws {
        let column = ReplicaColumn("value", .text(text))
        try set([column], of: "device", key(name), at: time, in: rows)
    }
}
