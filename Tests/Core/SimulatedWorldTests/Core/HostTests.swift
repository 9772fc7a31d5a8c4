@testable import KodamaWorld
import SansIO
import SansIOTesting
import Testing

@Suite("Hosts on a stage")
struct HostTests {
    private let diary = Diary()
    private let first: EchoHost
    private let second: EchoHost

    init() {
        first = EchoHost("first", index: 0, diary: diary)
        second = EchoHost("second", index: 1, diary: diary)
    }

    @Test("What arises while effects are performed is heard after all of them, oldest first")
    func mail() {
        var stage = Stage.empty()
        first.reactions["a"] = { first, stage in
            second.tell(.said(["from a"]), on: &stage)
            first.tell(.said(["to myself"]), on: &stage)
        }
        first.reactions["b"] = { _, stage in second.tell(.said(["from b"]), on: &stage) }
        second.reactions["from a"] = { _, stage in first.tell(.said(["last"]), on: &stage) }
        first.hear(.said(["a", "b"]), on: &stage)
        #expect(
            diary.lines == [
                "first: a", "first: b", "second: from a", "first: to myself", "second: from b",
                "first: last",
            ]
        )
    }

    @Test("A machine can be asked while its effects are performed")
    func asking() {
        var stage = Stage.empty()
        var answer: Int?
        first.reactions["a"] = { first, _ in answer = first.seat.ask { $0.heardCount } }
        first.hear(.said(["a", "b", "c"]), on: &stage)
        #expect(answer == 3)
    }

    @Test("A host that is not awake hears nothing and is not woken, also not later")
    func asleep() {
        var stage = Stage.empty()
        first.hear(.wakeAt(.seconds(1)), on: &stage)
        first.isAwake = false
        first.hear(.said(["a"]), on: &stage)
        stage.play(to: [first, second])
        #expect(diary.lines.isEmpty)
        #expect(first.seat.machine.heardCount == 0)
    }

    @Test("One wake is pending however often the deadline moves (law L2)")
    func wakes() {
        var stage = Stage.empty()
        // Later does not schedule; sooner does, and the overtaken ones come to nothing.
        for seconds in [5, 9, 7, 3, 6] {
            first.hear(.wakeAt(.seconds(seconds)), on: &stage)
        }
        #expect(diary.wakesScheduled == 2)
        stage.play(to: [first, second])
        #expect(diary.lines == ["first: woken"])
        #expect(stage.now == .zero.advanced(by: .seconds(6)))
    }

    @Test("A deadline that goes away wakes nobody")
    func withdrawnWake() {
        var stage = Stage.empty()
        first.hear(.wakeAt(.seconds(1)), on: &stage)
        first.hear(.wakeAt(nil), on: &stage)
        stage.play(to: [first, second])
        #expect(diary.lines.isEmpty)
    }

    @Test(
        "What was touched is reviewed once mail is read, in the order of components, until at rest"
    )
    func reviews() {
        var stage = Stage.empty()
        first.reactions["a"] = { first, stage in
            stage.touch(second)
            stage.touch(first)
            stage.touch(second)
            second.tell(.said(["mail"]), on: &stage)
        }
        var again = true
        first.reviewed = { _, stage in
            guard again else { return }
            again = false
            stage.touch(second)
            first.hear(.said(["from a review"]), on: &stage)
        }
        first.hear(.said(["a"]), on: &stage)
        stage.settle()
        #expect(
            diary.lines == [
                "first: a", "second: mail", "first reviewed", "first: from a review",
                "second reviewed",
            ]
        )
    }

    @Test("Reviews that touch each other without end stop the run")
    func endlessReviews() async {
        await #expect(processExitsWith: .failure) {
            let host = EchoHost("restless", index: 0, diary: Diary())
            host.reviewed = { host, stage in stage.touch(host) }
            var stage = Stage.empty()
            stage.touch(host)
            stage.settle()
        }
    }

    @Test("An event that would overtake what is under way stops the run")
    func overtaking() async {
        await #expect(processExitsWith: .failure) {
            let host = EchoHost("hasty", index: 0, diary: Diary())
            host.reactions["a"] = { host, stage in host.hear(.said(["b"]), on: &stage) }
            var stage = Stage.empty()
            host.hear(.said(["a"]), on: &stage)
        }
    }

    @Test("A recorded machine's calls and effects replay (HN-06)")
    func recording() throws {
        var stage = Stage.empty()
        first.seat.recording = .init(of: first.seat.machine)
        first.hear(.said(["a", "b"]), on: &stage)
        first.hear(.wakeAt(.seconds(1)), on: &stage)
        stage.play(to: [first, second])
        let recording = try #require(first.seat.recording)
        #expect(recording.calls.map(\.effects) == [["a", "b"], [], ["woken"]])
        #expect(try recording.replay() == first.seat.machine)
    }
}
