import AppCoordination
public import KodamaLanguage
import KodamaPhone
import KodamaSession
import KodamaSimulation
import SansIO
public import WakeFlow

/// The coach on a phone, the person who sleeps beside it, and what the phone's system does to it.
package struct CoachAppPlan: AppSettings {
    /// The name of its system.
    package static let system = "coach"

    /// When its user wants to be woken, each day, since midnight.
    var wakes: [Duration] = []
    /// When its user goes to bed, after a look at the app.
    var bedtime: Duration = .seconds(22 * 3_600 + 1_800)
    /// The version of iOS.
    var version = IOSVersion(26, 1)
    /// Whether the user allows system alarms.
    var alarms = PermissionCondition.Status.granted
    /// Whether the user allows notifications.
    var notifications = PermissionCondition.Status.granted
    /// Whether Apple has granted critical alerts, and the user too.
    var hasCritical = false
    /// What the user says to a permission that was never asked for.
    var grantsWhenAsked = true
    /// The Focus that is on all night.
    var focus: Focus?
    /// Whether the mute switch is on.
    var isMuted = false
    /// How the app wakes.
    var wake = WakeConfiguration()
    /// How the phone's own voice takes over from the agent's.
    var guide = OfflineGuideConfiguration()
    /// How the app nudges.
    var nudge = NudgeConfiguration()
    /// The bugs of system alarms.
    var alarmFaults = AlarmFaultRates()
    /// How the system treats notifications.
    var center = NotificationConfiguration()
    /// Whether the guide is the agent's voice, in a room (`UseRealtime`, AN-11); else the phone's own.
    var isOnline = false
    /// Whether the app was just installed: the onboarding's seven steps come first.
    var onboards = false
    /// Whether lines and answers are recorded speech, in the agent's case through the codec; with
    /// `voice: real` only.
    var hasSound = false
    /// The user who is signed in with the app's own server; `nil` if nobody is.
    var account: String?
    /// How often its user may do what the server counts.
    var allowances = AllowanceConfiguration()
    /// The subscription of its account, and the billing service.
    var billing = BillingConfiguration()
    /// The mirror between the phones of its account.
    var mirror = MirrorConfiguration()
    /// How the app talks with its agent.
    var voice = VoiceAppConfiguration()
    /// The model of the SDK in it.
    var sdk = RoomClientConfiguration()
    /// What becomes of the routine over weeks.
    var habit = HabitConfiguration()
    /// The bedroom and who sleeps in it.
    var bedroom = BedroomConfiguration()

    /// Whether it plays samples where voices are real.
    package var carriesSamples: Bool { hasSound }

    /// The app with its default figures.
    package init() {}
}

/// What the app's own server allows a user (AN-20); the defaults are the server's.
struct AllowanceConfiguration: Tunable {
    /// How many events it counts a day.
    var events = 2_000
    /// How many reflections it stores a day.
    var reflections = 24
    /// How many links to wake audio it gives a day.
    var wakeLinks = 100

    init() {}
}

/// The room, the phone on the night table and its user, as far as they can be tuned.
struct BedroomConfiguration: Tunable {
    /// Who sleeps there.
    var sleeper = SleeperKind.mixed
    /// How loud the room is, in dBA; a quiet one, an assumption.
    var noiseDecibels = 35
    /// Where the ringer's slider stands; no app can read it.
    var ringerPercent = 100
    /// How often an alarm is stopped half asleep, without memory of it; an assumption.
    var stopsHalfAsleep = Probability(partsPerMillion: 50_000)
    /// How often one who has done with snoozing answers rather than rises alone; an assumption.
    var answers = Probability(partsPerMillion: 900_000)
    /// How often a question makes the person give up; an assumption.
    var givesUp = Probability(partsPerMillion: 34_511)
    /// How long the phone's own voice takes from the order to its first sound; an assumption.
    var speechStart: Duration = .milliseconds(300)
    /// How long the agent takes from the order for a line to its first sound: median 0.14 s, 90th percentile
    /// 0.18 s (package `apresvous`, measured with Cartesia), as for any line that needs no model.
    var agentStart = LatencyLaw(median: .milliseconds(140), sigmaMillionths: 196_102)
    /// How long a transcript of what the user said takes: the median of Deepgram nova-3 (package `apresvous`).
    var transcript: Duration = .milliseconds(360)
    /// Whether the app may begin to speak in the background, as after a stop half asleep.
    ///
    /// Activating the audio session there is refused to some (gdelataillade/alarm, issue 596).
    var speaksInBackground = true
    /// How often the system has ended the suspended process by the morning, so that a tap launches it; the
    /// system ends suspended apps when it needs memory (Apple), how often found nowhere: an assumption.
    var endsOvernight = Probability.one
    /// Which iPhone it is; its battery is all that differs, and how fast it launches apps is the phone's.
    var device = DeviceKind.iphone15
    /// Who is nudged.
    var nudged = NudgedKind.app
    /// How long it takes to do what a nudge asks for; an assumption.
    var instruction = LatencyLaw(median: .seconds(15), sigmaMillionths: 400_000)
    /// Which part of a step's time-out it takes to do what the step asks for, half the people less; half, an
    /// assumption: the source's time-outs leave room for a slow half of the people (AN-02).
    var stepShare = Probability(partsPerMillion: 500_000)
    /// How often a step is left by one who gets up without another word; an assumption: no source counts it.
    var leaves = Probability.zero
    /// How often a line of the agent's is answered before its end, and how often a backchannel is said into one:
    /// no source counts the first; 16 to 19 % of contributions to conversations are the second (Knudsen and
    /// others, Front Psychol 2020).
    var bargesIn = Probability.zero
    var backchannels = Probability.zero
    /// How often one who was not woken taps the wake's notification once they are up; an assumption: no source
    /// counts it.
    var tapsLate = Probability.zero
    /// How long they talk with the agent then, and how often they hang up rather than put the phone down; both
    /// are assumptions.
    var lateTalk = LatencyLaw(median: .seconds(60), sigmaMillionths: 400_000)
    var hangsUp = Probability.one

    init() {}
}

/// Who sleeps beside the phone.
enum SleeperKind: Sendable, CaseIterable {
    /// Heavy, moderate and light snoozers as they are among people (Robbins and others 2025).
    case mixed
    /// One of the three.
    case heavy, moderate, light
    /// Snoozes every day and long, stops alarms half asleep and gives up easily.
    case pessimistic
}

/// An iPhone that a scenario can choose (AN-19).
enum DeviceKind: Sendable, CaseIterable {
    case iphone12, iphone13, iphone14, iphone15, iphone16
}

/// Who is nudged; the figures stand at `NudgePersona`.
enum NudgedKind: Sendable, CaseIterable {
    case committed, app, ordinary, pessimistic
}

/// Whose habit grows over weeks, and how; off unless a mix of people is chosen (K-11).
struct HabitConfiguration: Tunable {
    /// How long people keep an app.
    enum Mix: Sendable, CaseIterable {
        /// There is no programme: every day is like the first.
        case none
        /// Nobody leaves.
        case stays
        /// The laws of `Disengagement`.
        case behaviourChange, mentalHealth
    }

    /// Who begins the programme.
    var mix = Mix.none
    /// How often the routine is run alone before it is a habit; an assumption.
    var aloneAtFirst = Probability(partsPerMillion: 150_000)
    /// How often it is once it is one; an assumption.
    var aloneAtFull = Probability(partsPerMillion: 900_000)
    /// After how many repetitions half the people have 95 % of their habit (Lally and others 2010).
    var daysTo95 = 66
    /// What a repetition that the app asked for adds, beside one that was run alone; reminders slow
    /// automaticity (Stawarz and others 2015), by how much is an assumption.
    var prompted = Probability(partsPerMillion: 700_000)
    /// How often on a day whose nudges have faded the user calls for them by the phrase; an assumption.
    var calls = Probability(partsPerMillion: 50_000)

    init() {}
}

extension WakeConfiguration: Tunable {}
extension OfflineGuideConfiguration: Tunable {}
extension NudgeConfiguration: Tunable {}
extension AlarmFaultRates: Tunable {}
extension NotificationConfiguration: Tunable {}
