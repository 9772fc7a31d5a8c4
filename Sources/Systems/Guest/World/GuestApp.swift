import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaSimulation
import KodamaWorld
import SansIO
import TextFormats

/// A timer that a guest has set, or the time-out of a request of its.
struct GuestTimer {
    let name: String
    let due: Instant
    /// The request, if it is one's.
    var request: OperationID?
}

/// A guest on a phone: tells a program beside the simulator what happens, a line a turn, and does what it
/// answers.
final class GuestApp: PhoneApp {
    /// What the app schedules for itself.
    enum Word: UInt8 {
        /// A timer of the guest's is due.
        case timer
        /// A stream wants to be woken, by its number.
        case stream
        /// A request wants to be woken, by its number.
        case request
        /// The notification centre wants to be woken.
        case notification
    }

    let installation: Installation
    private let plan: GuestPlan
    unowned let system: GuestSystem
    private lazy var peers = system.others(of: phone.name)
    private lazy var streams = GuestStreams(of: self)
    /// What became of streams while the guest was suspended.
    private var missed: [GuestStreamNews] = []
    private lazy var notifications = GuestNotifications(
        of: self,
        isAllowed: plan.allowsNotifications,
        seed: system.seed
    )
    /// Requests that are under way.
    @exclusivity(unchecked) var calls: [APICall] = []
    /// How many connections there were for requests.
    var callCount: UInt32 = 0
    /// How many requests there were.
    var requestCount: UInt32 = 0

    private var line: GuestLine?
    /// What earlier runs wrote down of this guest, if this run follows it.
    private let written: GuestTranscript?
    /// What was said to and by the guest's processes.
    private(set) var transcript: [String] = []
    private var storage = GuestStorage()
    /// In the order in which they were set.
    var timers: [GuestTimer] = []
    private var pendingWake: Instant?
    private var turn: Int64 = 0
    private var toldCount: Int64 = 0
    /// What happened and has not been told, oldest first.
    private var events: [[(String, JSON?)]] = []
    private var isTalking = false
    /// How many turns there were in a millisecond, and when that began.
    private var turnsNow = 0
    private var countedSince = Instant.zero

    /// More turns than this within a millisecond never come to rest.
    private static let turnsPerMillisecondMax = 10_000
    /// How many lines a fault shows, and how much of each.
    private static let linesShown = 6
    private static let lineCharactersShown = 300

    init(_ plan: GuestPlan, _ installation: Installation, in system: GuestSystem) {
        self.plan = plan
        self.installation = installation
        self.system = system
        written = system.programs.transcripts?[installation.name].map(GuestTranscript.init)
    }

    // MARK: What happens

    func launch(on stage: inout Stage) {
        note(AppLaunched(), on: &stage)
    }

    func terminate(on stage: inout Stage) {
        endProcess()
        streams.abort(on: &stage)
        endCalls()
        notifications.appEnded(on: &stage)
        let lost = storage.crash()
        if lost > 0 { note(WritesLost(writes: lost), on: &stage) }
        note(AppTerminated(), on: &stage)
    }

    /// The system takes the sockets of a suspended app.
    func suspend(on stage: inout Stage) { streams.abort(on: &stage) }

    func resume(on stage: inout Stage) {
        tell([("event", .string("resumed"))], on: &stage)
        let news = missed
        missed = []
        for news in news { tell(news, on: &stage) }
        fireTimers(on: &stage)
        armCalls(on: &stage)
    }

    func socketsFailed(_ address: NetworkAddress, on stage: inout Stage) {
        streams.fail(from: address, on: &stage)
        failCalls(from: address, on: &stage)
    }

    func inform(_ news: SystemNews, on stage: inout Stage) {
        switch news {
        case .launched:
            start(on: &stage)
        case .scene(let phase):
            notifications.frontChanged(isInFront: phase != .background, on: &stage)
            tell([("event", .string("scene")), ("phase", .string("\(phase)"))], on: &stage)
        case .path(let path):
            let isOnline = path != .unsatisfied
            tell([("event", .string("path")), ("online", .bool(isOnline))], on: &stage)
        case .notificationTapped:
            notifications.tapLatest(on: &stage)
        default:
            break
        }
    }

    func receive(_ packet: Packet, on stage: inout Stage) {
        if case .stream(let segment) = packet.content {
            if packet.destination.port - firstPort >= RoomPorts.firstRequest {
                return deliverToCall(packet, on: &stage)
            }
            let isListening = line != nil && phase == .running
            return streams.receive(packet, segment, isListening: isListening, on: &stage)
        }
        guard case .message(let payload) = packet.content,
            let datagram = payload as? GuestDatagram
        else { return }
        tell(
            [
                ("event", .string("datagram")), ("from", .string(datagram.source)),
                ("text", .string(datagram.text)), ("bytes", .integer(Int64(datagram.bytes))),
            ],
            on: &stage
        )
    }

    func undergo(_ act: any SystemAct, on stage: inout Stage) {
        guard case .tell(let text)? = act as? GuestAct else { return }
        toldCount += 1
        note(GuestTold(number: toldCount), on: &stage)
        tell([("event", .string("told")), ("text", .string(text))], on: &stage)
    }

    func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        switch word {
        case .stream: streams.wake(argument, on: &stage)
        case .request: calls.first { $0.number == argument }?.awaken(on: &stage)
        case .notification: notifications.awaken(on: &stage)
        case .timer:
            if pendingWake == stage.now { pendingWake = nil }
            fireTimers(on: &stage)
        }
    }

    /// The guest on another phone that is there, if it is one.
    func peer(at socket: SocketAddress) -> GuestPeer? {
        peers.first { $0.socket.address == socket.address }
    }

    // MARK: The process

    private func start(on stage: inout Stage) {
        endProcess()
        guard system.fault == nil else { return }
        do throws(GuestFault) {
            line = try newLine()
        } catch {
            return fail(error, at: stage.now)
        }
        turn = 0
        let settings = plan.settings.map { ($0.name, Optional(JSON.string($0.value))) }
        let stored = storage.contents.map { ($0.key, Optional(JSON.string($0.value))) }
        let linked = peers.filter { $0.direction != nil }
        tell(
            [
                ("event", .string("launched")), ("protocol", .integer(1)),
                ("phone", .string(phone.name)), ("launch", .integer(Int64(launchCount))),
                ("settings", .object(of: settings)),
                ("peers", .array(peers.map { .string($0.name) })),
                ("linked", .array(linked.map { .string($0.name) })),
                ("storage", .object(of: stored)),
            ],
            on: &stage
        )
    }

    private func newLine() throws(GuestFault) -> GuestLine {
        if system.programs.transcripts != nil {
            guard let written else { throw GuestFault("the transcripts have nothing of it") }
            return .transcript(written)
        }
        guard let command = system.programs.commands[plan.label] else {
            throw GuestFault(
                "no command is given for it; say which one it is: --guest \(plan.label)=\"COMMAND\""
            )
        }
        return .process(try GuestProcess(command, system.programs, name: name))
    }

    /// Ends the process, with all that it waits for.
    func endProcess() {
        line?.end()
        line = nil
        timers = []
        events = []
        missed = []
    }

    // MARK: Turns

    /// Tells the guest what happened, and does what it answers, until nothing is left to say.
    func tell(_ event: [(String, JSON?)], on stage: inout Stage) {
        guard line != nil, phase == .running else { return }
        events.append(event)
        guard !isTalking else { return }
        isTalking = true
        while let line, !events.isEmpty {
            do throws(GuestFault) {
                try take(events.removeFirst(), line, on: &stage)
            } catch {
                fail(error, at: stage.now)
            }
        }
        isTalking = false
        armTimers(on: &stage)
    }

    /// Tells the guest what became of a stream, as soon as it hears anything.
    func tell(_ news: GuestStreamNews, on stage: inout Stage) {
        guard phase != .suspended else { return missed.append(news) }
        switch news {
        case .accepted(let name, let peer):
            tell(
                [
                    ("event", .string("accepted")), ("stream", .string(name)),
                    ("from", .string(peer)),
                ],
                on: &stage
            )
        case .opened(let name):
            tell([("event", .string("opened")), ("stream", .string(name))], on: &stage)
        case .said(let name, let text, let bytes):
            tell(
                [
                    ("event", .string("said")), ("stream", .string(name)),
                    ("text", .string(text)), ("bytes", .integer(Int64(bytes))),
                ],
                on: &stage
            )
        case .closed(let name, let closure):
            tell(
                [
                    ("event", .string("closed")), ("stream", .string(name)),
                    ("why", .string("\(closure)")),
                ],
                on: &stage
            )
        }
    }

    private func take(
        _ event: [(String, JSON?)],
        _ line: GuestLine,
        on stage: inout Stage
    ) throws(GuestFault) {
        if countedSince.duration(to: stage.now) >= .milliseconds(1) {
            (turnsNow, countedSince) = (0, stage.now)
        }
        turnsNow += 1
        guard turnsNow <= Self.turnsPerMillisecondMax else {
            throw GuestFault("it does not come to rest: \(turnsNow) turns within a millisecond")
        }
        turn += 1
        let head: [(String, JSON?)] = [
            ("turn", .integer(turn)), ("now", .integer(stage.now.nanoseconds)),
        ]
        let told = JSON.object(of: head + event).text
        transcript.append(GuestTranscript.told(told))
        let answer = try line.exchange(told)
        transcript.append(GuestTranscript.answered(answer))
        for effect in try GuestEffect.read(answer, turn: turn) {
            try perform(effect, on: &stage)
        }
    }

    private func fail(_ fault: GuestFault, at now: Instant) {
        let seconds = MetricUnit.nanoseconds.exactText(now.nanoseconds)
        var text =
            "the guest '\(plan.label)' on \(phone.name) is at fault after \(seconds) of seed "
            + "\(system.seed): \(fault.reason)"
        for line in transcript.suffix(Self.linesShown) {
            text += "\n  \(line.prefix(Self.lineCharactersShown))"
        }
        for line in fault.errors.split(separator: "\n").suffix(Self.linesShown) {
            text += "\n  stderr: \(line.prefix(Self.lineCharactersShown))"
        }
        system.fail(text)
    }

    // MARK: What the guest orders

    private func perform(_ effect: GuestEffect, on stage: inout Stage) throws(GuestFault) {
        switch effect {
        case .send(let name, let text, let bytes, let way):
            let datagram = GuestDatagram(
                source: phone.name,
                destination: name,
                text: text,
                bytes: bytes
            )
            try send(datagram, by: way, on: &stage)
        case .timer(let name, let at):
            timers.removeAll { $0.name == name && $0.request == nil }
            guard let at else { return }
            let due = max(Instant(nanoseconds: at), stage.now)
            timers.append(GuestTimer(name: name, due: due))
        case .open(let name, let to):
            try open(name, to: to, on: &stage)
        case .say(let name, let text, let bytes):
            streams.say(text, bytes: bytes, over: name, on: &stage)
        case .close(let name):
            streams.close(name, on: &stage)
        case .write(let key, let value):
            storage.write(key, value)
        case .sync:
            let synced = WritesSynced(
                writes: storage.unsyncedCount,
                keys: Int64(storage.contents.count)
            )
            storage.sync()
            note(synced, on: &stage)
        case .mark(let mark, let amount):
            note(GuestMarked(mark: TraceWord(mark), amount: amount), on: &stage)
        case .draw(let purpose, let index, let count):
            events.append(drawn(purpose, from: index, count: count))
        case .http(let request):
            try ask(request, on: &stage)
        case .notify(let id, let delay):
            notifications.add(id, after: delay, on: &stage)
        case .cancel(let id):
            notifications.remove(id, on: &stage)
        case .log:
            break
        }
    }

    private func send(
        _ datagram: GuestDatagram,
        by way: GuestEffect.Way?,
        on stage: inout Stage
    ) throws(GuestFault) {
        let name = datagram.destination
        let peer = peers.first { $0.name == name }
        guard peer != nil || name == GuestRelay.componentName else {
            let known = peers.map(\.name) + [GuestRelay.componentName]
            throw GuestFault("it sends to '\(name)'; there are \(known.joined(separator: ", "))")
        }
        let isByLink = way == .link || way == nil && peer?.direction != nil
        if isByLink {
            // Without a link the other phone is out of reach.
            guard let peer, let direction = peer.direction else { return }
            let own = SocketAddress.peer(phone.index, app: id)
            stage.send(datagram.packet(from: own, to: peer.socket), by: direction)
        } else if let socket {
            stage.send(datagram.packet(from: socket, to: system.relay.socket))
        }
    }

    private func open(_ name: String, to phone: String, on stage: inout Stage) throws(GuestFault) {
        let peer = peers.first { $0.name == phone }
        guard peer != nil || phone == GuestRelay.componentName else {
            let known = (peers.map(\.name) + [GuestRelay.componentName]).joined(separator: ", ")
            throw GuestFault("it opens a stream to '\(phone)'; there are \(known)")
        }
        guard !name.contains("/"), !streams.names.contains(name),
            streams.names.count < GuestStreams.countMax
        else {
            throw GuestFault(
                "it opens a stream '\(name)'; a name has no '/', is no other stream's, and there are "
                    + "\(GuestStreams.countMax) at most"
            )
        }
        streams.open(name, to: peer, on: &stage)
    }

    /// Entropy by purpose and index, of which nothing else that is drawn changes any.
    ///
    /// Numbers of 53 bits are whole in every language.
    private func drawn(_ purpose: String, from index: Int64, count: Int64) -> [(String, JSON?)] {
        let stream = RandomStream(
            seed: system.seed,
            purpose: "guest.draw",
            entity: "\(name)/\(launchCount)/\(purpose)"
        )
        let values = (0..<count).map { offset in
            JSON.integer(Int64(stream.bits(at: UInt64(index &+ offset)) >> 11))
        }
        return [
            ("event", .string("drawn")), ("purpose", .string(purpose)),
            ("index", .integer(index)), ("values", .array(values)),
        ]
    }

    // MARK: Timers

    /// Tells the guest of each timer that is due, the earliest first.
    private func fireTimers(on stage: inout Stage) {
        while phase == .running, let first = timers.map(\.due).min(), first <= stage.now,
            let position = timers.firstIndex(where: { $0.due == first })
        {
            let timer = timers.remove(at: position)
            if let request = timer.request {
                expire(timer.name, request, on: &stage)
                continue
            }
            tell([("event", .string("timer")), ("name", .string(timer.name))], on: &stage)
        }
        armTimers(on: &stage)
    }

    private func armTimers(on stage: inout Stage) {
        guard phase == .running, let due = timers.map(\.due).min() else { return }
        let instant = max(due, stage.now)
        if let pendingWake, pendingWake <= instant { return }
        pendingWake = instant
        scheduleWake(.timer, at: instant, on: &stage)
    }
}
