import KodamaBackend
import KodamaPhone
import SansIO

/// What is done to the push provider and to the push service, and when, whichever service it is.
struct Story {
    /// One thing that is done.
    enum Act {
        /// The server orders a push to the device; the call rings for 45 s.
        case push(String)
        /// The server orders a push to a token that nobody ever had.
        case pushToNobody(String)
        /// The push is not wanted any more.
        case withdraw(String)
        /// The app is removed from the device.
        case removeApp
        /// The service refuses everything for this reason.
        case refuse(PushReason)
        /// The service answers this much later.
        case slow(Duration)
        /// The service refuses nothing any more and answers at once.
        case accept
        /// The connections that are open are dead from now on, and nobody says so.
        case silence
        /// The connections that are open are closed, by GOAWAY where there is one.
        case close
        /// The server's clock is set: this far behind the true time.
        case setClock(behind: Duration)
    }

    /// What the story shows, in a sentence.
    var name: String
    /// After how long a silence a connection dies.
    var idleLife = Duration.seconds(1_800)
    /// How many requests the device may get in ten seconds.
    var requestsMax = 60
    /// How far the server's clock is behind at the beginning.
    var clockBehind = Duration.zero
    /// What is done, in order.
    var acts: [(time: Duration, act: Act)]
    /// When the story ends.
    var end: Duration

    /// The time in which `requestsMax` counts.
    static let requestWindow = Duration.seconds(10)
    /// The entropy of the provider's identities.
    static let seed: UInt64 = 18
    static let device = PushDeviceID(number: 1)
    static let topic = "app.kodama.voip"
    static let nobody = String(repeating: "0", count: 64)

    static var all: [Story] {
        [
            Story(
                name: "accepted: three pushes, one connection, one provider token (200)",
                acts: [
                    (.seconds(1), .push("c-1")), (.seconds(3), .push("c-2")),
                    (.seconds(5), .push("c-3")),
                ],
                end: .seconds(20)
            ),
            Story(
                name: "given up: a device token that is none (400 BadDeviceToken)",
                acts: [(.seconds(1), .pushToNobody("c-1")), (.seconds(5), .push("c-2"))],
                end: .seconds(20)
            ),
            Story(
                name:
                    "renewed: a clock two hours behind mints a provider token that is refused, and is"
                    + " renewed once it may be (403 ExpiredProviderToken)",
                clockBehind: .seconds(7_200),
                acts: [
                    (.seconds(1), .push("c-1")), (.seconds(1_250), .setClock(behind: .zero)),
                    (.seconds(1_260), .push("c-2")), (.seconds(1_270), .push("c-3")),
                ],
                end: .seconds(1_290)
            ),
            Story(
                name: "forgotten: the app was removed (410 Unregistered, with its time)",
                acts: [
                    (.seconds(1), .push("c-1")), (.seconds(5), .removeApp),
                    (.seconds(9), .push("c-2")),
                ],
                end: .seconds(20)
            ),
            Story(
                name: "waits: too many for one device, tried again on the same connection"
                    + " (429 TooManyRequests)",
                requestsMax: 2,
                acts: [
                    (.seconds(1), .push("c-1")), (.seconds(2), .push("c-2")),
                    (.seconds(5), .push("c-3")),
                ],
                end: .seconds(40)
            ),
            Story(
                name: "elsewhere: too many provider tokens, tried again by another connection"
                    + " (429 TooManyProviderTokenUpdates)",
                acts: [
                    (.seconds(1), .refuse(.tooManyProviderTokenUpdates)),
                    (.seconds(2), .push("c-1")), (.seconds(8), .accept),
                ],
                end: .seconds(40)
            ),
            Story(
                name: "elsewhere: the service is going down for ten seconds (503 Shutdown)",
                acts: [
                    (.seconds(1), .push("c-1")), (.seconds(5), .refuse(.shutdown)),
                    (.seconds(6), .push("c-2")), (.seconds(15), .accept),
                ],
                end: .seconds(40)
            ),
            Story(
                name: "outlived: down for longer than the call rings (503 ServiceUnavailable)",
                acts: [
                    (.seconds(1), .refuse(.serviceUnavailable)), (.seconds(2), .push("c-1")),
                    (.seconds(60), .accept), (.seconds(62), .push("c-2")),
                ],
                end: .seconds(80)
            ),
            Story(
                name:
                    "found dead: idle for 30 s, a connection swallows push and ping; the push is sent"
                    + " again by another",
                idleLife: .seconds(30),
                acts: [(.seconds(1), .push("c-1")), (.seconds(40), .push("c-2"))],
                end: .seconds(125)
            ),
            Story(
                name: "withdrawn: the device was heard of while its push's answer was missing",
                acts: [
                    (.seconds(1), .push("c-1")), (.seconds(10), .silence),
                    (.seconds(11), .push("c-2")), (.seconds(13), .withdraw("c-2")),
                ],
                end: .seconds(40)
            ),
            Story(
                name: "cut off: a connection that is closed is opened again for the next push",
                acts: [
                    (.seconds(1), .push("c-1")), (.seconds(10), .close),
                    (.seconds(15), .push("c-2")),
                ],
                end: .seconds(40)
            ),
            Story(
                name: "cut off with a push unanswered: it is sent again by another connection",
                acts: [
                    (.seconds(1), .push("c-1")), (.seconds(10), .slow(.seconds(3))),
                    (.seconds(11), .push("c-2")), (.seconds(12), .close),
                ],
                end: .seconds(40)
            ),
            Story(
                name:
                    "answered too late: the push is sent again, accepted twice under one identity",
                acts: [
                    (.seconds(1), .push("c-1")), (.seconds(10), .slow(.seconds(7))),
                    (.seconds(11), .push("c-2")), (.seconds(12), .accept),
                ],
                end: .seconds(40)
            ),
            Story(
                name:
                    "kept alive: twenty minutes of silence but for pings, where ten would kill",
                idleLife: .seconds(600),
                acts: [(.seconds(1), .push("c-1")), (.seconds(1_200), .push("c-2"))],
                end: .seconds(1_230)
            ),
        ]
    }
}
