import KodamaEvidence
public import KodamaLanguage

extension KodamaSystem {
    /// The coach that wakes people; its agent talks in the rooms of sessions.
    public static let coach = KodamaSystem(
        "coach",
        needs: ["session"],
        evidence: .coach,
        vocabulary: .coach,
        host: CoachSystem.self,
        swarm: .coach
    )
}

extension EvidenceSystem {
    /// Mornings: what was armed, what sounded, who heard it and who got up.
    static let coach: EvidenceSystem = {
        var system = EvidenceSystem(
            .coach,
            forms: [
                MorningDue.self, WakeUnneeded.self, RouteShown.self, EntryFired.self,
                EntryLost.self, SoundHeard.self,
                SleeperActed.self, LineBegan.self, SleeperReplied.self, MorningEnded.self,
                FactKept.self, PhonePowered.self, GrantChanged.self, DistractionNoticed.self,
                NudgeCame.self, NudgeActed.self, InstructionDone.self, NudgeEnded.self,
                DayRadio.self, DayEnergy.self, AgentVoiceChanged.self, ListeningChanged.self,
                TalkLeft.self,
                StoreOpened.self,
                ReportKept.self, SummaryKept.self, ReportSettled.self, ReportCounted.self,
                LimitMet.self, LimitsShown.self,
                RightChanged.self,
                BillingReach.self, AccessShown.self, AccessUsed.self, FieldEdited.self,
                FieldHeld.self, MirrorReach.self, MirrorSynced.self,
                VoiceWish.self, VoiceStep.self, VoiceKept.self, VaultHeld.self, VoiceAtServer.self,
                AudioFetched.self,
                InterventionBegan.self, InterventionEnded.self, HabitDay.self, HabitStrength.self,
                PhraseCalled.self,
                LineSounded.self, WordHeard.self, AudioPublished.self, OnboardingShown.self,
                OnboardingAnswered.self,
                TriggerSeen.self, PhraseSounded.self,
            ],
            meter: CoachMeter.self,
            narrator: CoachNarrator.self
        )
        system.acts = UserAct.coach
        system.chains = [.mornings, .nudges, .habits]
        return system
    }()
}

extension MetricChain {
    /// A morning from the armed sound to the sleeper out of bed (K-23).
    fileprivate static let mornings = MetricChain(
        "mornings",
        links: [
            Link("armed", "wake.chain.armed"), Link("rang", "wake.chain.rang"),
            Link("noticed", "wake.chain.noticed"), Link("answered", "wake.chain.answered"),
            Link("talked", "wake.chain.talked"), Link("finished", "wake.chain.finished"),
            Link("up", "wake.chain.up"),
        ],
        whole: Link("success", "wake.success.rate"),
        known: Link("app's own success", "wake.success.app_rate")
    )
    /// A nudge from the order to the instruction done (K-06).
    fileprivate static let nudges = MetricChain(
        "nudges",
        links: [
            Link("shown", "nudge.chain.shown"), Link("opened", "nudge.chain.opened"),
            Link("done", "nudge.chain.done"),
        ],
        whole: Link("response", "nudge.response.rate"),
        known: Link("app's own response", "nudge.response.app_rate")
    )
}

extension MetricChain {
    /// Self-run days in a row, of all who began (K-11).
    fileprivate static let habits = MetricChain(
        "habits",
        links: [
            Link("3 days alone", "habit.chain.three"), Link("5 days", "habit.chain.five"),
            Link("7 days", "habit.chain.seven"),
        ],
        whole: Link("reached", "habit.streak.rate"),
        known: Link("of those who stayed", "habit.streak.stayed.rate")
    )
}

extension SystemID {
    /// The coach.
    static var coach: SystemID { SystemID(8) }
}
