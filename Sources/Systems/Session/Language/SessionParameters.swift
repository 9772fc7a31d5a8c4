import AppCoordination
public import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import RealtimeVoice
import SansIO

extension VoiceAppConfiguration: Tunable {}

extension ParameterCatalog {
    /// Everything that can be tuned in the voice session app and in the model of the SDK under it.
    ///
    /// Calls have the same model under them.
    static let session = ParameterCatalog(
        reconnect + outer + watchdog + probe + manners
            + (sdk + ice + defects).shared(with: Tenant.calls),
        constraints: [
            Constraint("outer.first_delay", notAbove: "outer.max_delay"),
            Constraint("sdk.ice.unwritable_timeout", notAbove: "sdk.ice.failed_timeout"),
        ]
    ).scoped(.app(SessionAppPlan.system))

    private static let reconnect: [Parameter] = [
        .integer(
            "reconnect.attempts",
            \VoiceAppConfiguration.session.connectOptions.reconnectAttempts,
            1...10_000,
            meaning: "How many attempts a reconnect of the SDK has; the last one is a full one.",
            source: "RS-04, D-07"
        ),
        .duration(
            "reconnect.first_delay",
            \VoiceAppConfiguration.session.connectOptions.reconnectAttemptDelay,
            .zero...(.seconds(60)),
            meaning: "The SDK's wait after the first failed attempt.",
            source: "RS-04, D-07"
        ),
        .duration(
            "reconnect.max_delay",
            \VoiceAppConfiguration.session.connectOptions.reconnectMaxDelay,
            .zero...(.seconds(60)),
            meaning: "What the SDK's waits grow to.",
            source: "RS-04, D-07"
        ),
        .duration(
            "connect.socket_timeout",
            \VoiceAppConfiguration.session.connectOptions.socketConnectTimeout,
            .milliseconds(100)...(.seconds(60)),
            meaning: "How long the WebSocket may take to open.",
            source: "client-sdk-swift, ConnectOptions"
        ),
        .duration(
            "connect.primary_timeout",
            \VoiceAppConfiguration.session.connectOptions.primaryTransportConnectTimeout,
            .milliseconds(100)...(.seconds(60)),
            meaning: "How long the primary transport may take to connect.",
            source: "client-sdk-swift, ConnectOptions"
        ),
        .duration(
            "connect.publisher_timeout",
            \VoiceAppConfiguration.session.connectOptions.publisherTransportConnectTimeout,
            .milliseconds(100)...(.seconds(60)),
            meaning: "How long the publisher's transport may take to connect.",
            source: "client-sdk-swift, ConnectOptions"
        ),
    ]

    private static let outer: [Parameter] = [
        .integer(
            "outer.fast_attempts",
            \VoiceAppConfiguration.session.outerRetry.fastAttempts,
            0...100,
            meaning:
                "How many attempts the session makes before it says that it could not connect.",
            source: "RS-09, D-19"
        ),
        .duration(
            "outer.first_delay",
            \VoiceAppConfiguration.session.outerRetry.firstDelay,
            .zero...(.seconds(60)),
            meaning: "The session's wait before its first attempt after the SDK gave up.",
            source: "RS-09"
        ),
        .duration(
            "outer.max_delay",
            \VoiceAppConfiguration.session.outerRetry.maximumDelay,
            .zero...(.seconds(300)),
            meaning: "The longest wait of the fast phase; waits double.",
            source: "RS-09"
        ),
        .duration(
            "outer.slow_delay",
            \VoiceAppConfiguration.session.outerRetry.slowDelay,
            .seconds(1)...(.seconds(3_600)),
            meaning: "The wait between attempts of the slow phase.",
            source: "D-19"
        ),
        .duration(
            "outer.offline_delay",
            \VoiceAppConfiguration.session.outerRetry.offlineDelay,
            .seconds(1)...(.seconds(3_600)),
            meaning: "That wait while the system says that there is no path.",
            source: "D-19"
        ),
        .share(
            "outer.jitter",
            \VoiceAppConfiguration.session.outerRetry.jitter,
            .zero...(.one),
            meaning: "By which share a wait may grow at most.",
            source: "D-08"
        ),
        .boolean(
            "outer.follows_path",
            \VoiceAppConfiguration.session.outerRetry.followsPath,
            meaning:
                "Whether word of a path starts an attempt at once and cuts a hopeless one short.",
            source: "D-19"
        ),
        .duration(
            "outer.path_grace",
            \VoiceAppConfiguration.session.outerRetry.pathGrace,
            .zero...(.seconds(60)),
            meaning: "How long what is under way when the path changes may still take.",
            source: "D-19"
        ),
    ]

    private static let watchdog: [Parameter] = [
        .boolean(
            "watchdog.enabled",
            \VoiceAppConfiguration.session.watchdog.isEnabled,
            meaning: "Whether the session watches for a connected room that is dead.",
            source: "K-01c"
        ),
        .duration(
            "watchdog.suspect_after",
            \VoiceAppConfiguration.session.watchdog.suspectAfter,
            // Statistics come once a second: sooner, each room would be given up before its first.
            .seconds(1)...(.seconds(60)),
            meaning: "How long nothing may come in before the status says so.",
            source: "K-01c"
        ),
        .duration(
            "watchdog.act_after",
            \VoiceAppConfiguration.session.watchdog.actAfter,
            .zero...(.seconds(60)),
            meaning: "How long after that another room object connects.",
            source: "K-01c"
        ),
        .duration(
            "watchdog.resume_within",
            \VoiceAppConfiguration.session.watchdog.resumeWithin,
            .zero...(.seconds(120)),
            meaning:
                "How long the SDK's reconnecting may take to bring lost voice back before that.",
            source: "K-01a"
        ),
    ]

    private static let manners: [Parameter] = [
        .choice(
            "session.leave_on",
            \VoiceAppConfiguration.session.leaveOn,
            meaning: "Upon which phase of its scene the session leaves the room.",
            source: "D-05"
        ),
        .choice(
            "session.partner",
            \VoiceAppConfiguration.session.partner,
            meaning: "Whom the session meets: an agent, who always sends, or a person.",
            source: "D-22"
        ),
        .duration(
            "session.token_timeout",
            \VoiceAppConfiguration.session.tokenTimeout,
            .milliseconds(100)...(.seconds(120)),
            meaning: "How long a token request may take.",
            source: "RS-02"
        ),
        .duration(
            "session.token_reserve",
            \VoiceAppConfiguration.session.tokenReserve,
            .zero...(.seconds(600)),
            meaning: "How much life a token must have left to be used for a retry.",
            source: "D-08"
        ),
        .boolean(
            "session.refreshes_token",
            \VoiceAppConfiguration.session.refreshesToken,
            meaning: "Whether a retry fetches a fresh token when the one at hand nears its end.",
            source: "D-08"
        ),
        .duration(
            "session.connect_timeout",
            \VoiceAppConfiguration.session.connectTimeout,
            .milliseconds(100)...(.seconds(300)),
            meaning: "How long one connect of a room object may take in all.",
            source: "K-01b"
        ),
        .duration(
            "session.retry_timeout",
            \VoiceAppConfiguration.session.retryTimeout,
            .milliseconds(100)...(.seconds(300)),
            meaning: "How long a connect of a room object may take when the session comes back.",
            source: "K-01b"
        ),
        .choice(
            "session.login",
            \VoiceAppConfiguration.login,
            meaning: "Who may connect: whoever holds the device, or only who has signed in.",
            source: "RS-12"
        ),
    ]
}
