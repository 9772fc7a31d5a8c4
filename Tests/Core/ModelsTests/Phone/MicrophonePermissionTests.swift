@testable import KodamaPhone
import SansIO
import SansIOTesting
import Testing

private typealias Effect = MicrophonePermission.Effect

@Suite("Whether an app may use the microphone")
struct MicrophonePermissionTests {
    private static let first = OperationID(number: 1)
    private static let second = OperationID(number: 2)

    private static func condition(
        _ status: PermissionCondition.Status,
        isGranted: Bool = true,
        after delay: Duration? = .seconds(2)
    ) -> PermissionCondition {
        var condition = PermissionCondition()
        condition.status = status
        condition.isGrantedWhenAsked = isGranted
        condition.answerDelay = delay
        return condition
    }

    /// The permission of an app in front.
    private static func permission(_ condition: PermissionCondition) -> MicrophonePermission {
        MicrophonePermission(condition, isInFront: true)
    }

    @Test("Who answered before is not asked again (RS-08)", arguments: [true, false])
    func known(isGranted: Bool) throws {
        let status = isGranted ? PermissionCondition.Status.granted : .denied
        var story = Transcript(Self.permission(Self.condition(status)))
        try story.expect(.requested(Self.first), at: .zero) {
            Effect.answered(Self.first, isGranted: isGranted)
        }
        #expect(story.machine.deadline == nil)
    }

    @Test(
        "Who was never asked sees an alert and answers once for all (RS-08)",
        arguments: [true, false]
    )
    func asked(isGranted: Bool) throws {
        let condition = Self.condition(.undetermined, isGranted: isGranted)
        var story = Transcript(Self.permission(condition))
        try story.expect(.requested(Self.first), at: .zero) { Effect.alert(isShown: true) }
        try story.expect(.requested(Self.second), at: .seconds(1))
        try story.expectWake(at: .seconds(2)) {
            Effect.alert(isShown: false)
            Effect.answered(Self.first, isGranted: isGranted)
            Effect.answered(Self.second, isGranted: isGranted)
        }
        try story.expect(.requested(Self.second), at: .seconds(3)) {
            Effect.answered(Self.second, isGranted: isGranted)
        }
    }

    @Test("An alert goes with its app, and is shown again to the next launch")
    func appEnded() throws {
        let condition = Self.condition(.undetermined, after: nil)
        var story = Transcript(Self.permission(condition))
        try story.expect(.requested(Self.first), at: .zero) { Effect.alert(isShown: true) }
        #expect(story.machine.deadline == nil, "a user who never answers")
        try story.expect(.appEnded, at: .seconds(1)) { Effect.alert(isShown: false) }
        try story.expect(.requested(Self.first), at: .seconds(2)) { Effect.alert(isShown: true) }
    }

    @Test("Nobody is asked over the lock screen: the alert waits for its app (RS-08)")
    func outOfSight() throws {
        var story = Transcript(MicrophonePermission(Self.condition(.undetermined)))
        try story.expect(.requested(Self.first), at: .zero)
        #expect(story.machine.deadline == nil)
        try story.expect(.frontChanged(isInFront: true), at: .seconds(9)) {
            Effect.alert(isShown: true)
        }
        #expect(story.machine.isAsking)
        // Whoever leaves the app has not answered, and is asked again.
        try story.expect(.frontChanged(isInFront: false), at: .seconds(10)) {
            Effect.alert(isShown: false)
        }
        #expect(!story.machine.isAsking)
        try story.expect(.frontChanged(isInFront: true), at: .seconds(20)) {
            Effect.alert(isShown: true)
        }
        try story.expectWake(at: .seconds(22)) {
            Effect.alert(isShown: false)
            Effect.answered(Self.first, isGranted: true)
        }
        #expect(story.machine.status == .granted)
    }

    @Test("A switch turned in Settings ends the process and holds for the next one")
    func revoked() throws {
        var story = Transcript(Self.permission(Self.condition(.granted)))
        try story.expect(.changedInSettings(isGranted: true), at: .zero)
        try story.expect(.changedInSettings(isGranted: false), at: .seconds(1)) {
            Effect.settingChanged
        }
        try story.expect(.requested(Self.first), at: .seconds(2)) {
            Effect.answered(Self.first, isGranted: false)
        }
    }

    @Test("The permission keeps the laws of its contract", arguments: 0..<4 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        for seed in decade * 50..<decade * 50 + 50 {
            try checkLaws(
                seed: seed,
                steps: 300,
                make: { MicrophonePermission(Self.condition(.undetermined)) },
                event: { random, _ in
                    switch random.below(15) {
                    case 0:
                        .changedInSettings(isGranted: random.chance(percent: 50))
                    case 1, 2: .appEnded
                    case 3, 4, 5: .frontChanged(isInFront: random.chance(percent: 60))
                    default: .requested(OperationID(number: UInt32(random.below(100))))
                    }
                }
            )
        }
    }
}
