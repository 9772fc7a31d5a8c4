@testable import KodamaCalls
@testable import KodamaEvidence
@testable import KodamaPhone
import SansIO

/// A call from Aoi to Ren, who has a phone and a pad, told by hand; times are in milliseconds.
struct CallScene {
    enum App: String {
        case aoi = "aoi-phone.calls"
        case phone = "ren-phone.calls"
        case pad = "ren-pad.calls"
    }

    static let names = [
        "aoi-phone", "ren-phone", "ren-pad", App.aoi.rawValue, App.phone.rawValue,
        App.pad.rawValue, "api", "provider", "ren-phone/wifi", "ren-phone/cellular",
    ]

    private var builder = TraceBuilder(names)

    /// Something that an app does, or that befalls it.
    mutating func add(_ form: some TraceForm, of app: App = .phone, at milliseconds: Int64) {
        builder.add(form, at: milliseconds, app.rawValue)
    }

    /// Something that befalls a push for an app.
    mutating func add(push form: some TraceForm, for app: App = .phone, at milliseconds: Int64) {
        builder.add(form, at: milliseconds, "provider", app.rawValue)
    }

    /// The user of an app's phone does something.
    mutating func act(_ act: UserAct, of app: App = .phone, at milliseconds: Int64) {
        builder.add(UserActed(action: act), at: milliseconds, String(app.rawValue.dropLast(6)))
    }

    /// Ren answers during a phone call, which the phone puts on hold.
    mutating func holdPhoneCall(at milliseconds: Int64) {
        builder.add(PhoneCallHeld(), at: milliseconds, "ren-phone")
    }

    /// Aoi dials, and the server has the call.
    mutating func place(dialled: Int64, placed: Int64) {
        builder.add(UserActed(action: .dial), at: dialled, "aoi-phone")
        builder.add(CallPlaced(call: 1), at: placed, "api", App.aoi.rawValue)
    }

    mutating func accept(
        for app: App = .phone,
        _ state: AppState = .suspended,
        isReachable: Bool = true,
        at milliseconds: Int64
    ) {
        let accepted = PushAccepted(
            call: 1,
            state: TraceWord(state),
            isLocked: TraceFlag(false),
            isReachable: TraceFlag(isReachable)
        )
        builder.add(accepted, at: milliseconds, "provider", app.rawValue)
    }

    /// Do Not Disturb is on at Ren's phone.
    mutating func focus(_ milliseconds: Range<Int64>) {
        let began = FaultBegan(fault: .focus, parameter: 0)
        builder.add(began, at: milliseconds.lowerBound, "ren-phone")
        builder.add(FaultEnded(fault: .focus), at: milliseconds.upperBound, "ren-phone")
    }

    mutating func ring(
        call: Int64 = 1,
        at app: App = .phone,
        _ milliseconds: Range<Int64>,
        _ end: RingEnd = .endedByApp
    ) {
        add(CallRinging(call: call), of: app, at: milliseconds.lowerBound)
        add(CallRingEnded(call: call, end: TraceWord(end)), of: app, at: milliseconds.upperBound)
    }

    mutating func take(at milliseconds: Int64) {
        builder.add(CallTaken(call: 1), at: milliseconds, "api", App.aoi.rawValue)
    }

    mutating func end(_ reason: CallEnding, at milliseconds: Int64) {
        let over = CallOver(call: 1, reason: TraceWord(reason))
        builder.add(over, at: milliseconds, "api", App.aoi.rawValue)
    }

    /// The user of a phone ends the call, and its app knows at once.
    mutating func endByUser(of app: App, _ reason: CallEnding, at milliseconds: Int64) {
        builder.add(UserActed(action: .endCall), at: milliseconds, String(app.rawValue.dropLast(6)))
        add(CallEnded(call: 1, reason: TraceWord(reason)), of: app, at: milliseconds)
    }

    mutating func outage(of app: App = .phone, _ milliseconds: Range<Int64>) {
        add(PathLost(cause: .link), of: app, at: milliseconds.lowerBound)
        add(PathUsable(), of: app, at: milliseconds.upperBound)
    }

    /// Media vanish at Ren's phone, or on one radio of it.
    mutating func cutMedia(on component: String = "ren-phone", _ milliseconds: Range<Int64>) {
        let began = FaultBegan(fault: .mediaCut, parameter: 0)
        builder.add(began, at: milliseconds.lowerBound, component)
        builder.add(FaultEnded(fault: .mediaCut), at: milliseconds.upperBound, component)
    }

    /// Something befalls a phone, or a radio of it, for a while.
    mutating func fault(
        _ fault: WorldFault,
        on component: String = "ren-phone",
        _ milliseconds: Range<Int64>
    ) {
        let began = FaultBegan(fault: fault, parameter: 0)
        builder.add(began, at: milliseconds.lowerBound, component)
        builder.add(FaultEnded(fault: fault), at: milliseconds.upperBound, component)
    }

    /// A radio of Ren's phone has no network for a while.
    mutating func radioDown(on radio: String, _ milliseconds: Range<Int64>) {
        let (down, up) = (WorldFault.radioDown, WorldFault.radioUp)
        builder.add(FaultBegan(fault: down, parameter: 0), at: milliseconds.lowerBound, radio)
        builder.add(FaultBegan(fault: up, parameter: 0), at: milliseconds.upperBound, radio)
    }

    /// Both apps say that the call is connected, and that it is over.
    mutating func connect(_ milliseconds: Range<Int64>) {
        for app in [App.aoi, .phone] {
            add(CallConnected(call: 1), of: app, at: milliseconds.lowerBound)
            add(
                CallEnded(call: 1, reason: TraceWord(.hungUp)),
                of: app,
                at: milliseconds.upperBound
            )
        }
    }

    /// The other one's voice is heard at a phone; its first sample 100 ms after the record.
    mutating func hear(
        call: Int64 = 1,
        at app: App,
        from talker: App? = nil,
        _ milliseconds: Range<Int64>
    ) {
        let talker = talker ?? (app == .aoi ? App.phone : App.aoi)
        let heard = Instant.ns((milliseconds.lowerBound + 100) * 1_000_000)
        let flowing = CallVoiceFlowing(call: call, heard: heard)
        builder.add(flowing, at: milliseconds.lowerBound, app.rawValue, talker.rawValue)
        let stopped = CallVoiceStopped(call: call)
        builder.add(stopped, at: milliseconds.upperBound, app.rawValue, talker.rawValue)
    }

    func trace(until milliseconds: Int64) -> RecordedTrace {
        builder.trace(until: milliseconds)
    }

    func findings(until milliseconds: Int64 = 200_000) -> Findings {
        Findings(trace(until: milliseconds))
    }
}
