import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import SansIO

/// The match framework on a phone: it asks the service for all who show the same and follows what the
/// service says of connections.
///
/// Everything is said again with each beat, so a lost message costs a beat. A service that does not
/// answer in time, or a phone without a way to the Internet, is a failure that the app hears of; a
/// service that falls silent later takes the connections with it, as late as the other players learn.
struct MatchClient: StateMachine {
    /// See `MatchClientEvent`.
    typealias Event = MatchClientEvent
    /// See `MatchClientEffect`.
    typealias Effect = MatchClientEffect

    /// All connections gone and others there, a message and a failure.
    static var effectsPerCallMax: Int { 2 * MatchConfiguration.playersMax + 2 }

    /// An app can always look again.
    var isFinished: Bool { false }

    let configuration: MatchConfiguration
    private let player: UInt64
    private let session: UInt64
    private var random: RandomStream
    private var isOnline = false
    /// What is shown, while somebody is looked for.
    private var info: [UInt8]?
    private var request: UInt32 = 0
    private var beatDue: Instant?
    private var failureDue: Instant?
    /// When the service was heard last, and how much silence of its the framework bears.
    private var heard = Instant.zero
    private var patience = Duration.zero
    private var connections: [MatchConnection] = []
    /// The numbers of those that are closed here and may not be so at the service yet.
    private var closed: [UInt64] = []
    private var cuts: [Cut] = []

    private struct Cut: Sendable, Equatable {
        let player: UInt64
        let until: Instant
    }

    /// Makes a framework that looks for nobody, on a phone without a way to the Internet.
    ///
    /// - Parameters:
    ///   - configuration: How service and framework behave.
    ///   - player: Who plays on this phone.
    ///   - random: What its times are drawn from.
    init(configuration: MatchConfiguration, player: UInt64, random: RandomStream) {
        self.configuration = configuration
        self.player = player
        self.random = random
        session = self.random.next()
    }

    /// How many connections stand, as far as this side knows.
    var connectedCount: Int { connections.count }

    /// The next beat, the end of the wait for an answer, or the notice of a loss.
    var deadline: Deadline? {
        let beat = beatDue.map { Deadline($0, "beat") }
        let failure = failureDue.map { Deadline($0, "no answer") }
        return Deadline.earliest(Deadline.earliest(beat, failure), silence)
    }

    /// Takes one fact.
    mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .sought(let info): seek(info, in: &turn)
        case .stopped: stop(in: &turn)
        case .reachabilityChanged(let isOnline):
            self.isOnline = isOnline
            if isOnline, beatDue != nil { beatDue = turn.now }
        case .received(.roster(let request, let connections)):
            follow(request, connections, in: &turn)
        case .received: break
        case .closed(let connection, let isCut): close(connection, isCut: isCut, at: turn.now)
        }
    }

    /// Does what is due; a late wake does each thing once.
    mutating func wake(in turn: inout Turn<Effect>) {
        if let silence, silence.instant <= turn.now {
            for connection in connections {
                closed.append(connection.number)
                turn.order(.lost(connection: connection.number))
            }
            connections = []
        }
        if let due = failureDue, due <= turn.now { fail(in: &turn) }
        if let due = beatDue, due <= turn.now { beat(in: &turn) }
    }

    /// Data came by way of the service, which is there therefore.
    mutating func hear(at now: Instant) { heard = now }

    /// When the service has been silent for too long.
    private var silence: Deadline? {
        connections.isEmpty ? nil : Deadline(heard.advanced(by: patience), "silence")
    }

    private mutating func seek(_ info: [UInt8], in turn: inout Turn<Effect>) {
        if self.info != info, self.info != nil { stop(in: &turn) }
        self.info = info
        request += 1
        guard isOnline else { return fail(in: &turn) }
        failureDue = turn.now.advanced(by: configuration.answerTimeout)
        beat(in: &turn)
    }

    private mutating func stop(in turn: inout Turn<Effect>) {
        guard info != nil else { return }
        turn.order(.transmit(.leaving(player: player)))
        (info, beatDue, failureDue) = (nil, nil, nil)
        (connections, closed) = ([], [])
    }

    private mutating func fail(in turn: inout Turn<Effect>) {
        failureDue = nil
        turn.order(.failed)
        if connections.isEmpty { (info, beatDue) = (nil, nil) }
    }

    private mutating func beat(in turn: inout Turn<Effect>) {
        guard let info else { return }
        beatDue = turn.now.advanced(by: configuration.beat)
        let seeking = MatchMessage.seeking(
            player: player,
            session: session,
            info: info,
            request: request,
            closed: closed
        )
        turn.order(.transmit(seeking))
    }

    private mutating func follow(
        _ answered: UInt32,
        _ listed: [MatchConnection],
        in turn: inout Turn<Effect>
    ) {
        guard info != nil else { return }
        heard = turn.now
        if answered == request { failureDue = nil }
        cuts.removeAll { $0.until <= turn.now }
        closed.removeAll { number in !listed.contains { $0.number == number } }
        for gone in connections where !listed.contains(gone) {
            turn.order(.lost(connection: gone.number))
        }
        connections.removeAll { !listed.contains($0) }
        for new in listed.prefix(MatchConfiguration.playersMax)
        where !connections.contains(new) && !closed.contains(new.number) {
            guard !cuts.contains(where: { $0.player == new.player }) else {
                closed.append(new.number)
                continue
            }
            if connections.isEmpty { patience = drawPatience() }
            connections.append(new)
            turn.order(.connected(connection: new.number, to: new.player))
        }
    }

    private mutating func close(_ number: UInt64, isCut: Bool, at now: Instant) {
        guard let index = connections.firstIndex(where: { $0.number == number }) else { return }
        let connection = connections.remove(at: index)
        closed.append(number)
        beatDue = beatDue.map { min($0, now) }
        guard isCut else { return }
        let until = now.advanced(by: configuration.cutTime)
        cuts.append(Cut(player: connection.player, until: until))
    }

    private mutating func drawPatience() -> Duration {
        random.duration(in: configuration.noticeLeast...configuration.noticeMost)
    }
}
