public import SansIO

/// Whether an app may use the microphone (`AVAudioApplication.recordPermission`).
///
/// The first request shows an alert, which the user answers after a while; later ones are answered at
/// once. Who changes the answer in Settings ends the app's process (spencerccf/app_settings, issue 201;
/// lionheart/openradar-mirror, issue 3370).
public struct MicrophonePermission: StateMachine {
    /// A fact for the permission.
    public enum Event: Sendable, Equatable {
        /// The app asks.
        case requested(OperationID)
        /// The user turns the switch in Settings.
        case changedInSettings(isGranted: Bool)
        /// The app comes to the front, or is there no more.
        case frontChanged(isInFront: Bool)
        /// The app's process is gone, and an alert with it.
        case appEnded
    }

    /// An order from the permission.
    public enum Effect: Sendable, Equatable {
        /// The alert lies over the app, or does no more.
        case alert(isShown: Bool)
        /// A request is answered.
        case answered(OperationID, isGranted: Bool)
        /// The app's process has to end.
        case settingChanged
    }

    /// The alert goes and every request is answered.
    public static var effectsPerCallMax: Int { 1 + PermissionPrompt<OperationID>.waitingMax }

    /// A permission can always be asked for.
    public var isFinished: Bool { false }

    private var prompt: PermissionPrompt<OperationID>

    /// Makes a permission of which nothing is asked.
    ///
    /// - Parameters:
    ///   - condition: What the user said before, and says if they are asked.
    ///   - isInFront: Whether the app is in front.
    public init(_ condition: PermissionCondition, isInFront: Bool = false) {
        prompt = PermissionPrompt(condition, isInFront: isInFront)
    }

    /// Whether the app may use it.
    var status: PermissionCondition.Status { prompt.condition.status }

    /// Whether the user sees the alert.
    var isAsking: Bool { prompt.isShown }

    /// When the user answers the alert.
    public var deadline: Deadline? { prompt.until.map { Deadline($0, "microphone alert") } }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        let wasShown = prompt.isShown
        switch event {
        case .requested(let operation):
            if !prompt.holds(operation, at: turn.now) {
                turn.order(.answered(operation, isGranted: prompt.isGranted))
            }
        case .changedInSettings(let isGranted):
            guard status != (isGranted ? .granted : .denied) else { return }
            // The requests go with the process.
            _ = prompt.set(isGranted: isGranted)
        case .frontChanged(let isInFront):
            prompt.frontChanged(isInFront: isInFront, at: turn.now)
        case .appEnded: prompt.close()
        }
        if prompt.isShown != wasShown { turn.order(.alert(isShown: prompt.isShown)) }
        if case .changedInSettings = event { turn.order(.settingChanged) }
    }

    /// Lets the user answer the alert.
    public mutating func wake(in turn: inout Turn<Effect>) {
        let answered = prompt.answer(at: turn.now)
        guard !answered.isEmpty else { return }
        turn.order(.alert(isShown: false))
        for operation in answered {
            turn.order(.answered(operation, isGranted: prompt.isGranted))
        }
    }
}
