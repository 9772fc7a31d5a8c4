import KodamaEvidence
import SansIO

/// Follows one run record by record and draws its lanes; memory grows with what pictures show only.
struct StoryTeller: TraceSink {
    private var writer: TraceTextWriter
    /// Whether frames and packets are followed one by one.
    private let followsMedia: Bool
    let durationNanoseconds: Int64
    private var lanes: [String: LaneBuilder] = [:]
    private(set) var names: [String] = []
    private var attempts: [Int]
    private var records: [RunStory.Record] = []
    private var milestones: [RunStory.Record] = []
    private var recordCount = 0
    private var milestoneCount = 0
    private var milestoneKinds: Set<String> = []
    private var shownKinds: Set<String> = []
    private var mediaKinds: Set<TraceKind> = []
    /// How systems' frames are drawn, by kind.
    private(set) var marks: [TraceKind: MediaMark] = [:]
    /// What systems' records change in lanes, by kind.
    private var states: [TraceKind: LaneState] = [:]
    /// The words of statuses that apps show as warnings.
    private var warnings: Set<String> = []
    /// What can be done to radios, servers and phones.
    private var faults: DeclaredWords<WorldFault>?

    /// The most records that a lane shows; more make a page too long to read.
    static let recordCountMax = 400
    /// More lanes do not fit a screen.
    static let laneCountMax = 16
    /// In how many stretches packets and attempts are counted.
    static let stretchCount = 240
    /// With more components than this, frames are not followed one by one.
    private static let mediaComponentCountMax = 24

    /// Makes the follower of a run.
    ///
    /// - Parameters:
    ///   - durationNanoseconds: How long the run lasts.
    ///   - seed: Its seed.
    ///   - componentCount: About how many components the world has.
    init(durationNanoseconds: Int64, seed: UInt64, componentCount: Int) {
        self.durationNanoseconds = durationNanoseconds
        followsMedia = componentCount <= Self.mediaComponentCountMax
        writer = TraceTextWriter(
            scenario: "",
            seed: seed,
            level: .control,
            instants: .nanoseconds
        )
        attempts = Array(repeating: 0, count: Int(max(0, durationNanoseconds) / 1_000_000_000) + 1)
    }

    mutating func begin(_ directory: TraceDirectory) {
        let kinds = directory.systems.forms.entries.map(\.text)
        mediaKinds = Set(
            directory.systems.forms.entries.filter { $0.text.level >= .media }.map(\.kind)
        )
        milestoneKinds = Set(kinds.filter { $0.level == .milestone }.map(\.name))
        shownKinds = Set(kinds.filter { $0.level <= .control }.map(\.name))
        names = directory.names
        faults = directory.systems.faults
        for mark in directory.systems.marks { marks[mark.kind] = mark }
        for state in directory.systems.states { states[state.kind] = state }
        warnings = directory.systems.warnings
        writer.begin(directory)
        _ = writer.takeBytes()
    }

    mutating func record(_ record: TraceRecord) {
        self.record(contentsOf: [record])
    }

    mutating func record(contentsOf records: [TraceRecord]) {
        for record in records {
            // There are millions of frames and packets: their text would take longer than the run.
            if !mediaKinds.contains(record.kind) {
                writer.record(record)
                if let state = states[record.kind] { draw(state, of: record) }
            } else if followsMedia {
                drawMedia(record)
            }
        }
        let text = String(decoding: writer.takeBytes(), as: UTF8.self)
        for line in text.split(separator: "\n") {
            if let line = StoryLine(line) { follow(line) }
        }
    }

    /// The story of the run, once it has ended.
    mutating func story(
        point: Int,
        seed: UInt64,
        reason: String,
        laneCountMax: Int = Self.laneCountMax
    ) -> RunStory {
        var finished: [(lane: RunStory.Lane, trouble: Int64)] = []
        for name in lanes.keys.sorted() {
            guard let lane = lanes[name]?.finish(at: durationNanoseconds) else { continue }
            finished.append(lane)
        }
        let count = finished.count
        if count > laneCountMax {
            finished.sort { ($1.trouble, $0.lane.name) < ($0.trouble, $1.lane.name) }
            finished = Array(finished.prefix(laneCountMax))
        }
        let order = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
        finished.sort { (order[$0.lane.name] ?? .max) < (order[$1.lane.name] ?? .max) }
        let isWhole = recordCount <= Self.recordCountMax
        return RunStory(
            point: point,
            seed: seed,
            reason: reason,
            durationNanoseconds: durationNanoseconds,
            lanes: finished.map(\.lane),
            omittedLanes: count - finished.count,
            attempts: storm,
            records: isWhole ? records : milestones,
            omittedRecords: recordCount - (isWhole ? records.count : milestones.count)
        )
    }

    /// Attempts in each second; of a long run in stretches of several, of which the busiest second counts.
    private var storm: RunStory.Counts? {
        guard attempts.contains(where: { $0 > 0 }) else { return nil }
        let step = (attempts.count + Self.stretchCount - 1) / Self.stretchCount
        let peaks = stride(from: 0, to: attempts.count, by: step).map { start in
            attempts[start..<min(start + step, attempts.count)].max() ?? 0
        }
        return RunStory.Counts(
            label: "attempts in the busiest second",
            stepNanoseconds: Int64(step) * 1_000_000_000,
            counts: peaks
        )
    }

    private mutating func follow(_ line: StoryLine) {
        if shownKinds.contains(line.kind) { keep(line) }
        if line.kind == "attempt.began" {
            attempts[min(attempts.count - 1, Int(line.at / 1_000_000_000))] += 1
        }
        draw(line)
    }

    private mutating func keep(_ line: StoryLine) {
        let record = RunStory.Record(
            at: line.at,
            component: line.component,
            kind: line.kind,
            subject: line.subject,
            values: line.values
        )
        recordCount += 1
        if recordCount <= Self.recordCountMax { records.append(record) }
        guard milestoneKinds.contains(line.kind) else { return }
        milestoneCount += 1
        if milestoneCount <= Self.recordCountMax { milestones.append(record) }
    }

    /// Draws what happens to an app on its phone's lane.
    mutating func onLane(_ component: String, _ change: (inout LaneBuilder) -> Void) {
        let name = TraceDirectory.owner(of: component) ?? component
        change(&lanes[name, default: LaneBuilder(name)])
    }
}

// MARK: What each kind of record draws, by the names of the trace's text form

extension StoryTeller {
    private mutating func draw(_ line: StoryLine) {
        switch line.kind {
        case "speech.began", "speech.ended", "gate.changed", "audio.flowing", "audio.stopped",
            "microphone.muted":
            drawVoice(line)
        case "fault.began" where fault(of: line)?.isInstant ?? false:
            mark(line)
        case "status.shown", "app.launched", "app.terminated", "path.lost", "path.usable",
            "attempt.began", "attempt.ended", "fault.began", "fault.ended", "link.changed",
            "user.acted":
            drawState(line)
        case "path.noticed", "music.changed":
            drawPhone(line)
        case "run.ended":
            break
        default:
            guard milestoneKinds.contains(line.kind) else { return }
            mark(line)
        }
    }

    /// The fault of a record of one.
    private func fault(of line: StoryLine) -> WorldFault? {
        line.value("fault").flatMap { faults?[$0] }
    }

    private mutating func mark(_ line: StoryLine) {
        let label = line.values.isEmpty ? line.kind : "\(line.kind) \(line.values)"
        onLane(line.subject ?? line.component) { $0.mark("events", at: line.at, label) }
    }

    private mutating func drawVoice(_ line: StoryLine) {
        switch line.kind {
        case "speech.began":
            onLane(line.subject ?? line.component) {
                $0.begin("speaks", at: line.at, line.component, .speech)
            }
        case "speech.ended":
            onLane(line.subject ?? line.component) { $0.end("speaks", at: line.at) }
        case "microphone.muted":
            onLane(line.component) { lane in
                if line.value("muted") == "1" {
                    lane.begin("muted", at: line.at, "muted", .neutral)
                } else {
                    lane.end("muted", at: line.at)
                }
            }
        case "gate.changed":
            let state = line.value("state") ?? ""
            onLane(line.component) { lane in
                if state == "talking" || state == "release" {
                    lane.begin("sends", at: line.at, "sends", .good)
                } else {
                    lane.end("sends", at: line.at)
                }
            }
        default:
            let row = line.value("direction") == "to-phone" ? "phone hears" : "agent hears"
            onLane(line.component) { lane in
                if line.kind == "audio.flowing" {
                    lane.begin(row, at: line.number("heard_ns") ?? line.at, "voice is heard", .good)
                } else {
                    let instant = max(line.number("captured_ns") ?? line.at, 0)
                    lane.begin(row, at: instant, "no voice is heard", .bad)
                }
            }
        }
    }

    private mutating func drawPhone(_ line: StoryLine) {
        onLane(line.component) { lane in
            switch line.kind {
            case "path.noticed":
                let interface = line.value("interface") ?? ""
                let tone: RunStory.Tone = interface == "none" ? .bad : .neutral
                lane.begin("interface", at: line.at, interface, tone)
            default:
                guard line.value("wanted") == "1" else {
                    lane.end("music", at: line.at)
                    return
                }
                let isPlaying = line.value("playing") == "1"
                let silence = line.value("call") == "1" ? "waits for a call" : "stopped"
                lane.begin(
                    "music",
                    at: line.at,
                    isPlaying ? "plays" : silence,
                    isPlaying ? .good : line.value("call") == "1" ? .neutral : .bad
                )
            }
        }
    }

    private mutating func drawState(_ line: StoryLine) {
        let (warnings, fault) = (warnings, fault(of: line))
        onLane(line.component) { lane in
            switch line.kind {
            case "status.shown":
                let stage = line.value("stage") ?? ""
                lane.begin("app", at: line.at, stage, Self.tone(of: stage, warnings))
            case "app.launched": lane.mark("user", at: line.at, "launched")
            case "app.terminated":
                lane.end("app", at: line.at)
                lane.mark("user", at: line.at, "terminated")
            case "user.acted": lane.mark("user", at: line.at, line.value("action") ?? line.kind)
            case "path.lost":
                lane.begin("path", at: line.at, "lost: \(line.value("cause") ?? "")", .bad)
            case "path.usable": lane.end("path", at: line.at)
            case "attempt.began":
                lane.begin("attempts", at: line.at, line.value("kind") ?? "attempt", .busy)
            case "attempt.ended":
                let failure = line.value("failure") ?? "none"
                let isGood = failure == "none"
                lane.end(
                    "attempts",
                    at: line.at,
                    with: isGood ? nil : failure,
                    isGood ? .good : .bad
                )
            case "fault.began":
                if let fault, fault.isRepair {
                    for ended in fault.ended { lane.end(ended.name, at: line.at) }
                } else {
                    lane.begin(line.value("fault") ?? "fault", in: "faults", at: line.at)
                }
            case "fault.ended":
                for ended in fault?.ended ?? [] { lane.end(ended.name, at: line.at) }
            case "link.changed":
                let change = line.value("disruption") ?? ""
                if change == "restored" {
                    lane.end("link", at: line.at)
                } else {
                    lane.begin("link", at: line.at, change, .bad)
                }
            default: break
            }
        }
    }

    /// How good a status is that the app shows.
    private static func tone(of stage: String, _ warnings: Set<String>) -> RunStory.Tone {
        switch stage {
        case "connected", "reconnected": .good
        case "disconnected", "signed-out", "audio-taken", "taken-over": .neutral
        default: warnings.contains(stage) ? .bad : .busy
        }
    }
}
