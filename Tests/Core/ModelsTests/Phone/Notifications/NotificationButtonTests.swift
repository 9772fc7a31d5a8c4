import KodamaSimulation
import SansIO
import SansIOTesting
import Testing

@testable import KodamaPhone

@Suite("A notification's buttons, and the zone of its date")
struct NotificationButtonTests {
    private typealias Centre = UserNotificationCenter
    private static let app = AppID(0)
    private static let shown = NotificationPresentation(isShown: true, sound: .standard)

    private static func centre() -> Centre {
        var settings = NotificationSettings()
        settings.permission = PermissionCondition(.granted)
        var configuration = NotificationConfiguration()
        configuration.delay = .zero...(.zero)
        return Centre(
            apps: [settings],
            clock: LocalClock(showing: WallTime(secondsSince1970: 0)),
            draws: RandomStream(seed: 1, purpose: "notifications", entity: "phone"),
            configuration: configuration
        )
    }

    private static func delivered(_ id: String) -> Centre.Effect {
        .delivered(app, identifier: id, shown)
    }

    @Test("A button of a notification's category runs its app; one that it has not does nothing")
    func buttons() throws {
        var story = Transcript(Self.centre())
        func press(_ action: String, _ id: String) -> Centre.Event {
            .actionTapped(Self.app, identifier: id, action: action)
        }
        for start in [0, 100] as [Int64] {
            let request = NotificationRequest("a", nil, actions: ["snooze"])
            try story.expect(.posted(Self.app, request), at: .seconds(start)) {
                Self.delivered("a")
            }
            try story.expect(press("stop", "a"), at: .seconds(start + 1))
            try story.expect(press("snooze", "b"), at: .seconds(start + 1))
            try story.expect(press("snooze", "a"), at: .seconds(start + 2)) {
                Centre.Effect.actionChosen(Self.app, identifier: "a", action: "snooze")
            }
            #expect(story.machine.list(of: Self.app) == [])
            try story.expect(press("snooze", "a"), at: .seconds(start + 3))
        }
    }

    @Test("A date with its zone keeps its instant over a journey; one without follows the clock")
    func zones() throws {
        var story = Transcript(Self.centre())
        let time = WallTime(secondsSince1970: 7_200)
        func add(_ id: String, _ trigger: NotificationRequest.Trigger) -> Centre.Event {
            let request = NotificationRequest(id, trigger)
            return .ordered(Self.app, .add(OperationID(number: 1), request))
        }
        let done = Centre.Effect.answered(Self.app, OperationID(number: 1), .done)
        try story.expect(add("a", .date(time)), at: .zero) { done }
        try story.expect(add("b", .calendar(CivilTime(time))), at: .zero) { done }
        try story.expect(.clockChanged(.zone(secondsFromGMT: 3_600)), at: .seconds(60))
        try story.expectWake(at: .seconds(3_600)) { Self.delivered("b") }
        try story.expectWake(at: .seconds(7_200)) { Self.delivered("a") }
        // What is past never comes.
        try story.expect(add("c", .date(time)), at: .seconds(7_201)) { done }
        #expect(story.machine.deadline == nil)
    }
}
