@testable import KodamaPhone
import SansIO
import SansIOTesting
import Testing

private typealias Effect = SecureStorage.Effect

@Suite("The keychain")
struct SecureStorageTests {
    private static let session = AppID(0)
    private static let other = AppID(1)
    private static let operation = OperationID(number: 1)

    private func write(_ value: String?) -> SecureStorage.Event {
        .write(Self.session, Self.operation, key: "identity", value: value)
    }

    private func read(_ app: AppID) -> SecureStorage.Event {
        .read(app, Self.operation, key: "identity")
    }

    @Test("What one app keeps, it reads, and no other app does (RS-03)")
    func own() throws {
        var story = Transcript(SecureStorage())
        try story.expect(write("a"), at: .zero) {
            Effect.writeAnswered(Self.session, Self.operation, isKept: true)
        }
        try story.expect(read(Self.session), at: .zero) {
            Effect.readAnswered(Self.session, Self.operation, .value("a"))
        }
        try story.expect(read(Self.other), at: .zero) {
            Effect.readAnswered(Self.other, Self.operation, .value(nil))
        }
        try story.expect(write(nil), at: .zero) {
            Effect.writeAnswered(Self.session, Self.operation, isKept: true)
        }
        #expect(story.machine.value(of: "identity", for: Self.session) == nil)
    }

    @Test(
        "Locked or failing it neither reads nor writes, and loses nothing (RS-03)",
        arguments: [
            (StorageCondition.locked, StorageError.interactionNotAllowed),
            (.failing, .notAvailable),
        ]
    )
    func refusing(condition: StorageCondition, error: StorageError) throws {
        var story = Transcript(SecureStorage())
        try story.expect(write("a"), at: .zero) {
            Effect.writeAnswered(Self.session, Self.operation, isKept: true)
        }
        try story.expect(.conditionChanged(condition), at: .seconds(1))
        try story.expect(read(Self.session), at: .seconds(2)) {
            Effect.readAnswered(Self.session, Self.operation, .failed(error))
        }
        try story.expect(write("b"), at: .seconds(2)) {
            Effect.writeAnswered(Self.session, Self.operation, isKept: false)
        }
        try story.expect(.conditionChanged(.available), at: .seconds(3))
        try story.expect(read(Self.session), at: .seconds(4)) {
            Effect.readAnswered(Self.session, Self.operation, .value("a"))
        }
    }

    @Test(
        "A slow keychain answers in order, after its time, and not to an app that is gone (VP-05)"
    )
    func slow() throws {
        var story = Transcript(SecureStorage(answerTime: .seconds(2)))
        try story.expect(write("a"), at: .zero)
        try story.expect(read(Self.session), at: .seconds(1))
        try story.expect(read(Self.other), at: .seconds(1))
        try story.expectWake(at: .seconds(2)) {
            Effect.writeAnswered(Self.session, Self.operation, isKept: true)
        }
        try story.expect(.appEnded(Self.session), at: .milliseconds(2_500))
        try story.expectWake(at: .seconds(3)) {
            Effect.readAnswered(Self.other, Self.operation, .value(nil))
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("The keychain keeps the laws of its contract", arguments: 0..<4 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        for seed in decade * 25..<decade * 25 + 25 {
            try checkLaws(
                seed: seed,
                steps: 200,
                make: { SecureStorage(answerTime: seed % 2 == 0 ? .zero : .milliseconds(700)) },
                event: { random, _ in
                    let app = AppID(random.below(2))
                    let key = "\(random.below(3))"
                    return switch random.below(7) {
                    case 6: .appEnded(app)
                    case 0: .conditionChanged(StorageCondition.allCases[random.below(3)])
                    case 1: .write(app, Self.operation, key: key, value: nil)
                    case 2, 3: .write(app, Self.operation, key: key, value: "v")
                    default: .read(app, Self.operation, key: key)
                    }
                }
            )
        }
    }
}
