import KodamaNetwork
import KodamaPhone
import SansIO

/// How a framework like Apple's MultipeerConnectivity behaves, as its users have found.
struct NearbyConfiguration: Sendable, Equatable {
    /// How often a session announces itself, says that its connections stand, and repeats an invitation.
    ///
    /// 16 availability windows of a peer-to-peer radio, 65.5 ms each (seemoo-lab/owl, `src/sync.c`;
    /// Stute, Kreitschmann, Hollick, MobiCom 2018), so that others are seen at once.
    var beat: Duration = .microseconds(1_048_576)
    /// How long a link between two radios that have not talked takes at least: 10 s
    /// (security-union/remote-shutter, pull request 181).
    var coldSetUpLeast: Duration = .seconds(10)
    /// The same at most: 20 s (as above).
    ///
    /// On one access point seconds or less are seen.
    var coldSetUpMost: Duration = .seconds(20)
    /// How long it takes at least where they have talked; an assumption: "the second try rides the
    /// warmed link" (as above).
    var warmSetUpLeast: Duration = .seconds(1)
    /// The same at most; an assumption.
    var warmSetUpMost: Duration = .seconds(3)
    /// For how long two radios that hear nothing of each other stay warm; an assumption.
    var warmth: Duration = .seconds(30)
    /// How long an invitation may take: the framework's default is 30 s; 5 s failed at every first try
    /// away from an access point, 20 s with one more try work (as above).
    var inviteTimeout: Duration = .seconds(20)
    /// How many tries follow one that failed, at once (as above).
    var inviteRetries = 1
    /// After how much silence a lost connection is noticed at the earliest; 5 to 30 s is an assumption
    /// that goes with "does not always notify you when a peer is gone" (ymc.ch 2014; Thali_CordovaPlugin,
    /// issues 1526 and 258).
    var noticeLeast: Duration = .seconds(5)
    /// The same at the latest.
    var noticeMost: Duration = .seconds(30)
    /// How often it is never noticed; an assumption (as above).
    var noticeNever = Probability(partsPerMillion: 50_000)
    /// How long a phone that was cut is not let in again; an assumption about the app that cuts.
    var cutTime: Duration = .seconds(60)
    /// The most phones in a session, this one included: 8 (lightyearsoftware.com 2014; Apple's support
    /// engineers in developer forum thread 785308: "not intended to scale to this").
    static let phonesMax = 8

    /// The figures above.
    init() {}
}
