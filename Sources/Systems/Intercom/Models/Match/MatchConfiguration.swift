import KodamaNetwork
import KodamaPhone
import SansIO

/// How a match service like Apple's GameKit behaves, as far as it is known.
struct MatchConfiguration: Sendable, Equatable {
    /// How often a player's framework and the service show each other that they are there; an assumption.
    var beat: Duration = .seconds(2)
    /// How long it takes at least until players who look for each other are connected; no figure is
    /// published, and 4 to 15 s are an assumption.
    var setUpLeast: Duration = .seconds(4)
    /// The same at most.
    var setUpMost: Duration = .seconds(15)
    /// What the way over the service adds at least to that of the players' own links; no round trip is
    /// published, and 0 to 60 ms, the same for all of a connection's life, are an assumption.
    var relayDelayLeast: Duration = .zero
    /// The same at most.
    var relayDelayMost: Duration = .milliseconds(60)
    /// The longest unreliable message: 1,000 bytes (Apple's older guidance, as GameCenterManager's
    /// source comments quote it).
    var messageBytesMax = 1_000
    /// How many messages a second the service carries for one player; no limit is published, and twice
    /// what five streams of voice and their control need is an assumption.
    var messagesPerSecondMax = 600
    /// After how much silence a player is counted as lost at the earliest; the delay is unpublished,
    /// games add a time-out of 5 s of their own (howto.im), and 5 to 15 s are an assumption.
    var noticeLeast: Duration = .seconds(5)
    /// The same at the latest.
    var noticeMost: Duration = .seconds(15)
    /// How often a lost player is never noticed; an assumption.
    var noticeNever: Probability = .zero
    /// How long a framework waits for the service's answer before it says that there is none; an
    /// assumption.
    var answerTimeout: Duration = .seconds(10)
    /// How long a player who was cut is not let in again; an assumption about the app that cuts.
    var cutTime: Duration = .seconds(60)
    /// The most players in a match: 16 (Apple, `GKMatchRequest.maxPlayersAllowedForMatch`).
    static let playersMax = 16

    /// The figures above.
    init() {}
}
