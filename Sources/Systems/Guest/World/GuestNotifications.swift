import KodamaEvidence
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import SansIO
import TextFormats

/// The notification centre of a guest's phone: it keeps what the guest leaves, and lets it come whether the
/// guest's process runs or not.
final class GuestNotifications: Host {
    @exclusivity(unchecked) var seat: Seat<UserNotificationCenter>
    private unowned let app: GuestApp
    private var operations = OperationCounter()

    /// What the centre calls the app: it knows no other.
    private static let own = AppID(0)

    init(of app: GuestApp, isAllowed: Bool, seed: UInt64) {
        var settings = NotificationSettings()
        settings.permission = PermissionCondition(isAllowed ? .granted : .denied)
        let centre = UserNotificationCenter(
            apps: [settings],
            clock: LocalClock(showing: app.phone.seat.ask { $0.wallTime(at: .zero) }),
            draws: RandomStream(seed: seed, purpose: "guest.notifications", entity: app.name)
        )
        seat = Seat(centre)
        self.app = app
    }

    /// Leaves one; it takes the place of one of the same name that waits.
    func add(_ id: String, after delay: Int64?, on stage: inout Stage) {
        let request = NotificationRequest(id, delay.map { .interval(.nanoseconds($0)) })
        tell(.ordered(Self.own, .add(operations.next(), request)), on: &stage)
    }

    /// Takes one back.
    func remove(_ id: String, on stage: inout Stage) {
        tell(.ordered(Self.own, .removePending([id])), on: &stage)
        tell(.ordered(Self.own, .removeDelivered([id])), on: &stage)
    }

    /// The app has come to the front, or has left it.
    func frontChanged(isInFront: Bool, on stage: inout Stage) {
        tell(.frontChanged(Self.own, isInFront: isInFront), on: &stage)
    }

    /// The app's process is gone.
    func appEnded(on stage: inout Stage) { tell(.appEnded(Self.own), on: &stage) }

    /// The user taps the one that came last; where the list is empty there is nothing to tap.
    func tapLatest(on stage: inout Stage) {
        guard let id = seat.ask({ $0.list(of: Self.own).last }) else { return }
        tell(.tapped(Self.own, identifier: id), on: &stage)
    }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        app.scheduleWake(.notification, at: instant, on: &stage)
    }

    func perform(_ effect: UserNotificationCenter.Effect, on stage: inout Stage) {
        switch effect {
        case .willPresent(_, let id):
            // An app in front is asked; a guest shows everything.
            let shown = UserNotificationCenter.Event.presentationChosen(
                Self.own,
                identifier: id,
                isShown: true
            )
            tell(shown, on: &stage)
            app.tell([("event", .string("notified")), ("id", .string(id))], on: &stage)
        case .delivered: note(.shown, on: &stage)
        case .suppressed(_, _, .overLimit): note(.overLimit, on: &stage)
        case .suppressed: note(.notAllowed, on: &stage)
        case .responded(_, let id):
            note(.tapped, on: &stage)
            app.tell([("event", .string("tapped")), ("id", .string(id))], on: &stage)
        // A guest's notifications have no buttons.
        case .answered, .summaryShown, .actionChosen: break
        }
    }

    private func note(_ fate: NotificationFate, on stage: inout Stage) {
        app.note(GuestNotified(fate: TraceWord(fate)), on: &stage)
    }
}
