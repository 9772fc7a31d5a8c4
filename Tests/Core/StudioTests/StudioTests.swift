import Foundation
import KodamaEvidence
import KodamaHarness
import KodamaLanguage
import KodamaShipped
import Synchronization
import Testing

@testable import KodamaStudio

@Suite("The studio runs two settings while one moves (HN-05, HN-09)")
struct StudioTests {
    private static let systems = SystemRegistry.shipped
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("studio-\(UUID().uuidString)")
    private var file: String { folder.appendingPathComponent("outages.yaml").path }

    private static let text = """
        version: 2
        scenario: outages
        duration: 60s
        seeds: 8
        voice: reachability
        phones:
          - name: phone
            radios: { cellular: lte-good }
            apps: { session: {} }
        faults:
          - { of: phone, every: 20s, from: 10s, until: 50s, kinds: { outage: 1, black-hole: 1 } }
        expect:
          - { metric: session.recovery.time, p95: "<= 2s", samples: 10 }
          - { metric: session.recovery.time, share_above 1s: "<= 50%" }
          - { invariant: session.one-connect-in-flight }
        """

    private func write(_ text: String = Self.text) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    }

    private static func scenario(
        _ text: String,
        _ file: String,
        _ settings: [String]
    ) throws(StudioRefusal) -> Scenario {
        do {
            let vocabulary = ScenarioVocabulary(systems: systems)
            return try ScenarioLoader(vocabulary: vocabulary)
                .load(text: text, file: file, settings: settings)
        } catch {
            throw StudioRefusal("\(error)")
        }
    }

    private func subject(
        shared: [String] = [],
        last: Bool = false,
        jobs: Int = 2
    ) -> StudioSubject {
        StudioSubject(
            file: file,
            catalog: Self.systems.language.parameters,
            metrics: Self.systems.evidence.metrics,
            objectives: [],
            seedCount: nil,
            material: nil,
            shared: shared,
            options: last ? ["--only", "every=15s"] : [],
            build: "kodama test",
            jobCount: jobs
        ) { [file] text, settings throws(StudioRefusal) in
            var scenario = try Self.scenario(text, file, shared + settings)
            if last { scenario.points = scenario.points.suffix(1) }
            return scenario
        }
    }

    /// A page without a browser: what it asks, and what it is told.
    private final class Page: Sendable {
        private let (requests, sink) = AsyncStream.makeStream(of: String.self)
        private let (replies, told) = AsyncStream.makeStream(of: StudioReply.self)
        private let task: Mutex<Task<Void, Never>?> = Mutex(nil)

        init(_ board: StudioBoard) {
            let (requests, told) = (requests, told)
            task.withLock {
                $0 = Task {
                    await StudioTab(board) { told.yield($0) }.answer(requests)
                    told.finish()
                }
            }
        }

        func ask(_ message: String) { sink.yield(message) }

        func close() { sink.finish() }

        /// The replies up to one that ends what is waited for.
        func replies(until isLast: (StudioReply) -> Bool) async -> [StudioReply] {
            var all: [StudioReply] = []
            for await reply in replies {
                all.append(reply)
                if isLast(reply) { break }
            }
            return all
        }

        func pictures(of id: Int) async -> [StudioPicture] {
            await replies { reply in
                if case .picture(let picture) = reply {
                    return picture.id == id && picture.seeds == picture.of
                }
                return false
            }.compactMap { if case .picture(let picture) = $0 { picture } else { nil } }
        }

        func refusal() async -> String {
            let all = await replies { if case .refused = $0 { true } else { false } }
            if case .refused(_, let sentences, _)? = all.last { return sentences }
            return ""
        }
    }

    @Test("A move shows 5 seeds first, then all, with the figures of evaluate to the byte")
    func figures() async throws {
        try write()
        let board = try StudioBoard(subject())
        let page = Page(board)
        page.ask(#"{"kind":"show","id":1,"left":{},"right":{"session.retry_timeout":"9s"}}"#)
        let pictures = await page.pictures(of: 1)
        #expect(pictures.map(\.seeds) == [5, 8])
        let objectives = await board.objectives
        #expect(
            objectives.map(\.text)
                == ["session.recovery.time:p95", "session.recovery.time:share_above 1s"]
        )
        for picture in pictures {
            for (side, settings) in [[], ["session.retry_timeout=9s"]].enumerated() {
                let scenario = Evaluation.measuring(
                    objectives,
                    of: try Self.scenario(Self.text, file, settings)
                )
                let run = ScenarioRun(
                    scenario: scenario,
                    file: file,
                    seeds: [(1...UInt64(picture.seeds)).map { $0 }],
                    material: nil
                )
                let outcome = try await run.judge(in: JobSlots(1))
                let json = try Evaluation(outcome, objectives: objectives).json
                #expect(picture.evaluations[side] == String(decoding: json, as: UTF8.self))
            }
        }
        // A part of the seeds promises nothing.
        #expect(pictures[0].gates.contains("undecided"))
        page.close()
    }

    @Test(
        "The newest move wins: an older one ends without its last picture, and leaves its runs out"
    )
    func newest() async throws {
        try write(Self.text.replacing("seeds: 8", with: "seeds: 400"))
        let board = try StudioBoard(subject())
        let page = Page(board)
        for id in 1...5 {
            page.ask(
                #"{"kind":"show","id":\#(id),"left":{},"right":{"session.retry_timeout":"\#(id + 2)s"}}"#
            )
        }
        page.ask(#"{"kind":"show","id":6,"left":{},"right":{},"metrics":[]}"#)
        let pictures = await page.pictures(of: 6)
        #expect(!pictures.contains { $0.id != 6 && $0.seeds == $0.of })
        for id in 1...5 {
            let setting = try await board.measured(["session.retry_timeout=\(id + 2)s"])
            #expect(setting.missing(upTo: 400).count > 300, "the runs of move \(id)")
        }
        page.close()
    }

    @Test("An amount of a slider and a text of a field are one setting; the file's own is none")
    func settings() async throws {
        try write()
        let board = try StudioBoard(subject())
        let page = Page(board)
        page.ask(
            #"{"kind":"show","id":1,"left":{"session.retry_timeout":9000000000},"right":{"session.retry_timeout":"9000ms"}}"#
        )
        let pictures = await page.pictures(of: 1)
        #expect(pictures.last?.commands[0] == pictures.last?.commands[1])
        #expect(pictures.last?.commands[0].contains("--set session.retry_timeout=9s") == true)
        let hello = await board.hello
        let own = try #require(hello.parameters.first { $0.name == "session.retry_timeout" })
        page.ask(#"{"kind":"show","id":2,"right":{"session.retry_timeout":"\#(own.own)"}}"#)
        let same = await page.pictures(of: 2)
        #expect(same.last?.commands[1].contains("--set") == false)
        page.close()
    }

    @Test(
        "What is no setting is refused by its name, and the studio goes on",
        arguments: [
            (#""session.retry_timout":"9s""#, "retry_timeout"),
            (#""session.retry_timeout":"9000h""#, "retry_timeout"),
            (#""session.retry_timeout":"soon""#, "retry_timeout"),
        ]
    )
    func refused(value: String, word: String) async throws {
        try write()
        let page = Page(try StudioBoard(subject()))
        page.ask(#"{"kind":"show","id":1,"right":{\#(value)}}"#)
        let refusal = await page.refusal()
        #expect(refusal.hasPrefix("right: ") && refusal.contains(word), "\(refusal)")
        page.ask("what?")
        #expect(await page.refusal() == "the page asked for what there is not")
        page.ask(#"{"kind":"show","id":2}"#)
        #expect(await page.pictures(of: 2).last?.seeds == 8)
        page.close()
    }

    @Test("A second page has moves of its own, and takes no work from the first")
    func secondPage() async throws {
        try write()
        let board = try StudioBoard(subject())
        let pages = [Page(board), Page(board)]
        for (page, value) in zip(pages, ["8s", "9s"]) {
            page.ask(#"{"kind":"show","id":1,"right":{"session.retry_timeout":"\#(value)"}}"#)
        }
        for (page, value) in zip(pages, ["8s", "9s"]) {
            let last = await page.pictures(of: 1).last
            #expect(last?.commands[1].contains(value) == true)
            page.close()
        }
    }

    @Test(
        "A file that fails to check is shown with its line, and the last version that checks goes on"
    )
    func broken() async throws {
        try write()
        let board = try StudioBoard(subject())
        let page = Page(board)
        page.ask(#"{"kind":"hello"}"#)
        _ = await page.replies { if case .hello = $0 { true } else { false } }
        try write(Self.text.replacing("voice: reachability", with: "voice: loud"))
        await board.look()
        let told = await page.replies { if case .broken = $0 { true } else { false } }
        guard case .broken(let sentences)? = told.last else {
            Issue.record("another answer")
            return
        }
        #expect(sentences?.contains("outages.yaml:5") == true, "\(sentences ?? "")")
        page.ask(#"{"kind":"show","id":1,"right":{"session.retry_timeout":"9s"}}"#)
        #expect(await page.pictures(of: 1).last?.seeds == 8)
        try write(Self.text.replacing("seeds: 8", with: "seeds: 6"))
        await board.look()
        let mended = await page.replies { if case .hello = $0 { true } else { false } }
        guard case .hello(let hello)? = mended.last else {
            Issue.record("another answer")
            return
        }
        #expect(hello.seeds == 6 && hello.broken == nil)
        page.close()
    }

    @Test("The name of the scenario's file writes nothing into a setting that is saved beside it")
    func savedBesideOddName() throws {
        for end in ["\n", "\r\n", "\u{2028}"] {
            var subject = subject()
            subject.file = "/a\"\u{301}\(end)seeds: 7.yaml"
            let scenario = try Self.scenario(Self.text, file, [])
            let saved = SavedSetting(.preset, of: scenario, [], as: "/faster.yaml", subject)
            let lines = saved.text.unicodeScalars
                .split { ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains($0) }
                .map { String($0) }
            #expect(lines.count == 8, "\(lines)")
            #expect(!lines.contains { $0.hasPrefix("seeds") })
            #expect(lines.contains { $0.hasPrefix("extends: \"a\\\"\u{301}\\") })
        }
    }

    @Test("A setting is saved whole beside the scenario, and over nothing unless it is said")
    func saved() async throws {
        try write()
        let board = try StudioBoard(subject())
        let page = Page(board)
        func save(_ name: String, _ form: String, replaces: Bool = false) async -> StudioReply? {
            page.ask(
                #"{"kind":"save","side":"right","right":{"session.retry_timeout":"9s"},"file":"\#(name)","form":"\#(form)","replaces":\#(replaces)}"#
            )
            return await page.replies { reply in
                switch reply {
                case .saved, .refused: true
                default: false
                }
            }.last
        }
        for (name, form) in [("faster.yaml", "preset"), ("whole.yaml", "scenario")] {
            guard case .saved? = await save(name, form) else {
                Issue.record("\(name) is not saved")
                continue
            }
            let path = folder.appendingPathComponent(name).path
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let loaded = try Self.scenario(text, path, [])
            let plan = try Self.scenario(Self.text, file, ["session.retry_timeout=9s"]).points[0]
                .plan
            #expect(loaded.points[0].plan.phones == plan.phones, "\(form)")
            try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
            guard case .refused(_, _, asks: true)? = await save(name, form) else {
                Issue.record("\(name) is written over unasked")
                continue
            }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
            _ = await save(name, form, replaces: true)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }
        for name in ["../escape.yaml", "/etc/x.yaml", "outages.yaml", ".yaml", "a.txt", ""] {
            guard case .refused(_, _, asks: false)? = await save(name, "preset", replaces: true)
            else {
                Issue.record("\(name) is saved")
                continue
            }
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == Self.text)
        page.close()
    }

    @Test(
        "What the studio was started with is in its presets, commands and links (HN-05)",
        arguments: [false, true]
    )
    func startedWithOptions(isSwept: Bool) async throws {
        let text =
            isSwept
            ? Self.text.replacing("every: 20s", with: "every: $every")
                .replacing("seeds: 8", with: "seeds: 8\nsweep: { every: [20s, 15s] }") : Self.text
        try write(text)
        let shared = ["session.retry_timeout=7s", "session.probe.interval=750ms"]
        let board = try StudioBoard(subject(shared: shared, last: isSwept))
        let hello = await board.hello
        #expect(hello.shared == ["session.retry_timeout": "7s", "session.probe.interval": "750ms"])
        #expect(hello.options.hasPrefix("--set session.retry_timeout=7s --set session.probe"))
        let page = Page(board)
        // Twice: with a move over what is shared, and without one.
        for (name, moved) in [("moved", #""session.probe.interval":"500ms""#), ("plain", "")] {
            page.ask(#"{"kind":"show","id":1,"right":{\#(moved)}}"#)
            let command = try #require(await page.pictures(of: 1).last?.commands[1])
            #expect(command.contains(" --set session.retry_timeout=7s "))
            #expect(command.contains("--only every=15s") == isSwept)
            page.ask(
                #"{"kind":"save","side":"right","right":{\#(moved)},"file":"\#(name).yaml","form":"preset"}"#
            )
            let saved = await page.replies {
                switch $0 {
                case .saved, .refused: true
                default: false
                }
            }
            guard case .saved? = saved.last else {
                Issue.record("\(name) is not saved")
                continue
            }
            let path = folder.appendingPathComponent("\(name).yaml").path
            let loaded = try Self.scenario(String(contentsOfFile: path, encoding: .utf8), path, [])
            #expect(loaded.points.map(\.values) == [isSwept ? [SweepValue("every", "15s")] : []])
            let settings = moved.isEmpty ? [] : ["session.probe.interval=500ms"]
            let wanted = try Self.scenario(text, file, shared + settings)
            #expect(loaded.points[0].plan.phones == wanted.points.last?.plan.phones)
        }
        page.close()
    }

    @Test("No preset holds a link that the command line swept; it names what to save instead")
    func pointOfALink() throws {
        #expect(
            try SavedSetting.point([SweepValue("preset", "lax"), SweepValue("gone", "5s")])
                == ["preset: lax", "sweep:", "  gone: [5s]"]
        )
        #expect(try SavedSetting.point([]).isEmpty)
        let refusal = #expect(throws: StudioRefusal.self) {
            try SavedSetting.point([SweepValue("link.loss.rate", "5%")])
        }
        #expect(refusal?.description.contains("save the whole scenario") == true)
    }

    @Test("Lanes that a newer move has overtaken are given up, and those of the newest are drawn")
    func lanesGivenUp() async throws {
        try write(Self.text.replacing("seeds: 8", with: "seeds: 200"))
        let page = Page(try StudioBoard(subject(jobs: 1)))
        for id in [1, 3] {
            page.ask(
                #"{"kind":"show","id":\#(id),"right":{"session.retry_timeout":"\#(id + 6)s"}}"#
            )
            page.ask(#"{"kind":"lanes","id":\#(id + 1),"seed":2}"#)
        }
        let replies = await page.replies { reply in
            if case .picture(let picture) = reply {
                picture.id == 3 && picture.seeds == 200
            } else {
                false
            }
        }
        let drawn = replies.compactMap { if case .lanes(let id, _, _) = $0 { id } else { nil } }
        #expect(drawn == [4])
        #expect(!replies.contains { if case .refused = $0 { true } else { false } })
        page.close()
    }

    @Test("Lanes of a seed lie one above the other, and a run is told in sentences")
    func lanes() async throws {
        try write()
        let page = Page(try StudioBoard(subject()))
        page.ask(#"{"kind":"lanes","id":1,"seed":3,"right":{"session.retry_timeout":"9s"}}"#)
        let lanes = await page.replies { if case .lanes = $0 { true } else { false } }
        guard case .lanes(_, let seed, let html)? = lanes.last else {
            Issue.record("another answer")
            return
        }
        #expect(seed == 3 && html.split(separator: "class=\"lanes\"").count == 3)
        page.ask(#"{"kind":"explain","id":2,"seed":3,"side":"left"}"#)
        let told = await page.replies { if case .explanation = $0 { true } else { false } }
        guard case .explanation(_, .left, let text)? = told.last else {
            Issue.record("another answer")
            return
        }
        #expect(text.hasPrefix("outages, seed 3"))
        page.close()
    }

    @Test("The page is one file below 60 kB, which loads nothing")
    func page() {
        let text = StudioPage.text(nonce: "n")
        #expect(text.utf8.count <= 60_000, "\(text.utf8.count) bytes")
        #expect(!text.contains("src=") && !text.contains("@import") && !text.contains("https://"))
    }
}
