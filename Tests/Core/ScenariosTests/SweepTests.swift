import AppCoordination
@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaSession
@testable import KodamaSimulation
import RealtimeVoice
import SansIO
import Testing

@Suite("Sweeps and expected outcomes")
struct SweepTests {
    /// The session's scenario with a sweep in front, and `$length` as the length of its outage.
    private func load(
        _ head: String,
        sweeps: [String] = [],
        settings: [String] = []
    ) throws(InvalidScenario) -> Scenario {
        let text = Fixture.session
            .replacing("duration:", with: head + "\nduration:")
            .replacing("for: 10s", with: "for: $length")
        return try Fixture.loader.load(
            text: text,
            file: "commute.yaml",
            settings: settings,
            sweeps: sweeps
        )
    }

    /// How long the outage is at each point.
    private func lengths(_ scenario: Scenario) -> [Duration] {
        scenario.points.map { point in
            let triggers = point.plan.timeline.map(\.trigger)
            guard case .at(let start) = triggers.first, case .at(let end) = triggers.last else {
                return .zero
            }
            return end - start
        }
    }

    @Test("A grid has all combinations, the first name changing slowest (HN-05)")
    func grid() throws {
        let scenario = try load(
            """
            sweep: { length: [1s, 2s], preset: [default, as-specified] }
            preset: $preset
            """
        )
        #expect(scenario.sweep.names == ["length", "preset"])
        #expect(scenario.sweep.isGrid)
        #expect(
            scenario.points.map(\.label) == [
                "length=1s preset=default", "length=1s preset=as-specified",
                "length=2s preset=default", "length=2s preset=as-specified",
            ]
        )
        #expect(lengths(scenario) == [1, 1, 2, 2].map { .seconds($0) })
        let phones = scenario.points.map { $0.plan.phones[0].session?.configuration }
        #expect(phones[0] == VoiceAppConfiguration())
        #expect(phones[1] == .asSpecified)
    }

    @Test("A list has its points alone, whose values belong together (HN-05)")
    func list() throws {
        let scenario = try load(
            """
            sweep:
              - { length: 1s, attempts: 3 }
              - { attempts: 9, length: 5s }
            parameters: { reconnect.attempts: $attempts }
            """
        )
        #expect(!scenario.sweep.isGrid)
        #expect(scenario.points.map(\.label) == ["length=1s attempts=3", "length=5s attempts=9"])
        let attempts = scenario.points.map {
            $0.plan.phones[0].session?.configuration.session.connectOptions.reconnectAttempts
        }
        #expect(attempts == [3, 9])
    }

    @Test("A swept value may be a gate's limit, behind its comparison (HN-03)")
    func limits() throws {
        let text = Fixture.session
            .replacing("duration:", with: "sweep: { limit: [1%, 2%] }\nduration:")
            .replacing("\"<= 1%\"", with: "\"<= $limit\"")
        let scenario = try Fixture.loader.load(text: text, file: "commute.yaml")
        #expect(scenario.points.map { $0.expectations.gates[0].limit } == [10_000, 20_000])
    }

    @Test("The command line replaces a name's values, and sweeps parameters and the preset (HN-05)")
    func commandLine() throws {
        let scenario = try load(
            "sweep: { length: [1s, 2s] }",
            sweeps: ["length=3s", "reconnect.attempts=4,5", "preset=as-specified"]
        )
        #expect(scenario.sweep.names == ["length", "reconnect.attempts", "preset"])
        #expect(lengths(scenario) == [.seconds(3), .seconds(3)])
        let options = scenario.points.compactMap {
            $0.plan.phones[0].session?.configuration.session.connectOptions
        }
        #expect(options.map(\.reconnectAttempts) == [4, 5])
        #expect(options.allSatisfy { $0.reconnectMaxDelay == .seconds(6) })
        let row = scenario.points[1].resolved.values.first {
            $0.path == "parameters.reconnect.attempts"
        }
        #expect(row?.value == "5")
        #expect(row?.origin.description == "--sweep reconnect.attempts=4,5")
    }

    @Test("The command line sweeps keys of all links and radios, and ranges of values (HN-05)")
    func links() throws {
        let intercom = try Fixture.loader.load(
            text: Fixture.valid,
            file: "talk.yaml",
            sweeps: ["link.loss=1%..10%/4", "link.backward.delay=20ms"]
        )
        let links = intercom.points.map { $0.plan.links[0].profile }
        let losses: [Int32] = [10_000, 40_000, 70_000, 100_000]
        #expect(
            links.map(\.forward.loss)
                == losses.map { .independent(Probability(partsPerMillion: $0)) }
        )
        #expect(links.allSatisfy { $0.backward.loss == $0.forward.loss })
        #expect(links.allSatisfy { $0.backward.delay == .milliseconds(20) })
        #expect(links.allSatisfy { $0.forward.delay == .milliseconds(8) })
        #expect(intercom.points[1].label == "link.loss=4% link.backward.delay=20ms")

        let session = try load("sweep: { length: [1s] }", sweeps: ["wifi.delay=5ms,7ms"])
        let delays = session.points.map { $0.plan.phones[0].radios.first?.profile.forward.delay }
        #expect(delays == [.milliseconds(5), .milliseconds(7)])
    }

    @Test(
        "A range has its ends and even steps between them (HN-05)",
        arguments: [
            ("1s..2s/3", ["1s", "1.5s", "2s"]), ("10ms..0ms/3", ["10ms", "5ms", "0ms"]),
            ("0..1/4", ["0", "0.333", "0.667", "1"]), ("-1..1/2", ["-1", "1"]),
            ("0.25%..1%/4", ["0.25%", "0.5%", "0.75%", "1%"]),
        ]
    )
    func ranges(text: String, values: [String]) {
        #expect(SweepRange(text[...])?.texts == values)
    }

    @Test(
        "What is no range is a value like any other (HN-05)",
        arguments: ["1s..2s", "1s..2ms/3", "1..2/1", "a..b/3", "1..1/3", "a/3", "1..2/x"]
    )
    func noRange(text: String) {
        #expect(SweepRange(text[...]) == nil)
    }

    @Test(
        "A wrong argument is placed in the argument (HN-02)",
        arguments: [
            ("lenght=1s", "--sweep lenght=1s:1: error: no swept value 'lenght'"),
            ("length", "--sweep length:1: error: 'length' is not name=value,value"),
            ("length=1s,,2s", "--sweep length=1s,,2s:11: error: 'length=1s,,2s' is not name"),
            ("length=1s,1s", "--sweep length=1s,1s:11: error: '1s' appears twice in 'length'"),
            (
                "reconnect.attempts=3,x",
                "--sweep reconnect.attempts=3,x:22: error: 'x' is not a whole number"
            ),
            (
                "length=1s..9s/1",
                "--sweep length=1s..9s/1:8: error: '1s..9s/1' is a range of fewer than 2 values"
            ),
            ("wifi.los=1%", "--sweep wifi.los=1%:1: error: unknown key 'los'"),
            ("wifi.loss=1x", "--sweep wifi.loss=1x:11: error: "),
            (
                "length=1s..9s",
                "--sweep length=1s..9s:8: error: '1s..9s' is a range that does not say of how many"
            ),
            (
                "length=500ms..2s/4",
                "--sweep length=500ms..2s/4:8: error: '500ms..2s/4' is a range whose ends have dif"
            ),
            ("wifi.loss=1..3%/3", "--sweep wifi.loss=1..3%/3:11: error: '1..3%/3' is a range who"),
            (
                "length=2s..2s/4",
                "--sweep length=2s..2s/4:8: error: '2s..2s/4' is a range from a value to itself"
            ),
            (
                "link.loss=1%",
                "--sweep link.loss=1%:1: error: 'link.loss' is swept, but no two phones are linked"
            ),
            (
                "length=1s..9s/2000",
                "--sweep length=1s..9s/2000:8: error: the sweep has 2000 points, at most 1000"
            ),
            (
                "length=1s..9s/99999999",
                "--sweep length=1s..9s/99999999:8: error: the sweep has 99999999 points"
            ),
        ]
    )
    func wrongArguments(argument: String, message: String) {
        let error = #expect(throws: InvalidScenario.self) {
            try load("sweep: { length: [1s, 2s] }", sweeps: [argument])
        }
        #expect(error?.description.hasPrefix(message) ?? false, "\(error?.description ?? "")")
    }

    @Test("What a link has several kinds of is swept by the name of one (HN-02)")
    func kinds() throws {
        let head = "sweep: { length: [1s] }"
        let error = #expect(throws: InvalidScenario.self) {
            try load(head, sweeps: ["wifi.jitter=0ms..40ms/3"])
        }
        let printed = error?.description ?? ""
        let message = "error: 'wifi.jitter' takes no single value\n"
        #expect(printed.hasPrefix("--sweep wifi.jitter=0ms..40ms/3:1: \(message)"), "\(printed)")
        #expect(printed.contains("note: write wifi.jitter.uniform or wifi.jitter.half_normal"))
        #expect(error?.diagnostics.count == 1)
        let scenario = try load(head, sweeps: ["wifi.jitter.uniform=20ms,40ms"])
        #expect(scenario.points.count == 2)
    }

    @Test("An empty list of values is called so (HN-02)")
    func emptyList() {
        let error = #expect(throws: InvalidScenario.self) { try load("sweep: { length: [] }") }
        #expect(
            error?.description.hasPrefix(
                "commute.yaml:3:18: error: expected a list of values, found an empty list"
            ) == true,
            "\(error?.description ?? "")"
        )
    }

    @Test("What a scenario sweeps cannot be set over, lest its rows say what is not so (HN-02)")
    func settingOverSweep() throws {
        let head = "sweep: { attempts: [3, 9], length: [1s] }"
        let error = #expect(throws: InvalidScenario.self) {
            try load(
                head + "\nparameters: { reconnect.attempts: $attempts }",
                settings: ["reconnect.attempts=5"]
            )
        }
        #expect(
            error?.description == """
                --set reconnect.attempts=5:1: error: 'reconnect.attempts' is swept as '$attempts', \
                which the rows would still show
                reconnect.attempts=5
                ^~~~~~~~~~~~~~~~~~~~
                note: write --sweep attempts=5, or choose points with --only
                commute.yaml:4:35: note: it is swept here
                """
        )
        let scenario = try load(
            head + "\nparameters: { reconnect.attempts: $attempts }",
            sweeps: ["attempts=5"],
            settings: ["reconnect.max_delay=9s"]
        )
        #expect(scenario.points.map(\.label) == ["attempts=5 length=1s"])
    }

    @Test("What the command line sweeps it cannot set as well: one would be in vain (HN-02)")
    func setAndSwept() {
        let error = #expect(throws: InvalidScenario.self) {
            try load(
                "sweep: { length: [1s] }",
                sweeps: ["reconnect.attempts=3,4"],
                settings: ["reconnect.max_delay=9s", "reconnect.attempts=5"]
            )
        }
        #expect(
            error?.description == """
                --set reconnect.attempts=5:1: error: 'reconnect.attempts' is set and swept
                reconnect.attempts=5
                ^~~~~~~~~~~~~~~~~~~~
                note: write one of the two
                --sweep reconnect.attempts=3,4:1: note: it is swept here
                """
        )
    }

    @Test("All values of a swept name stand in one argument: of two, one would be in vain (HN-02)")
    func sweptTwice() {
        let error = #expect(throws: InvalidScenario.self) {
            try load("sweep: { length: [1s] }", sweeps: ["length=2s", "length=3s"])
        }
        #expect(
            error?.description.hasPrefix(
                "--sweep length=3s:8: error: 'length' appears twice in the --sweep arguments"
            ) ?? false
        )
    }

    @Test("A mistake in one value is reported once, at its use, and names the value (HN-02)")
    func mistakes() {
        let error = #expect(throws: InvalidScenario.self) {
            try load("sweep: { length: [1s, 170s], preset: [default] }\npreset: $preset")
        }
        #expect(
            error?.description == """
                commute.yaml:16:53: error: the disruption ends at 190s, after the run's end at 180s
                  - { at: 20s, do: { outage: { of: mika-phone, for: $length } } }
                                                                    ^~~~~~~
                commute.yaml:3:23: note: $length is 170s here
                """
        )
    }

    @Test("A sweep is inherited if all of it is used, and can be left out (HN-02)")
    func inheritance() throws {
        let base = Fixture.session
            .replacing("duration:", with: "sweep: { length: [1s, 2s] }\nduration:")
            .replacing("for: 10s", with: "for: $length")
        let files = FileReader { path in
            path == "base.yaml" ? .success(base) : .failure(FileReadError(.missing))
        }
        let loader = ScenarioLoader(vocabulary: Fixture.vocabulary, files: files)
        func heir(_ more: String) throws(InvalidScenario) -> Scenario {
            try loader.load(
                text: "version: 2\nscenario: heir\nextends: base.yaml\n\(more)\n",
                file: "heir.yaml"
            )
        }
        #expect(try heir("").points.map(\.label) == ["length=1s", "length=2s"])
        #expect(try heir("sweep: {}\ntimeline: []").points.map(\.label) == [""])
        let error = #expect(throws: InvalidScenario.self) { try heir("timeline: []") }
        #expect(
            error?.description == """
                heir.yaml:3:1: error: 'length' is swept in the scenario that this one extends, but used nowhere here
                extends: base.yaml
                ^~~~~~~
                note: write a 'sweep' of its own; 'sweep: {}' sweeps nothing
                base.yaml:3:10: note: it is swept here
                """
        )
    }

    @Test("What a scenario documents to fail is not inherited (HN-03)")
    func outcomeIsOwn() throws {
        let base = Fixture.session.replacing(
            "duration:",
            with: "outcome: fail\nbecause: It is known.\nduration:"
        )
        let files = FileReader { _ in .success(base) }
        let loader = ScenarioLoader(vocabulary: Fixture.vocabulary, files: files)
        let heir = try loader.load(
            text: "version: 2\nscenario: heir\nextends: base.yaml\n",
            file: "heir.yaml"
        )
        #expect(heir.outcome == .pass)
    }

    @Test("A resolved point is a scenario of its own with the same plan (HN-02)")
    func resolves() throws {
        let scenario = try load(
            """
            sweep: { length: [1s, 2s], preset: [default, as-specified] }
            preset: $preset
            outcome: fail
            because: It is known.
            where: { preset: as-specified }
            """
        )
        for point in scenario.points {
            let again = try Fixture.loader.load(text: point.resolved.yaml, file: "commute.yaml")
            #expect(again.points.map(\.plan) == [point.plan])
            #expect(again.outcome == .pass)
        }
    }

    @Test("A failure may be expected everywhere, or where swept values say so (HN-03)")
    func outcomes() throws {
        #expect(try Fixture.loadSession().outcome == .pass)
        let everywhere = try load(
            "outcome: fail\nbecause: It is known.\nsweep: { length: [1s, 2s] }"
        )
        #expect(everywhere.outcome == .fail(because: "It is known.", where: []))
        #expect(everywhere.points.allSatisfy { everywhere.outcome.allowsFailure(at: $0) })
        let somewhere = try load(
            """
            outcome: fail
            because: It is known.
            where: { length: [2s, 3s] }
            sweep: { length: [1s, 2s, 3s] }
            """
        )
        #expect(
            somewhere.points.map { somewhere.outcome.allowsFailure(at: $0) } == [false, true, true]
        )
    }
}
