public import SansIO
package import SansIOTesting

/// Joins one machine to the world: gives it events, performs its effects, wakes it in time.
public protocol Host: MailReader {
    associatedtype Machine: StateMachine

    /// The machine, its unread events and its pending wake.
    var seat: Seat<Machine> { get set }
    /// Whether the machine takes events now; those that come while it doesn't are lost.
    var isAwake: Bool { get }

    /// Called before the machine takes an event; for the trace.
    func willHear(_ event: Machine.Event, on stage: inout Stage)
    /// Performs one effect; it may ask the machine. This is the binding.
    func perform(_ effect: Machine.Effect, on stage: inout Stage)
    /// Called after all effects of a call have been performed.
    func finishCall(on stage: inout Stage)
    /// Schedules the delivery that calls `awaken`.
    func scheduleWake(at instant: Instant, on stage: inout Stage)
}

/// A host, as the stage sees it: a reader of unread events.
public protocol MailReader: AnyObject {
    /// Gives the machine its oldest unread event.
    func readMail(on stage: inout Stage)
}

/// A machine with its unread events and its one pending wake.
public struct Seat<Machine: StateMachine> {
    @usableFromInline package internal(set) var driver: MachineDriver<Machine>
    /// Events that arose while something was being performed, oldest first.
    @usableFromInline var mail: [Machine.Event] = []
    @usableFromInline var readCount = 0
    /// When the pending wake is due, if there is one.
    @usableFromInline var pendingWake: Instant?
    /// The machine's calls, if they are recorded to run the machine again alone.
    package var recording: MachineRecording<Machine>? { didSet { isRecorded = recording != nil } }
    /// Read at every call in place of the recording, which holds a whole machine.
    @usableFromInline var isRecorded = false

    /// Seats a machine.
    @inlinable public init(_ machine: Machine, at now: Instant = .zero) {
        driver = MachineDriver(machine, at: now)
    }

    /// Seats another machine after the one before has ended; unread events of that one are lost.
    @inlinable public mutating func restart(_ machine: Machine, at now: Instant) {
        driver = MachineDriver(machine, at: now)
        pendingWake = nil
    }

    /// The machine in its present state.
    @inlinable public var machine: Machine { driver.machine }

    /// Reads the machine, or changes it other than by an event.
    @inlinable @inline(__always)
    public mutating func ask<Result>(_ question: (inout Machine) -> Result) -> Result {
        driver.update(question)
    }

    // What follows is mutating, though some of it only reads: a seat is worked on where it lies, and a
    // reading accessor would copy it out of its host.

    /// When the machine wants to be woken next.
    @inlinable var deadline: Instant? {
        mutating get { driver.update { $0.deadline?.instant } }
    }

    /// Gives the machine an event, or wakes it without one; returns its effects.
    @inlinable mutating func effects(of event: Machine.Event?, at now: Instant) -> [Machine.Effect]
    {
        let effects = driver.effects(of: event, at: now)
        if isRecorded { record(event, effects, at: now) }
        return effects
    }

    @inlinable mutating func reclaim(_ performed: consuming [Machine.Effect]) {
        driver.reclaim(performed)
    }

    @usableFromInline mutating func record(
        _ event: Machine.Event?,
        _ effects: [Machine.Effect],
        at now: Instant
    ) {
        recording?.noteCall(event, at: now)
        for effect in effects { recording?.noteEffect(effect) }
    }

    /// Whether the pending wake is due; it no longer counts as pending.
    @inlinable mutating func takeWake(at now: Instant) -> Bool {
        guard pendingWake == now else { return false }
        pendingWake = nil
        return true
    }

    /// The instant to schedule a wake for; `nil` if an earlier one is pending.
    @inlinable mutating func nextWake(at now: Instant) -> Instant? {
        guard let deadline else { return nil }
        let due = max(deadline, now)
        if let pendingWake, pendingWake <= due { return nil }
        pendingWake = due
        return due
    }

    @inlinable mutating func nextMail() -> Machine.Event {
        defer {
            readCount += 1
            if readCount == mail.count {
                mail.removeAll(keepingCapacity: true)
                readCount = 0
            }
        }
        return mail[readCount]
    }
}

extension Host {
    /// Always.
    @inlinable public var isAwake: Bool { true }

    /// Does nothing.
    @inlinable public func willHear(_ event: Machine.Event, on stage: inout Stage) {}

    /// Does nothing.
    @inlinable public func finishCall(on stage: inout Stage) {}

    /// Gives the machine an event at once, and delivers the events that follow from it.
    ///
    /// For use in deliveries: no effect may be under way.
    @inlinable @inline(__always)
    public func hear(_ event: Machine.Event, on stage: inout Stage) {
        precondition(stage.isQuiet, "an event was to overtake what is under way; queue it by tell")
        drive(event, on: &stage)
        stage.readMail()
    }

    /// Queues an event until the effects under way have been performed.
    @inlinable @inline(__always)
    public func tell(_ event: Machine.Event, on stage: inout Stage) {
        seat.mail.append(event)
        stage.post(self)
    }

    /// Gives the machine its oldest unread event.
    @inlinable @inline(__always)
    public func readMail(on stage: inout Stage) { readOldestMail(on: &stage) }

    /// What `readMail` does, for a host that does it in a way of its own.
    @inlinable @inline(__always)
    public func readOldestMail(on stage: inout Stage) {
        drive(seat.nextMail(), on: &stage)
    }

    /// Wakes the machine if it is due; an early wake is scheduled again (law L2), and one overtaken
    /// by an earlier one is dropped.
    @inlinable @inline(__always)
    public func awaken(on stage: inout Stage) {
        guard seat.takeWake(at: stage.now) else { return }
        guard let deadline = seat.deadline, deadline <= stage.now else {
            return armWake(on: &stage)
        }
        drive(nil, on: &stage)
        stage.readMail()
    }

    /// Keeps one wake pending, however often the deadline moves.
    @inlinable @inline(__always)
    public func armWake(on stage: inout Stage) {
        guard isAwake, let due = seat.nextWake(at: stage.now) else { return }
        scheduleWake(at: due, on: &stage)
    }

    // Inlined into each host, so that the machine is driven where it sits.
    @inlinable @inline(__always)
    func drive(_ event: Machine.Event?, on stage: inout Stage) {
        guard isAwake else { return }
        if let event { willHear(event, on: &stage) }
        let effects = seat.effects(of: event, at: stage.now)
        stage.beginPerforming()
        for effect in effects { perform(effect, on: &stage) }
        stage.endPerforming()
        seat.reclaim(effects)
        finishCall(on: &stage)
        armWake(on: &stage)
    }
}
