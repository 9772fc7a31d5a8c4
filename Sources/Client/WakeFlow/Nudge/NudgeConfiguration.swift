/// How often and how long the user is nudged.
public struct NudgeConfiguration: Sendable, Equatable {
    /// How a nudge is sent; the detector's extension can post a local notification and nothing else (D-25).
    public var route = NudgeRoute.local
    /// The form of an intervention that the agent leads; without it the short one is taken.
    public var form = NudgeForm.full
    /// The least time between two nudges; the system's monitors fire at least 15 min apart (D-25).
    public var gap: Duration = .seconds(900)
    /// How many nudges a day has at each level of the fade-out, each 0 to 48 (AN-07).
    ///
    /// Before 3 self-run days in a row, from 3, from 5 and from 7 on. The numbers are an assumption.
    public var perDay = [8, 4, 2, 0]
    /// The self-run days in a row from which each level holds (AN-07).
    public var levels = [3, 5, 7]
    /// How long an unopened nudge stays; inattentive spells end within 5 min in three of four cases
    /// (Dingler and Pielot, MobileHCI 2015), and 83 % of clicks come within that time (Sahami Shirazi et al.,
    /// CHI 2014).
    public var openPatience: Duration = .seconds(300)
    /// How long a connect may take until the phone's own short form begins; an assumption, as K-07 leaves 30 s.
    public var connectPatience: Duration = .seconds(3)
    /// The longest short form, from the opening (K-07).
    public var shortMax: Duration = .seconds(30)
    /// The shortest full form, from the opening (K-07).
    public var fullMin: Duration = .seconds(30)
    /// The longest full form, from the opening (K-07).
    public var fullMax: Duration = .seconds(60)
    /// How long the user may take to be back in the app they came from (D-24).
    public var returnPatience: Duration = .seconds(60)
    /// What is left of the distance to a full habit after a self-run day, in parts per million.
    ///
    /// Repetition follows y = a − b·e^(−cx), 95 % of it after a median of 66 days (Lally et al., 2010):
    /// 0.05^(1/66).
    public var habitGapPartsPerMillion: Int64 = 955_625

    /// The default preset.
    public init() {}
}
