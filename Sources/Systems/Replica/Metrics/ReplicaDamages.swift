import KodamaEvidence

/// Which files were damaged, and what their apps say of it.
struct ReplicaDamages {
    private struct Damage {
        let app: ComponentIndex
        /// How many changes the file kept that the primary did not have.
        var unsent: Int64
        var isRebuilt = false
    }

    /// Those that are not reported, or whose file was not opened since.
    private var damages: [Damage] = []
    /// The apps that have reported a damage before they said how they opened the file.
    private var early: [ComponentIndex] = []

    /// How many files were rebuilt of whose damage nobody was told.
    var unreportedCount: Int { damages.count { $0.isRebuilt } }

    /// An app's file was damaged.
    mutating func damage(_ app: ComponentIndex, unsent: Int64) {
        if let index = damages.firstIndex(where: { $0.app == app && !$0.isRebuilt }) {
            damages[index].unsent = max(damages[index].unsent, unsent)
        } else {
            damages.append(Damage(app: app, unsent: unsent))
        }
    }

    /// An app has opened its file, or not.
    ///
    /// The damaged file stays as it is where the disk has no room for a new one, and where a later version of the
    /// app wrote it: what an older version rebuilt would lack that version's columns.
    ///
    /// - Returns: Whether that was right; `nil` of a sound file that was opened as such, and of one that stays.
    mutating func open(_ app: ComponentIndex, _ opening: ReplicaOpening?) -> Bool? {
        guard opening != .noRoom, opening != .refused else { return nil }
        if let index = early.firstIndex(of: app) {
            early.remove(at: index)
            return opening == .rebuilt
        }
        guard let index = damages.firstIndex(where: { $0.app == app && !$0.isRebuilt }) else {
            return opening == .rebuilt ? false : nil
        }
        guard opening == .rebuilt else {
            damages.remove(at: index)
            return false
        }
        damages[index].isRebuilt = true
        return true
    }

    /// An app says that its file was damaged.
    ///
    /// - Returns: Whether it was, and that it does not claim to have saved all where it has not.
    mutating func report(_ report: ReplicaDamageReported, by app: ComponentIndex) -> Bool {
        guard let index = damages.firstIndex(where: { $0.app == app }) else { return false }
        let damage = damages.remove(at: index)
        if !damage.isRebuilt { early.append(app) }
        return !report.isComplete.isSet || report.saved >= damage.unsent
    }

    /// Whether an app's file was damaged and the app has not said so.
    func isUnreported(_ app: ComponentIndex) -> Bool {
        damages.contains { $0.app == app }
    }
}
