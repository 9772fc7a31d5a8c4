public import SansIO

/// The phone's interfaces, and what apps hear of them.
///
/// Interfaces change at once; when and whether an app hears of it is the notice's affair. A path is
/// told as the system believes it: Wi-Fi if it believes it up, cellular otherwise (Network.framework,
/// `NWPathMonitor`). A suspended app hears nothing; when it is resumed it is told what it missed, the
/// present state only, and sockets that died meanwhile report an error.
public struct NetworkMonitor: StateMachine {
    /// A fact for the monitor.
    public enum Event: Sendable, Equatable {
        /// An interface gets an address, loses it, or gets another one.
        case interfaceChanged(NetworkInterface, isUp: Bool, PathNotice)
        /// An app's first line of code runs.
        case appLaunched(AppID)
        /// An app's process is held.
        case appSuspended(AppID)
        /// It runs again after so long.
        case appResumed(AppID, asleep: Duration)
        /// An app's process is gone.
        case appEnded(AppID)
    }

    /// An order from the monitor.
    public enum Effect: Sendable, Equatable {
        /// The addresses that sockets may use, the favourite first.
        case addresses([InterfaceLease])
        /// An app's sockets of this lease report an error.
        case breakSockets(AppID, InterfaceLease)
        /// An app is told the path.
        case pathChanged(AppID, NetworkPath)
    }

    /// What the system knows of an interface.
    struct Interface: Sendable, Equatable {
        var kind: NetworkInterface
        var isUp: Bool
        var lease: UInt16 = 0
        var believed: InterfaceLease?

        var current: InterfaceLease? { isUp ? InterfaceLease(kind, lease: lease) : nil }
    }

    /// A change of which the system has not spoken yet.
    struct Notice: Sendable, Equatable {
        var due: Instant
        var interface: NetworkInterface
        var belief: InterfaceLease?
    }

    /// An app that uses the network.
    struct Client: Sendable, Equatable {
        enum State: Sendable, Equatable {
            case notRunning
            case running
            case suspended([SleepingLease])
        }

        var state = State.notRunning
        /// What it was told of the path: the lease behind it, `nil` within for none.
        var told: InterfaceLease??
    }

    /// The sockets of one lease while their app is suspended.
    struct SleepingLease: Sendable, Equatable {
        var lease: InterfaceLease
        var isBroken = false
    }

    /// All addresses; broken sockets and a path for each app.
    public static var effectsPerCallMax: Int { 1 + 2 * PhoneSystem.appsMax }

    /// A phone never ends.
    public var isFinished: Bool { false }

    private let suspendedSocketLife: Duration
    private var interfaces: [Interface]
    private var notices: [Notice] = []
    private var clients: [Client]

    /// Makes a phone's interfaces.
    ///
    /// - Parameters:
    ///   - interfaces: The ways to the Internet and whether they have an address, in any order.
    ///   - appCount: How many apps are installed.
    ///   - suspendedSocketLife: After how long of suspension sockets are dead.
    public init(
        interfaces: [(NetworkInterface, isUp: Bool)],
        appCount: Int,
        suspendedSocketLife: Duration
    ) {
        self.suspendedSocketLife = suspendedSocketLife
        clients = Array(repeating: Client(), count: appCount)
        // Wi-Fi is preferred whenever it is up.
        self.interfaces =
            interfaces
            .sorted { $0.0.rawValue < $1.0.rawValue }
            .map { kind, isUp in
                let first = InterfaceLease(kind, lease: 0)
                return Interface(kind: kind, isUp: isUp, believed: isUp ? first : nil)
            }
    }

    /// The addresses that sockets may use now, the favourite first.
    public var addresses: [InterfaceLease] { interfaces.compactMap(\.current) }

    /// The next path notice.
    public var deadline: Deadline? {
        notices.reduce(nil) { .earliest($0, Deadline($1.due, "path notice")) }
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .interfaceChanged(let kind, let isUp, let notice):
            change(kind, isUp: isUp, notice, in: &turn)
        case .appLaunched(let app):
            clients[app.index].state = .running
            tellPath(app, in: &turn)
        case .appSuspended(let app):
            guard clients[app.index].state == .running else { return }
            clients[app.index].state = .suspended(addresses.map { SleepingLease(lease: $0) })
        case .appResumed(let app, let asleep):
            resume(app, after: asleep, in: &turn)
        case .appEnded(let app):
            clients[app.index] = Client()
        }
    }

    /// Lets notices arrive.
    public mutating func wake(in turn: inout Turn<Effect>) {
        hearNotices(in: &turn)
    }

    private mutating func change(
        _ kind: NetworkInterface,
        isUp: Bool,
        _ notice: PathNotice,
        in turn: inout Turn<Effect>
    ) {
        guard let index = interfaces.firstIndex(where: { $0.kind == kind }),
            interfaces[index].isUp || isUp
        else { return }
        let lost = interfaces[index].current
        interfaces[index].isUp = isUp
        if isUp {
            // A number that was used is used again only after 65,535 others.
            interfaces[index].lease &+= 1
        }
        turn.order(.addresses(addresses))
        if let lost, notice.breaksSockets {
            breakSockets(of: lost, in: &turn)
        }
        guard let delay = notice.delay else { return }
        let belief = interfaces[index].current
        notices.append(Notice(due: turn.now.advanced(by: delay), interface: kind, belief: belief))
        hearNotices(in: &turn)
    }

    private mutating func breakSockets(of lease: InterfaceLease, in turn: inout Turn<Effect>) {
        for index in clients.indices {
            switch clients[index].state {
            case .notRunning:
                continue
            case .running:
                turn.order(.breakSockets(AppID(index), lease))
            case .suspended(var sleeping):
                guard let position = sleeping.firstIndex(where: { $0.lease == lease }) else {
                    continue
                }
                sleeping[position].isBroken = true
                clients[index].state = .suspended(sleeping)
            }
        }
    }

    private mutating func resume(
        _ app: AppID,
        after asleep: Duration,
        in turn: inout Turn<Effect>
    ) {
        guard case .suspended(let sleeping) = clients[app.index].state else { return }
        clients[app.index].state = .running
        for socket in sleeping where socket.isBroken || asleep > suspendedSocketLife {
            turn.order(.breakSockets(app, socket.lease))
        }
        tellPath(app, in: &turn)
    }

    /// Takes the notices that are due into the system's belief, and tells each app once.
    private mutating func hearNotices(in turn: inout Turn<Effect>) {
        guard notices.contains(where: { $0.due <= turn.now }) else { return }
        for notice in notices where notice.due <= turn.now {
            if let index = interfaces.firstIndex(where: { $0.kind == notice.interface }) {
                interfaces[index].believed = notice.belief
            }
        }
        notices.removeAll { $0.due <= turn.now }
        for index in clients.indices { tellPath(AppID(index), in: &turn) }
    }

    /// Tells a running app the path, if the lease behind it is not the one it was told.
    private mutating func tellPath(_ app: AppID, in turn: inout Turn<Effect>) {
        let lease = interfaces.lazy.compactMap(\.believed).first
        guard clients[app.index].state == .running, clients[app.index].told != .some(lease) else {
            return
        }
        clients[app.index].told = .some(lease)
        turn.order(
            .pathChanged(app, lease.map { .satisfied($0.interface) } ?? .unsatisfied)
        )
    }
}
