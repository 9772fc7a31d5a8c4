public import SansIO

/// The clock that the phone shows: true time and an offset, which may jump.
///
/// A running app hears of a jump (`NSNotification.Name.NSSystemClockDidChange`), a suspended one when
/// it is resumed.
public struct PhoneClock: StateMachine {
    /// A fact for the clock.
    public enum Event: Sendable, Equatable {
        /// The clock is set to so much later than true; negative for earlier.
        case set(offset: Duration)
        /// An app was launched or resumed.
        case appListens(AppID)
        /// An app's process is held.
        case appSuspended(AppID)
        /// An app's process is gone.
        case appEnded(AppID)
    }

    /// An order from the clock.
    public enum Effect: Sendable, Equatable {
        /// An app is told what the clock shows now.
        case told(AppID, WallTime)
    }

    /// What an app knows of the clock.
    struct Client: Sendable, Equatable {
        var isListening = false
        var told: Duration?
    }

    /// Every app is told.
    public static var effectsPerCallMax: Int { PhoneSystem.appsMax }

    /// A clock never ends.
    public var isFinished: Bool { false }

    /// A clock is read when somebody looks.
    public var deadline: Deadline? { nil }

    private let trueClock: WallClock
    private var offset: Duration
    private var clients: [Client]

    /// Makes a clock.
    ///
    /// - Parameters:
    ///   - start: The true time at the start of the time line.
    ///   - offset: How much later than true it shows; negative for earlier.
    ///   - appCount: How many apps are installed.
    public init(start: WallTime, offset: Duration, appCount: Int) {
        trueClock = WallClock(showing: start, at: .zero)
        self.offset = offset
        clients = Array(repeating: Client(), count: appCount)
    }

    /// What the clock shows.
    public func reading(at now: Instant) -> WallTime {
        trueClock.reading(at: now).advanced(by: offset)
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .set(let offset):
            self.offset = offset
            for index in clients.indices { tell(AppID(index), in: &turn) }
        case .appListens(let app):
            clients[app.index].isListening = true
            tell(app, in: &turn)
        case .appSuspended(let app):
            clients[app.index].isListening = false
        case .appEnded(let app):
            clients[app.index] = Client()
        }
    }

    /// Does nothing: the clock has no deadline.
    public mutating func wake(in turn: inout Turn<Effect>) {}

    /// Tells a running app what the clock shows, if it counts from another offset.
    private mutating func tell(_ app: AppID, in turn: inout Turn<Effect>) {
        guard clients[app.index].isListening, clients[app.index].told != offset else { return }
        clients[app.index].told = offset
        turn.order(.told(app, reading(at: turn.now)))
    }
}
