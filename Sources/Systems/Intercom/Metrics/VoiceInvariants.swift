import KodamaEvidence
import SansIO

/// Checks the records of a run against all voice invariants.
struct VoiceInvariants: Sendable {
    private var captureIndexRises = Invariant(
        "voice.capture-index-rises",
        "Each frame that a microphone delivers has a greater index and start.",
        "S-AUD"
    )
    private var sentOnce = Invariant(
        "voice.sent-once",
        "No captured frame is sent twice to the same peer on the same path.",
        "S-VAD"
    )
    private var playedWasSent = Invariant(
        "voice.played-was-sent",
        """
        A frame played was captured and sent to that listener before, and is heard after its capture.
        """,
        "HN-01"
    )
    private var neverPlayedTwice = Invariant(
        "voice.never-played-twice",
        "No captured frame is heard twice by the same listener, played or repaired.",
        "K-14"
    )
    private var orderKept = Invariant(
        "voice.order-kept",
        "No frame is heard after a later frame of the same speaker.",
        "K-14"
    )
    private var nothingFromStrangers = Invariant(
        "voice.nothing-from-strangers",
        """
        A frame is played only in the listener's own group, and only if its speaker had joined that \
        group by then and had not left it when the frame was captured.
        """,
        "A-F-018"
    )

    private var nobodyOverhears = Invariant(
        "voice.nobody-overhears",
        "Nothing is played that a phone captured while its user had the microphone off.",
        "K-22"
    )
    private var inVoiceChat = Invariant(
        "voice.in-voice-chat",
        "Each frame is captured in the audio session's mode for voice, voice chat.",
        "S-AUD-001"
    )

    private struct Pair {
        var sentByPath = Array(repeating: IndexWindow(), count: 4)
        var heard = IndexWindow()
    }

    private struct Component {
        var membership: Membership?
        /// The one before: what was said there may still be on its way.
        var former: Membership?
        var lastIndex: Int64 = -1
        var lastStart: Int64 = .min
        /// How long its frames last, by the latest captured.
        var frameDuration: Int64 = 20_000_000
        var mutes = MutedTimes()
        var isInVoiceChat = true
    }

    /// A time in a group.
    private struct Membership {
        let group: Int64
        var leftAt: Int64?

        /// Whether something was said in a group, and not after it was left.
        func includes(_ captured: Int64, in group: Int64) -> Bool {
            self.group == group && leftAt.map { captured <= $0 } ?? true
        }
    }

    private var components: [Component]
    private var pairs = PairTable(startingWith: Pair())

    private let owners: Owners

    init(owners: Owners) {
        self.owners = owners
        components = Array(repeating: Component(), count: owners.count)
    }

    /// The invariants, in the order in which reports list them.
    var all: [Invariant] {
        [
            captureIndexRises, sentOnce, playedWasSent, neverPlayedTwice, orderKept,
            nothingFromStrangers, nobodyOverhears, inVoiceChat,
        ]
    }

    mutating func record(_ record: TraceRecord, at position: Int) {
        switch record.kind {
        case FramePlayed.kind:
            played(record, position)
        case FrameConcealed.kind where FrameConcealed(record).means.value == .repaired:
            repaired(record, position)
        case FrameCaptured.kind:
            captured(record, position)
        case PacketSent.kind where PacketSent(record).content.value == .voice:
            sent(record, position)
        case GroupJoined.kind:
            change(record) { component in
                component.former = component.membership
                component.membership = Membership(group: GroupJoined(record).group)
            }
        case GroupLeft.kind:
            change(record) { component in
                component.membership?.leftAt = record.instant.nanoseconds
            }
        case MicrophoneMuted.kind:
            muted(record)
        case AudioModeChanged.kind:
            change(record) { $0.isInVoiceChat = AudioModeChanged(record).isVoiceChat.isSet }
        default:
            break
        }
    }

    /// Each mute is a chance to be overheard.
    private mutating func muted(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        guard MicrophoneMuted(record).isMuted.isSet else {
            return change(record) { $0.mutes.unmute(at: now) }
        }
        change(record) { $0.mutes.mute(at: now) }
        nobodyOverhears.addChances(1)
    }

    private mutating func captured(_ record: TraceRecord, _ position: Int) {
        guard let component = owners.place(of: record.component) else { return }
        let frame = FrameCaptured(record)
        let start = frame.start.nanoseconds
        let rises =
            frame.index > components[component].lastIndex
            && start > components[component].lastStart
        captureIndexRises.check(rises, record, at: position)
        inVoiceChat.check(components[component].isInVoiceChat, record, at: position)
        components[component].lastIndex = frame.index
        components[component].lastStart = start
        components[component].frameDuration = frame.durationNanoseconds
    }

    private mutating func sent(_ record: TraceRecord, _ position: Int) {
        guard let origin = owners.place(of: record.component),
            let peer = owners.place(of: record.subject)
        else { return }
        let pair = pairs.number(origin, peer)
        let packet = PacketSent(record)
        let insertion = pairs.values[pair].sentByPath[packet.path.slot].insert(packet.index)
        sentOnce.check(insertion != .duplicate, record, at: position)
    }

    private mutating func played(_ record: TraceRecord, _ position: Int) {
        guard let origin = owners.place(of: record.subject),
            let listener = owners.place(of: record.component)
        else { return }
        let pair = pairs.number(origin, listener)
        let frame = FramePlayed(record)
        let index = frame.index
        let isSent = pairs.values[pair].sentByPath.contains { $0.contains(index) }
        let isCaptured = index <= components[origin].lastIndex
        let isCause = frame.heard > frame.captured
        playedWasSent.check(isSent && isCaptured && isCause, record, at: position)
        orderKept.check(index >= pairs.values[pair].heard.latest, record, at: position)
        let insertion = pairs.values[pair].heard.insert(index)
        neverPlayedTwice.check(insertion != .duplicate, record, at: position)
        let captured = frame.captured.nanoseconds
        let isKnown = isKnown(origin, to: listener, at: captured)
        nothingFromStrangers.check(isKnown, record, at: position)
        let duration = components[origin].frameDuration
        if components[origin].mutes.hear(frameFrom: captured, lasting: duration) {
            nobodyOverhears.check(false, record, at: position)
        }
    }

    /// Whether a speaker is or was in the listener's group, and had not left it at the moment of capture.
    ///
    /// How late a frame comes is the network's doing: only what was said after the farewell is a
    /// stranger's.
    private func isKnown(_ speaker: Int, to listener: Int, at captured: Int64) -> Bool {
        guard let own = components[listener].membership, own.leftAt == nil else { return false }
        let (present, former) = (components[speaker].membership, components[speaker].former)
        return present?.includes(captured, in: own.group) ?? false
            || former?.includes(captured, in: own.group) ?? false
    }

    /// A repaired frame is heard like one that is played.
    private mutating func repaired(_ record: TraceRecord, _ position: Int) {
        guard let origin = owners.place(of: record.subject),
            let listener = owners.place(of: record.component)
        else { return }
        let pair = pairs.number(origin, listener)
        let index = FrameConcealed(record).index
        let insertion = pairs.values[pair].heard.insert(index)
        neverPlayedTwice.check(insertion != .duplicate, record, at: position)
        guard components[origin].lastIndex >= 0 else { return }
        let duration = components[origin].frameDuration
        let captured =
            components[origin].lastStart - (components[origin].lastIndex - index) * duration
        if components[origin].mutes.hear(frameFrom: captured, lasting: duration) {
            nobodyOverhears.check(false, record, at: position)
        }
    }

    private mutating func change(_ record: TraceRecord, _ change: (inout Component) -> Void) {
        guard let component = owners.place(of: record.component) else { return }
        change(&components[component])
    }
}
