import Models
import SansIO

extension PhoneSystemConfiguration: Tunable {}

extension ParameterCatalog {
    /// Everything that can be tuned in the system of the phones.
    static let phones = ParameterCatalog(phone).scoped(.phones)

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
        .millionths(
            "phone.launch.spread",
            \PhoneSystemConfiguration.launch.sigmaMillionths,
            0...5_000_000,
            meaning: "The standard deviation of that time's natural logarithm; 100% is 1.",
            source: "RS-07"
        ),
    ]

    /// A time of the phone's system.
    private static func system(
        _ name: String,
        _ path: any ConfigurationPath<PhoneSystemConfiguration, Duration>,
        _ meaning: String
    ) -> Parameter {
        .duration(
            "phone.\(name)",
            path,
            .zero...(.seconds(600)),
            meaning: meaning,
            source: "RS-07"
        )
    }
}
