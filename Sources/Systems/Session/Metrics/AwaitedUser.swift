import KodamaEvidence
import SansIO

/// When an app could do nothing but wait for its user (RS-08, RS-12).
///
/// The world says so, not the app: the system's alert asks for the microphone, the user refuses it,
/// the sign-in is shown to somebody who is not signed in, or Control Centre is pulled over an app that has
/// not been active since it came to the front (RS-07). That ends with the user's answer, the
/// sign-in, Control Centre's end or the process. A user who has signed in and is asked again, although nothing was heard
/// since, waits for the app: only the first try is the user's to make.
struct AwaitedUser: Sendable {
    private(set) var spans = Spans()

    private var waits: [Span] = []
    private var signInSince: Int64?
    private var microphoneSince: Int64?
    private var cover = Cover()
    /// Whether the user has a sign-in to answer.
    private var isShown = false
    /// When the user last answered one.
    private var triedAt: Int64?

    /// Control Centre over an app in front.
    private struct Cover {
        var isBehind = true
        /// Whether the app has been active since it came to the front.
        var hasBeenActive = false
        var isOpen = false
        /// Since when it keeps the app from its first activity.
        var since: Int64?

        var isAwaited: Bool { isOpen && !hasBeenActive }
    }

    /// Reads the waits from a story that ends at `end`; somebody is heard at the times of `heard`.
    init(_ entries: [SessionStory.Entry], heard: Spans, end: Int64) {
        for entry in entries {
            switch entry.kind {
            case AppLaunched.kind, AppTerminated.kind:
                endProcess(at: entry.instant)
                cover.isBehind = entry.kind == AppTerminated.kind
            case SceneChanged.kind:
                show(SceneChanged(entry.record).phase.value)
            case MicrophoneChanged.kind:
                switch MicrophoneChanged(entry.record).state.value {
                case .asked, .refused: microphoneSince = microphoneSince ?? entry.instant
                case .unasked: break
                case .allowed, nil: endMicrophone(at: entry.instant)
                }
            case SignInShown.kind:
                read(SignInShown(entry.record), heard, at: entry.instant)
            case UserActed.kind:
                read(UserActed(entry.record).action, at: entry.instant)
            default:
                break
            }
            settleCover(at: entry.instant)
        }
        endProcess(at: end)
        settleCover(at: end)
        spans = Spans(waits)
    }

    private mutating func read(_ shown: SignInShown, _ heard: Spans, at instant: Int64) {
        isShown = true
        let tried = triedAt.map { Span(start: $0, end: instant) }
        let wasInVain = tried.map { heard.intersection($0).all.isEmpty } ?? false
        guard !shown.isSignedIn.isSet, !wasInVain else { return }
        signInSince = signInSince ?? instant
    }

    private mutating func read(_ act: TraceWord<UserAct>, at instant: Int64) {
        switch act {
        case .signIn:
            endSignIn(at: instant)
            if isShown { triedAt = instant }
            isShown = false
        case .logOut, .disconnect:
            // Whoever ends it begins anew.
            triedAt = nil
        case .openControlCentre:
            cover.isOpen = !cover.isBehind
        case .closeControlCentre:
            cover.isOpen = false
        default:
            break
        }
    }

    private mutating func show(_ phase: ScenePhase?) {
        switch phase {
        case .background: (cover.isBehind, cover.hasBeenActive, cover.isOpen) = (true, false, false)
        case .inactive: cover.isBehind = false
        case .active: (cover.isBehind, cover.hasBeenActive) = (false, true)
        case nil: break
        }
    }

    private mutating func settleCover(at instant: Int64) {
        guard cover.isAwaited != (cover.since != nil) else { return }
        if let start = cover.since { waits.append(Span(start: start, end: instant)) }
        cover.since = cover.isAwaited ? instant : nil
    }

    private mutating func endProcess(at instant: Int64) {
        endSignIn(at: instant)
        endMicrophone(at: instant)
        isShown = false
        triedAt = nil
        (cover.hasBeenActive, cover.isOpen) = (false, false)
    }

    private mutating func endSignIn(at instant: Int64) {
        if let start = signInSince { waits.append(Span(start: start, end: instant)) }
        signInSince = nil
    }

    private mutating func endMicrophone(at instant: Int64) {
        if let start = microphoneSince { waits.append(Span(start: start, end: instant)) }
        microphoneSince = nil
    }
}
