import SansIO
import SansIOTesting
import Testing
import WakeFlow

private typealias Effect = GuidedScript.Effect

@Suite("A guided script leads through its steps (AN-02)")
struct GuidedScriptTests {
    private static let steps = [
        ScriptStep(text: "one", expectedWord: "OK", timeout: .seconds(60)),
        ScriptStep(text: "two", expectedWord: "澄む", timeout: .seconds(120)),
    ]

    private func script(repetitions: Int = 1) -> Transcript<GuidedScript> {
        var configuration = GuidedScriptConfiguration()
        configuration.steps = Self.steps
        configuration.repetitionsMax = repetitions
        return Transcript(GuidedScript(configuration: configuration))
    }

    private func line(_ number: Int, _ step: Int, again: Bool = false) -> Effect {
        .say(
            ScriptLine(
                number: number,
                step: step,
                isRepetition: again,
                text: Self.steps[step].text
            )
        )
    }

    @Test("The expected words lead to the end, others lead nowhere")
    func done() throws {
        var story = script()
        try story.expect(.begun, at: .seconds(1)) { line(0, 0) }
        try story.expect(.heard("今何時？"), at: .seconds(2))
        try story.expect(.heard("Ok."), at: .seconds(3)) { line(1, 1) }
        try story.expect(.heard("OK"), at: .seconds(4))
        try story.expect(.heard("心が澄むようです"), at: .seconds(5)) { Effect.ended(.done) }
        try story.expect(.heard("OK"), at: .seconds(6))
        #expect(story.machine.isFinished)
    }

    @Test(
        "A step that times out is said again as often as it may be, then the script ends not done"
    )
    func timedOut() throws {
        var story = script()
        try story.expect(.begun, at: .seconds(0)) { line(0, 0) }
        try story.expectWake(at: .seconds(59))
        try story.expectWake(at: .seconds(60)) { line(1, 0, again: true) }
        try story.expect(.heard("OK"), at: .seconds(61)) { line(2, 1) }
        try story.expectWake(at: .seconds(181)) { line(3, 1, again: true) }
        try story.expectWake(at: .seconds(301)) { Effect.ended(.notDone) }
    }

    @Test("The user gives up, or a call cuts the script off")
    func broken() throws {
        var story = script()
        try story.expect(.gaveUp, at: .zero)
        try story.expect(.begun, at: .zero) { line(0, 0) }
        try story.expect(.begun, at: .zero)
        try story.expect(.gaveUp, at: .seconds(1)) { Effect.ended(.gaveUp) }
        var other = script()
        try other.expect(.begun, at: .zero) { line(0, 0) }
        try other.expect(.callBegan, at: .seconds(1)) { Effect.ended(.cutOff) }
    }

    @Test("The source's script has its three words and time-outs")
    func source() {
        let steps = GuidedScriptConfiguration.asSpecified
        #expect(steps.map(\.expectedWord) == ["OK", "澄む", "完了"])
        #expect(steps.map(\.timeout) == [.seconds(60), .seconds(120), .seconds(90)])
    }

    @Test(
        "A word counts where it stands for itself",
        arguments: [
            ("OK", "ok", true), ("OK", "Yes, OK!", true), ("OK", "OKです", true),
            ("OK", "token", false), ("OK", "o k", false), ("OK", "", false), ("", "OK", false),
            ("完了", "完了しました。", true), ("完了", "完 了", true), ("完了", "完", false),
            ("澄む", "すむ", false), ("all done", "I'm all done", true), ("all done", "all", false),
        ]
    )
    func words(word: String, text: String, isSaid: Bool) {
        #expect(SpokenWord.occurs(word, in: text) == isSaid)
    }
}
