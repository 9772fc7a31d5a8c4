@testable import KodamaEvidence
import SansIO
import SansIOTesting
import Testing

@Suite("The text form of traces")
struct TraceTextTests {
    private func text(
        _ trace: RecordedTrace,
        _ instants: TraceText.Instants = .seconds
    ) -> String {
        String(decoding: TraceText.write(trace, instants: instants), as: UTF8.self)
    }

    private func error(_ text: String) -> TraceTextError? {
        do {
            _ = try TraceText.parse(Array(text.utf8), systems: .shipped)
            return nil
        } catch {
            return error
        }
    }

    @Test("A trace is written in columns")
    func columns() {
        let trace = Timeline(speech: "#", sent: "#", played: "#", endsAtMilliseconds: 200).trace
        #expect(
            text(trace) == """
                kodama-trace 3 scenario=hand-made seed=1 components=aoi,aoi-phone,ren,ren-phone
                    0.000000000 s aoi-phone group.joined         -         group=0
                    0.000000000 s ren-phone group.joined         -         group=0
                    0.000000000 s aoi       speech.began         aoi-phone spurt=1
                    0.020000000 s aoi       speech.ended         aoi-phone spurt=1
                    0.020000000 s aoi-phone frame.captured       -         index=0 start_ns=0 duration_ns=20000000
                    0.020000000 s aoi-phone packet.sent          ren-phone index=0 bytes=60 content=voice path=local
                    0.090000000 s ren-phone frame.played         aoi-phone index=0 samples=960 heard_ns=100000000 captured_ns=0
                    0.200000000 s -         run.ended            -

                """
        )
        #expect(
            text(trace, .nanoseconds) == """
                kodama-trace 3 scenario=hand-made seed=1 components=aoi,aoi-phone,ren,ren-phone
                             0 aoi-phone group.joined         -         group=0
                             0 ren-phone group.joined         -         group=0
                             0 aoi       speech.began         aoi-phone spurt=1
                      20000000 aoi       speech.ended         aoi-phone spurt=1
                      20000000 aoi-phone frame.captured       -         index=0 start_ns=0 duration_ns=20000000
                      20000000 aoi-phone packet.sent          ren-phone index=0 bytes=60 content=voice path=local
                      90000000 ren-phone frame.played         aoi-phone index=0 samples=960 heard_ns=100000000 captured_ns=0
                     200000000 -         run.ended            -

                """
        )
    }

    @Test("What is written reads back as it was", arguments: 1...50)
    func roundTrip(seed: Int) throws {
        var random = LawRandom(seed: UInt64(seed))
        let odd = [
            "", "-", "%", "a b", "a,b", "new\nline", "è", "%2D", "x=y", "\u{7F}", "tab\t", "z",
        ]
        let names = odd.filter { _ in random.chance(percent: 60) }
        var trace = RecordedTrace(
            scenario: odd[random.below(odd.count)],
            seed: random.next(),
            directory: TraceDirectory(names: names, systems: .shipped)
        )
        func component(_ random: inout LawRandom) -> ComponentIndex {
            let index = random.below(names.count + 1)
            return index == names.count ? .none : ComponentIndex(index)
        }
        for _ in 0..<random.below(200) {
            let entries = Systems.shipped.forms.entries
            let entry = entries[random.below(entries.count)]
            var values = SIMD4<Int64>.zero
            for field in entry.text.fields.indices {
                values[field] = Int64(truncatingIfNeeded: random.next()) >> Int64(random.below(64))
            }
            let instant = Instant(nanoseconds: Int64(truncatingIfNeeded: random.next()))
            trace.records.append(
                TraceRecord(
                    entry.kind,
                    at: instant,
                    of: component(&random),
                    about: component(&random),
                    values
                )
            )
        }
        for instants in [TraceText.Instants.seconds, .nanoseconds] {
            #expect(
                try TraceText.parse(TraceText.write(trace, instants: instants), systems: .shipped)
                    == trace
            )
        }
        let foreign = TraceText.write(trace).flatMap { $0 == 10 ? [13, 10] : [$0] }
        #expect(try TraceText.parse(foreign, systems: .shipped) == trace, "lines that end in CRLF")
    }

    @Test(
        "Instants are written exactly, as seconds or nanoseconds",
        arguments: [
            (0, "0.000000000 s"), (1, "0.000000001 s"), (-1, "-0.000000001 s"),
            (999_999_999, "0.999999999 s"), (1_000_000_000, "1.000000000 s"),
            (143_074_339_413, "143.074339413 s"), (-1_500_000_000, "-1.500000000 s"),
            (99_999_999_999_999, "99999.999999999 s"), (.max, "9223372036.854775807 s"),
            (.min, "-9223372036.854775808 s"),
        ] as [(Int64, String)]
    )
    func instants(nanoseconds: Int64, seconds: String) throws {
        let record = TraceRecord(RunEnded(), at: Instant(nanoseconds: nanoseconds), of: .none)
        let trace = RecordedTrace(scenario: "s", seed: 1, records: [record])
        for (instants, written) in [
            (TraceText.Instants.seconds, seconds), (.nanoseconds, "\(nanoseconds)"),
        ] {
            let line = try #require(text(trace, instants).split(separator: "\n").last)
            #expect(line.drop { $0 == " " }.hasPrefix("\(written) - run.ended"))
            #expect(
                try TraceText.parse(TraceText.write(trace, instants: instants), systems: .shipped)
                    == trace
            )
        }
    }

    @Test("A trace may have more components than 16 bits can tell apart")
    func manyComponents() throws {
        let names = (0..<70_000).map { "phone-\($0)" }
        let last = ComponentIndex(69_999)
        var trace = RecordedTrace(
            scenario: "crowd",
            seed: 1,
            directory: TraceDirectory(names: names, systems: .shipped),
            records: [
                TraceRecord(AppLaunched(), at: .zero, of: last, about: ComponentIndex(65_535))
            ]
        )
        let text = TraceText.write(trace)
        #expect(try TraceText.parse(text, systems: .shipped) == trace)
        #expect(String(decoding: text, as: UTF8.self).hasSuffix(" phone-65535\n"))
        var digests = [TraceDigest(), TraceDigest()]
        digests[0].fold(trace)
        trace.records[0].component = ComponentIndex(69_999 - 65_536)
        digests[1].fold(trace)
        #expect(digests[0].digest(of: "phone-69999") != digests[1].digest(of: "phone-69999"))
    }

    @Test("A writer keeps its level and gives its bytes piece by piece")
    func writer() {
        let trace = Timeline(speech: "#", sent: "#", played: "#").trace
        var writer = TraceTextWriter(scenario: "hand-made", seed: 1, level: .milestone)
        var bytes: [UInt8] = []
        writer.begin(trace.directory)
        for record in trace.records {
            writer.record(record)
            bytes += writer.takeBytes()
        }
        var filter = TraceFilter()
        filter.level = .milestone
        #expect(bytes == TraceText.write(filter.apply(to: trace)))
        #expect(writer.byteCount == 0)
    }

    @Test("Words stand for numbers, which earlier versions wrote, and which mean the same")
    func words() throws {
        let header = "scenario=s seed=1 components=a\n"
        let new = """
            kodama-trace 2 \(header)\
                         0 a attempt.ended         - room=1 failure=none
                         0 a attempt.ended         - room=1 failure=join-timeout
                         0 a attempt.ended         - room=1 failure=99
                         0 a token.answered        - operation=3 outcome=200
                         0 a token.answered        - operation=4 outcome=offline

            """
        let old = """
            kodama-trace 1 \(header)\
                         0 a attempt.ended         - room=1 failure=-1
                         0 a attempt.ended         - room=1 failure=2
                         0 a attempt.ended         - room=1 failure=99
                         0 a token.answered        - operation=3 outcome=200
                         0 a token.answered        - operation=4 outcome=-1

            """
        let trace = try TraceText.parse(Array(old.utf8), systems: .shipped)
        #expect(trace.records.map { $0.values[1] } == [-1, 2, 99, 200, -1])
        #expect(try TraceText.parse(Array(new.utf8), systems: .shipped) == trace)
        let spaces = /\ \ +/
        let written = text(trace, .nanoseconds).replacing(spaces, with: " ")
        #expect(written.replacing("-trace 3", with: "-trace 2") == new.replacing(spaces, with: " "))
    }

    @Test(
        "An instant in seconds that is not written exactly is a mistake",
        arguments: [
            "0.5", "00.500000000", "-0.000000000", "+1.000000000", ".500000000", "1.00000000x",
            "1.+23456789", "1.0.00000000", "9223372036.854775808",
        ]
    )
    func malformedSeconds(instant: String) {
        let text = "kodama-trace 3 scenario=s seed=1 components=a\n\(instant) s a run.ended -\n"
        let message = "'\(instant) s' is not an instant with 9 decimals"
        #expect(error(text) == TraceTextError(line: 2, message: message))
    }

    @Test("A mistake is reported with its line")
    func errors() {
        let header = "kodama-trace 1 scenario=s seed=1 components=a,b\n"
        let cases: [(String, Int, String)] = [
            ("", 1, "the text is empty; a header is missing"),
            ("hello\n", 1, "the header must begin with 'kodama-trace'"),
            ("kodama-trace 4 scenario=s seed=1 components=\n", 1, "version 4 is none of 1 to 3"),
            ("kodama-trace 1 scenario=s seed=-1 components=\n", 1, "'-1' is not a whole number"),
            ("kodama-trace 1 scenario=s seed=1 components=a,a\n", 1, "two components share a name"),
            (header + "0 a run.ended -", 2, "the last line has no line end"),
            (
                header + "0 a run.ended -\n\n", 3,
                "instant, component, kind and subject are expected"
            ),
            (header + "0 c run.ended -\n", 2, "no component is called 'c'"),
            (header + "0 a run.stopped -\n", 2, "no kind is called 'run.stopped'"),
            (header + "x a run.ended -\n", 2, "'x' is not a whole number"),
            (header + "0.5 a run.ended -\n", 2, "'0.5' is not a whole number"),
            (header + "1 s run.ended -\n", 2, "no component is called 's'"),
            (header + "0 a group.joined -\n", 2, "group.joined has 1 fields, found 0"),
            (header + "0 a group.joined - team=1\n", 2, "'group=' is expected, found 'team=1'"),
            (header + "0 a group.joined - group=+1\n", 2, "'+1' is not a whole number"),
            (header + "0 a scene.changed - phase=asleep\n", 2, "'asleep' is not a whole number"),
        ]
        for (text, line, message) in cases {
            #expect(error(text) == TraceTextError(line: line, message: message))
        }
    }
}
