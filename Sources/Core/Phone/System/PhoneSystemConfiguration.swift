public import KodamaSimulation

/// How a phone's system treats apps: what it lets them wait for, and how long it bears them.
public struct PhoneSystemConfiguration: Sendable, Equatable {
    /// The time between inactive and background, or inactive and active; an assumption, about the
    /// length of iOS's animation.
    public var transitionTime: Duration = .milliseconds(300)
    /// How long an app without audio runs in the background: 5 s, which is about what UIKit grants
    /// `applicationDidEnterBackground(_:)` to return.
    public var suspensionGrace: Duration = .seconds(5)
    /// The same while a background task runs: 30 s (signalapp/Signal-iOS, pull request 2632, speaks
    /// of about 30 s in practice).
    public var backgroundTaskGrace: Duration = .seconds(30)
    /// After how long of suspension sockets are dead: 10 s, an assumption.
    ///
    /// The system may reclaim them at any time, and they then report an error (Apple, Technical Note
    /// TN2277, "Networking and Multitasking").
    public var suspendedSocketLife: Duration = .seconds(10)
    /// How long an app takes from the tap to its first line of code: median 0.6 s, around Apple's goal
    /// of 0.4 s to the first frame (WWDC 2016, session 406); the spread is an assumption.
    public var launch = LatencyLaw(median: .milliseconds(600), sigmaMillionths: 500_000)
    /// How long the keychain takes to answer; nothing, by assumption.
    ///
    /// An app that has to be ready for its server first is slower than its keychain: from push to
    /// "registered" a native SIP app took about 5 s (Apple, developer forums, thread 795610), one in
    /// React Native 5 to 6 s (voximplant/react-native-voximplant, issue 123). This is where such a time
    /// is given.
    public var keychainTime: Duration = .zero

    /// Whether an app that was suspended while a call had its audio is resumed when the call is over.
    ///
    /// "If […] the user accepted a phone call, your app is suspended. When the phone call ends, the end
    /// interruption is delivered" (Apple, Audio Session Programming Guide, "The Interruption Life
    /// Cycle", 2014); on a device an app that records in the background went on after phone calls
    /// (software-mansion/react-native-audio-api, issue 1220, 2026). It is no promise: "there is no
    /// guarantee that a begin interruption will have a corresponding end interruption" (Apple,
    /// "Handling audio interruptions").
    public var resumesAfterCalls = true

    /// How long an app runs in the background for a VoIP push: about 30 s in practice
    /// (signalapp/Signal-iOS, pull request 2632).
    public var pushGrace: Duration = .seconds(30)
    /// Whether a call that only rings keeps its app running beyond that; not, by assumption: the same
    /// source says that an app is suspended then "if the call is not running".
    public var ringingKeepsAppAwake = false
    /// How long the system waits for the report of a push: about 7 s from its delivery (Apple, developer
    /// forums, thread 817976).
    public var pushReportTime: Duration = .seconds(7)
    /// How many pushes an app may leave unreported before the system launches it for pushes no more;
    /// Apple publishes no count: an assumption.
    public var pushBreachesMax = 3
    /// How long an action of the call screen may stay open (`CXAction.timeoutDate`); Apple publishes no
    /// figure: an assumption.
    public var callActionTime: Duration = .seconds(30)
    /// How long after a fulfilled answer the audio session is active; an assumption.
    public var callAudioTime: Duration = .milliseconds(200)

    /// An iPhone's.
    public init() {}
}
