@testable import KodamaEvidence
@testable import KodamaSession
import RealtimeVoice
import SansIO

/// A phone's session told by hand; times are in milliseconds and multiples of 20.
///
/// Sound is heard 60 ms after its capture. Each side's voice is told as the stretches of capture time that
/// are heard, with every frame or by `audio.flowing` and `audio.stopped`.
struct SessionScene {
    enum Media: CaseIterable {
        case sized
        case reachability
    }

    static let delay: Int64 = 60
    static let names = [
        "aoi", "aoi-phone", "ren-phone", "rooms", "aoi-phone.calls", "aoi-phone/wifi",
    ]

    var media = Media.sized
    var phone = "aoi-phone"
    private(set) var builder = TraceBuilder(Self.names)

    /// A phone whose app was launched at 0.
    init(_ media: Media = .sized, launched: Bool = true) {
        self.media = media
        if launched { add(AppLaunched(), at: 0) }
    }

    mutating func add<Form: TraceForm>(_ form: Form, at milliseconds: Int64) {
        switch Form.kind {
        case SpeechBegan.kind, SpeechEnded.kind:
            builder.add(form, at: milliseconds, "aoi", phone)
        case AgentJoined.kind, AgentClosed.kind, AnswerBegan.kind, AnswerEnded.kind,
            FaultBegan.kind, FaultEnded.kind:
            builder.add(form, at: milliseconds, "rooms", phone)
        default:
            builder.add(form, at: milliseconds, phone)
        }
    }

    /// The user does something, to an app of the phone's if one is named.
    mutating func act(_ act: UserAct, at milliseconds: Int64, app: String? = nil) {
        builder.add(UserActed(action: act), at: milliseconds, phone, app)
    }

    mutating func show(_ stage: SessionStage, at milliseconds: Int64) {
        add(StatusShown(stage: TraceWord(stage)), at: milliseconds)
    }

    mutating func outage(_ milliseconds: Range<Int64>, cause: PathLossCause = .link) {
        add(PathLost(cause: cause), at: milliseconds.lowerBound)
        add(PathUsable(), at: milliseconds.upperBound)
    }

    /// The app's own server is dark.
    mutating func ownServerGone(_ milliseconds: Range<Int64>) {
        let began = FaultBegan(fault: .darkAPI, parameter: 0)
        builder.add(began, at: milliseconds.lowerBound, "rooms")
        builder.add(FaultEnded(fault: .darkAPI), at: milliseconds.upperBound, "rooms")
    }

    /// The room server lets nobody in.
    mutating func serverShut(_ fault: WorldFault, _ milliseconds: Range<Int64>) {
        let began = FaultBegan(fault: fault, parameter: 0)
        builder.add(began, at: milliseconds.lowerBound, "rooms")
        builder.add(FaultEnded(fault: .serverCleared), at: milliseconds.upperBound, "rooms")
    }

    /// The room server's process ends, and another one starts.
    mutating func restartServer(at milliseconds: Int64) {
        builder.add(FaultBegan(fault: .serverDown, parameter: 0), at: milliseconds, "rooms")
    }

    /// The phone's keychain fails.
    mutating func keychainFails(_ milliseconds: Range<Int64>) {
        let began = FaultBegan(fault: .secureStorage, parameter: 0)
        builder.add(began, at: milliseconds.lowerBound, phone)
        builder.add(FaultEnded(fault: .secureStorage), at: milliseconds.upperBound, phone)
    }

    /// The phone's voice engine does not start.
    mutating func engineFails(_ milliseconds: Range<Int64>) {
        let began = FaultBegan(fault: .voiceEngine, parameter: 0)
        builder.add(began, at: milliseconds.lowerBound, phone)
        builder.add(FaultEnded(fault: .voiceEngine), at: milliseconds.upperBound, phone)
    }

    /// Nothing passes over the phone's Wi-Fi, which keeps its network; another radio stands by.
    mutating func wifiDead(_ milliseconds: Range<Int64>) {
        let began = FaultBegan(fault: .blackHole, parameter: 0)
        builder.add(began, at: milliseconds.lowerBound, "aoi-phone/wifi")
        let ended = FaultEnded(fault: .blackHole)
        builder.add(ended, at: milliseconds.upperBound, "aoi-phone/wifi")
    }

    /// The phone's Wi-Fi has no network.
    mutating func wifiDown(_ milliseconds: Range<Int64>) {
        let down = FaultBegan(fault: .radioDown, parameter: 0)
        builder.add(down, at: milliseconds.lowerBound, "aoi-phone/wifi")
        let up = FaultBegan(fault: .radioUp, parameter: 0)
        builder.add(up, at: milliseconds.upperBound, "aoi-phone/wifi")
    }

    /// Something befalls the link of the phone's Wi-Fi.
    mutating func wifi(_ change: LinkChange, lasting seconds: Int64, at milliseconds: Int64) {
        let changed = LinkChanged(disruption: change, parameter: seconds * 1_000_000_000)
        builder.add(changed, at: milliseconds, "aoi-phone/wifi")
    }

    /// The process that runs all agents is away.
    mutating func agentsAway(_ milliseconds: Range<Int64>) {
        let began = FaultBegan(fault: .agentsAway, parameter: 0)
        builder.add(began, at: milliseconds.lowerBound, "rooms")
        builder.add(FaultEnded(fault: .agentsAway), at: milliseconds.upperBound, "rooms")
    }

    /// A call in another app of the phone's has the audio, until it ends or the app dies.
    mutating func ownCall(_ milliseconds: Range<Int64>, diesInIt: Bool = false) {
        let app = "aoi-phone.calls"
        builder.add(CallAudioChanged(isActive: true), at: milliseconds.lowerBound, app)
        if diesInIt {
            builder.add(AppTerminated(), at: milliseconds.upperBound, app)
        } else {
            builder.add(CallAudioChanged(isActive: false), at: milliseconds.upperBound, app)
        }
    }

    /// One side's voice captured in these stretches is heard.
    mutating func hear(
        _ direction: VoiceDirection,
        _ stretches: [Range<Int64>],
        delay: Int64 = delay
    ) {
        for stretch in stretches {
            switch media {
            case .sized:
                for captured in stride(from: stretch.lowerBound, to: stretch.upperBound, by: 20) {
                    let heard = captured + delay
                    add(
                        VoiceHeard(
                            direction: TraceWord(direction),
                            captured: .ns(captured * 1_000_000),
                            heard: .ns(heard * 1_000_000),
                            speech: TraceFlag(false)
                        ),
                        at: heard
                    )
                }
            case .reachability:
                let (first, last) = (stretch.lowerBound, stretch.upperBound)
                let heard = first + delay
                add(
                    AudioFlowing(
                        direction: TraceWord(direction),
                        captured: .ns(first * 1_000_000),
                        heard: .ns(heard * 1_000_000)
                    ),
                    at: heard
                )
                add(
                    AudioStopped(direction: TraceWord(direction), captured: .ns(last * 1_000_000)),
                    at: last + delay
                )
            }
        }
    }

    /// Both sides' voice captured in these stretches is heard.
    mutating func talk(_ stretches: Range<Int64>...) {
        hear(.fromPhone, stretches)
        hear(.toPhone, stretches)
    }

    /// The whole life of an attempt of a room; without `failure` it succeeds.
    mutating func attempt(
        _ kind: AttemptKind,
        _ milliseconds: Range<Int64>,
        room: Int64 = 1,
        signalled: Int64? = nil,
        connected: Int64? = nil,
        failure: AttemptFailure? = nil
    ) {
        add(
            AttemptBegan(room: room, number: 1, attempt: TraceWord(kind)),
            at: milliseconds.lowerBound
        )
        signalled.map { add(AttemptSignalled(room: room), at: $0) }
        connected.map { add(AttemptConnected(room: room), at: $0) }
        add(AttemptEnded(room: room, failure: TraceWord(failure)), at: milliseconds.upperBound)
    }

    func trace(until milliseconds: Int64) -> RecordedTrace {
        builder.trace(until: milliseconds)
    }

    func findings(until milliseconds: Int64) -> Findings {
        Findings(trace(until: milliseconds))
    }

    /// The broken invariants with the number of violations.
    func broken(until milliseconds: Int64) -> [String: Int] {
        var meter = RunMeter()
        meter.fold(trace(until: milliseconds))
        return Dictionary(
            uniqueKeysWithValues: meter.invariants.filter { $0.violationCount > 0 }
                .map { ($0.name, $0.violationCount) }
        )
    }
}
