import KodamaNetwork
import KodamaPhone

/// What the model of the SDK's room object does, beyond what the app's `ConnectOptions` say.
package struct RoomClientConfiguration: Sendable, Equatable {
    /// Whose reconnect policy it follows.
    package var curve = ReconnectCurve.swift
    /// Which of the SDK's known defects it has.
    var defects = SDKDefects.faithful
    /// How long the answer to a join or resume may take: 7 s (client-sdk-swift,
    /// `Extensions/TimeInterval.swift`).
    var joinResponseTimeout: Duration = .seconds(7)
    /// How long a publication may take: 10 s (as above).
    var publishTimeout: Duration = .seconds(10)
    /// Since the first unanswered check, when a transport counts as disconnected: 5 s and at least
    /// `iceUnansweredChecks` of them (libwebrtc, `p2p/base/p2p_constants`).
    var iceUnwritableTimeout: Duration = .seconds(5)
    /// How many checks must be unanswered: 5 (as above).
    var iceUnansweredChecks = 5
    /// Since the first unanswered check, when a transport counts as failed: 15 s (as above).
    var iceFailedTimeout: Duration = .seconds(15)
    /// How long without any packet a pair counts as receiving: 2.5 s (as above).
    var iceReceivingTimeout: Duration = .milliseconds(2_500)
    /// The time between checks of a stable pair: 2.5 s (as above).
    var iceStableInterval: Duration = .milliseconds(2_500)
    /// The time between checks of a pair that is becoming stable: 0.9 s (as above).
    var iceStabilizingInterval: Duration = .milliseconds(900)
    /// The time between checks of a pair that does not receive: 48 ms (as above).
    var iceWeakInterval: Duration = .milliseconds(48)
    /// How soon after its address is gone a pair counts as unwritable: 200 ms
    /// (client-sdk-android, pull request 900).
    var iceAddressLossTime: Duration = .milliseconds(200)
    /// How long the validating request after a failed first connect may take: 5 s
    /// (client-sdk-swift, `Extensions/TimeInterval.swift`, `defaultHTTPConnect`).
    var validateTimeout: Duration = .seconds(5)
    /// How long an attempt without any network takes to fail, at most: 50 ms (client-sdk-swift, issue
    /// 368, log).
    var offlineTimeMax: Duration = .milliseconds(50)
    /// Whether chance lengthens the waits between attempts, as the SDK's policy says.
    var jittersDelays = true
    /// How much the phone's jitter buffer adds to a frame's way to the ear; an assumption.
    package var playoutDelay: Duration = .milliseconds(60)

    /// The model of client-sdk-swift 2.16 with its defects.
    init() {}
}

/// Whose reconnect policy a room object follows.
package enum ReconnectCurve: String, Sendable, Hashable, CaseIterable {
    /// client-sdk-swift, `Extensions/TimeInterval.swift` and `Core/Room+Engine.swift`.
    case swift
    /// client-sdk-js, `room/DefaultReconnectPolicy.ts` and `room/RTCEngine.ts`.
    case js
    /// client-sdk-android, `room/RTCEngine.kt`.
    case android
    /// rust-sdks, `livekit/src/rtc_engine/mod.rs`.
    case rust
}

/// Known defects of client-sdk-swift 2.16, found by reading it; each can be switched off.
struct SDKDefects: Sendable, Equatable {
    /// After a quick reconnect no signal pings are sent.
    var forgetsPingsAfterResume = true
    /// A full attempt that fails before the last one makes the next iteration return as success.
    var takesEarlyFullFailureForSuccess = true
    /// A leave that asks for a full reconnect while connected wastes one quick attempt.
    var losesFullMark = true
    /// The final failure still reports a completed full reconnect.
    var completesAfterFailure = true

    /// A mute or unmute while signalling is down succeeds, and the server never hears of it
    /// (client-sdk-swift, issue 367; `TrackPublications/TrackPublication.swift` sends in a task whose
    /// failure is dropped).
    var losesMutesWhileSignalIsDown = true

    /// Only who is told to have left is forgotten, never who is missing among those who are there after
    /// a resume: a departure that nobody told of leaves a ghost (client-sdk-swift,
    /// `Core/Room+SignalClientDelegate.swift`; client-sdk-flutter, issue 1198; mended in rust-sdks, pull
    /// request 1250).
    var keepsGhosts = true

    /// Every ping begins the wait for an answer anew, so that signalling that dies in silence is never
    /// noticed; mended in 2.15.2 (client-sdk-swift, pull request 1052).
    var rearmsPingDeadline = false

    /// All of them.
    static let faithful = SDKDefects()

    /// None of them.
    static var ideal: SDKDefects {
        var defects = SDKDefects()
        defects.forgetsPingsAfterResume = false
        defects.takesEarlyFullFailureForSuccess = false
        defects.losesFullMark = false
        defects.completesAfterFailure = false
        defects.losesMutesWhileSignalIsDown = false
        defects.keepsGhosts = false
        return defects
    }

    /// Those of client-sdk-swift 2.16.
    init() {}
}
