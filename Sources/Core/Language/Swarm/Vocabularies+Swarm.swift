extension Vocabularies {
    /// The kinds of faults that a phone with so many radios can have, of the phone itself or of an app on it.
    ///
    /// - Parameters:
    ///   - system: The app, or `nil` for what needs none.
    ///   - radioCount: How many radios the phone has.
    /// - Returns: Their names, sorted.
    package func swarmFaults(of system: String?, radioCount: Int) -> [String] {
        chances.filter { chance in
            guard chance.radios <= radioCount else { return false }
            switch chance.app {
            case .none: return system == nil
            case .any: return system != nil
            case .system(let needed): return needed == system
            case .oneOf(let systems): return systems.first { $0 == system } != nil
            }
        }.map(\.name)
    }

    /// Whether `app` must be named beside a mix of faults with these kinds.
    package func needsApp(_ kinds: [String]) -> Bool {
        chances.contains { kinds.contains($0.name) && $0.app == .any }
    }

    /// How much of its voice a system's app can carry, whether its users talk over links, and in rooms.
    package func swarmVoice(
        of system: String
    ) -> (modes: [VoiceMode], usesLinks: Bool, usesRooms: Bool) {
        let app = apps.first { $0.system == system }
        return (app?.voices ?? [], app?.usesLinks ?? false, app?.usesRooms ?? false)
    }

    /// What users can do.
    package var swarmWords: [UserWord] { userWords }

    /// The shape of a whole scenario.
    package var documentShape: MappingShape { ScenarioLanguage.root(self) }
}
