import SansIO

/// Says when apps come and go, and when the system moves them to another network.
package struct PhoneNarrator: SystemNarrator {
    private var isInBackground: [UInt32: Bool] = [:]
    private var interface: [UInt32: PathNoticed] = [:]
    private var opened: [String: Instant] = [:]

    package init(_ directory: TraceDirectory) {}

    package mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        let app = record.component.index
        let name = narration.app(record.component)
        switch record.kind {
        case AppLaunched.kind:
            // A launch by the user's hand is no news.
            let phone = narration.name(of: record.component) ?? ""
            if opened[phone] != record.instant {
                narration.say(
                    "the system launches \(name)",
                    of: record.component,
                    at: record.instant
                )
            }
            isInBackground[app] = nil
        case UserActed.kind:
            opened[narration.name(of: record.component) ?? ""] = record.instant
        case AppTerminated.kind:
            narration.say("\(name)'s process ends", of: record.component, at: record.instant)
            isInBackground[app] = nil
        case SceneChanged.kind:
            let isAway = SceneChanged(record).phase.value == .background
            defer { isInBackground[app] = isAway }
            guard let before = isInBackground[app], before != isAway else { return }
            narration.say(
                "\(name) is in \(isAway ? "the background" : "front again")",
                of: record.component,
                at: record.instant
            )
        case MicrophoneChanged.kind:
            let what = Self.words(of: MicrophoneChanged(record).state, for: name)
            narration.say(what, of: record.component, at: record.instant)
        case PhoneCallHeld.kind:
            narration.say(
                "the phone call gives way to the other call",
                of: record.component,
                at: record.instant
            )
        case PathNoticed.kind:
            let noticed = PathNoticed(record)
            defer { interface[app] = noticed }
            guard let before = interface[app], before.interface != noticed.interface else { return }
            let word = noticed.interface.spoken
            narration.say(
                noticed.interface.value == nil
                    ? "the system tells \(name) that there is no network"
                    : "the system moves \(name) to \(word == "wifi" ? "Wi-Fi" : word)",
                of: record.component,
                at: record.instant
            )
        default:
            break
        }
    }

    private static func words(of state: TraceWord<MicrophoneState>, for app: String) -> String {
        switch state.value {
        case .refused: "\(app) is refused the microphone"
        case .asked: "the system asks whether \(app) may use the microphone"
        case .allowed: "\(app) is allowed the microphone"
        case .unasked: "\(app) is without the microphone, which nobody has allowed yet"
        case nil: state.spoken
        }
    }
}
