package import KodamaEvidence

/// What a world must hold for some metrics and invariants to find anything in it.
///
/// A gate on figures that cannot arise is no pass but never a failure of the app either: whoever writes one is
/// told before anything runs.
package struct DataNeed: Sendable {
    /// The metrics and invariants.
    let names: [NamePattern]
    /// Those among them that do without.
    let exempt: [NamePattern]
    /// What the world lacks, in a clause; `nil` if it lacks nothing.
    let lack: @Sendable (WorldPlan) -> String?

    /// Says what `names`, except for `exempt`, cannot do without.
    package init(
        of names: [NamePattern],
        except exempt: [NamePattern] = [],
        lack: @escaping @Sendable (WorldPlan) -> String?
    ) {
        self.names = names
        self.exempt = exempt
        self.lack = lack
    }

    /// Why `plan` gives a metric or an invariant no data; `nil` if it may.
    func lack(of name: String, in plan: WorldPlan) -> String? {
        guard names.contains(where: { $0.matches(name) }),
            !exempt.contains(where: { $0.matches(name) })
        else { return nil }
        return lack(plan)
    }
}

extension DataNeed {
    /// A phone with the app of a system.
    package static func app<Settings: AppSettings>(
        _ system: Settings.Type,
        of names: [NamePattern],
        except exempt: [NamePattern] = []
    ) -> DataNeed {
        DataNeed(of: names, except: exempt) {
            $0.runs(system) ? nil : "no phone has the \(system.system) app"
        }
    }

    /// Somebody who talks.
    package static func talk(of names: [NamePattern]) -> DataNeed {
        DataNeed(of: names) { $0.talk.isEmpty ? "nobody talks" : nil }
    }
}
