import SansIO

/// The invariants that `VoiceInvariants` checks.
enum VoiceInvariant: Int, CaseIterable {
    case timeNeverGoesBack
    case captureIndexRises
    case sentOnce
    case playedWasSent
    case neverPlayedTwice
    case orderKept
    case nothingFromStrangers

    var description: InvariantDescription {
        switch self {
        case .timeNeverGoesBack:
            .init(
                name: "time.never-goes-back",
                meaning: "No record is older than the one before it.",
                source: "HN-01"
            )
        case .captureIndexRises:
            .init(
                name: "voice.capture-index-rises",
                meaning: "Each frame that a microphone delivers has a greater index and start.",
                source: "S-AUD"
            )
        case .sentOnce:
            .init(
                name: "voice.sent-once",
                meaning: "No captured frame is sent twice to the same peer on the same path.",
                source: "S-VAD"
            )
        case .playedWasSent:
            .init(
                name: "voice.played-was-sent",
                meaning: """
                    A frame played was captured and sent to that listener before, and is heard \
                    after its capture.
                    """,
                source: "HN-01"
            )
        case .neverPlayedTwice:
            .init(
                name: "voice.never-played-twice",
                meaning: "No captured frame is heard twice by the same listener.",
                source: "K-14"
            )
        case .orderKept:
            .init(
                name: "voice.order-kept",
                meaning: "No frame is heard after a later frame of the same speaker.",
                source: "K-14"
            )
        case .nothingFromStrangers:
            .init(
                name: "voice.nothing-from-strangers",
                meaning: """
                    A frame is played only in the listener's own group, at the latest 2 s after its \
                    speaker has left that group.
                    """,
                source: "A-F-018"
            )
        }
    }
}

/// Checks every record of a run against all voice invariants.
public struct VoiceInvariants: TraceSink, Sendable {
    private struct Pair {
        var sentByPath = Array(repeating: IndexWindow(), count: 4)
        var heard = IndexWindow()
    }

    private struct Component {
        var group: Int64?
        var leftAt: Int64?
        var lastIndex: Int64 = -1
        var lastStart: Int64 = .min
    }

    private var directory = TraceDirectory(names: [])
    private var components: [Component] = []
    private var pairs = PairTable(startingWith: Pair())
    private var latest: Int64 = .min
    private var position = 0

    /// The findings so far, in the order of the catalogue.
    public private(set) var results: [InvariantResult]

    /// Makes the checks of a run that has not begun.
    public init() {
        results = InvariantCatalog.voice.map { InvariantResult(name: $0.name) }
    }

    /// Starts afresh.
    public mutating func begin(_ directory: TraceDirectory) {
        self = VoiceInvariants()
        self.directory = directory
        components = Array(repeating: Component(), count: directory.names.count)
    }

    /// Checks one record.
    public mutating func record(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        check(.timeNeverGoesBack, now >= latest, record)
        latest = now
        switch record.kind {
        case FramePlayed.kind:
            played(record)
        case FrameCaptured.kind:
            captured(record)
        case PacketSent.kind where PacketSent(record).content.value == .voice:
            sent(record)
        case GroupJoined.kind:
            change(record) { component in
                component.group = GroupJoined(record).group
                component.leftAt = nil
            }
        case GroupLeft.kind:
            change(record) { component in
                component.leftAt = now
            }
        default:
            break
        }
        position += 1
    }

    private mutating func captured(_ record: TraceRecord) {
        guard let component = slot(of: record.component) else { return }
        let frame = FrameCaptured(record)
        let start = frame.start.nanoseconds
        let last = components[component]
        let rises = frame.index > last.lastIndex && start > last.lastStart
        check(.captureIndexRises, rises, record)
        components[component].lastIndex = frame.index
        components[component].lastStart = start
    }

    private mutating func sent(_ record: TraceRecord) {
        guard let origin = slot(of: record.component), let peer = slot(of: record.subject) else {
            return
        }
        let pair = pairs.number(origin, peer)
        let packet = PacketSent(record)
        let insertion = pairs.values[pair].sentByPath[packet.path.slot].insert(packet.index)
        check(.sentOnce, insertion != .duplicate, record)
    }

    private mutating func played(_ record: TraceRecord) {
        guard let origin = slot(of: record.subject), let listener = slot(of: record.component)
        else { return }
        let pair = pairs.number(origin, listener)
        let frame = FramePlayed(record)
        let index = frame.index
        let isSent = pairs.values[pair].sentByPath.contains { $0.contains(index) }
        let isCaptured = index <= components[origin].lastIndex
        let isCause = frame.heard > frame.captured
        check(.playedWasSent, isSent && isCaptured && isCause, record)
        check(.orderKept, index >= pairs.values[pair].heard.latest, record)
        let insertion = pairs.values[pair].heard.insert(index)
        check(.neverPlayedTwice, insertion != .duplicate, record)
        let speaker = components[origin]
        let isKnown =
            components[listener].leftAt == nil && components[listener].group != nil
            && speaker.group == components[listener].group
            && (speaker.leftAt.map { record.instant.nanoseconds - $0 <= 2_000_000_000 } ?? true)
        check(.nothingFromStrangers, isKnown, record)
    }

    private mutating func change(_ record: TraceRecord, _ change: (inout Component) -> Void) {
        guard let component = slot(of: record.component) else { return }
        change(&components[component])
    }

    private func slot(of component: ComponentIndex) -> Int? {
        let slot = Int(component.index)
        return slot < components.count ? slot : nil
    }

    private mutating func check(
        _ invariant: VoiceInvariant,
        _ holds: Bool,
        _ record: TraceRecord
    ) {
        results[invariant.rawValue].checkedCount += 1
        guard !holds else { return }
        results[invariant.rawValue].violationCount += 1
        let kept = results[invariant.rawValue].violations.count
        if kept < InvariantResult.keptViolationCount {
            let line = TraceText.line(record, directory)
            results[invariant.rawValue].violations.append(.init(position: position, line: line))
        }
    }
}
