import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import SansIO

extension PhoneSystemConfiguration: Tunable {}

extension ParameterCatalog {
    /// Everything that can be tuned in the system of the phones.
    static let phones = ParameterCatalog(phone + pushesAndCalls).scoped(.phones)

    private static let phone: [Parameter] = [
        system(
            "transition_time",
            \PhoneSystemConfiguration.transitionTime,
            "The time between inactive and background, or inactive and active."
        ),
        system(
            "suspension_grace",
            \PhoneSystemConfiguration.suspensionGrace,
            "How long an app without audio runs in the background."
        ),
        system(
            "background_task_grace",
            \PhoneSystemConfiguration.backgroundTaskGrace,
            "The same while a background task runs."
        ),
        system(
            "suspended_socket_life",
            \PhoneSystemConfiguration.suspendedSocketLife,
            "After how long of suspension sockets are dead."
        ),
        system(
            "launch.median",
            \PhoneSystemConfiguration.launch.median,
            "The median time from the tap to the app's first line of code."
        ),
        system(
            "keychain_time",
            \PhoneSystemConfiguration.keychainTime,
            "How long the keychain takes to answer, without which no app can ask its server.",
            "VP-05"
        ),
        .millionths(
            "phone.launch.spread",
            \PhoneSystemConfiguration.launch.sigmaMillionths,
            0...5_000_000,
            meaning: "The standard deviation of the launch time's natural logarithm; 100% is 1.",
            source: "RS-07"
        ),
    ]

    private static let pushesAndCalls: [Parameter] = [
        system(
            "push.grace",
            \PhoneSystemConfiguration.pushGrace,
            "How long an app runs in the background for a VoIP push.",
            "VP-04"
        ),
        system(
            "push.report_time",
            \PhoneSystemConfiguration.pushReportTime,
            "How long the system waits for the report of a push.",
            "D-20"
        ),
        .integer(
            "phone.push.breaches",
            \PhoneSystemConfiguration.pushBreachesMax,
            1...1_000_000,
            meaning: "How many unreported pushes end an app's launches for pushes.",
            source: "D-20"
        ),
        system(
            "call.action_time",
            \PhoneSystemConfiguration.callActionTime,
            "How long an action of the call screen may stay open.",
            "VP-05"
        ),
        system(
            "call.audio_time",
            \PhoneSystemConfiguration.callAudioTime,
            "How long after a fulfilled answer the audio session is active.",
            "RS-15"
        ),
        .boolean(
            "phone.call.ringing_keeps_awake",
            \PhoneSystemConfiguration.ringingKeepsAppAwake,
            meaning: "Whether a call that only rings keeps its app running.",
            source: "VP-04"
        ),
        .boolean(
            "phone.call.resumes_suspended",
            \PhoneSystemConfiguration.resumesAfterCalls,
            meaning: "Whether an app whose sound a call took is resumed when the call is over.",
            source: "Apple, Audio Session Programming Guide, The Interruption Life Cycle"
        ),
    ]

    /// A time of the phone's system.
    private static func system(
        _ name: String,
        _ path: any ConfigurationPath<PhoneSystemConfiguration, Duration>,
        _ meaning: String,
        _ source: String = "RS-07"
    ) -> Parameter {
        .duration(
            "phone.\(name)",
            path,
            .zero...(.seconds(600)),
            meaning: meaning,
            source: source
        )
    }
}
