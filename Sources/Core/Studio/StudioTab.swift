import Foundation
import KodamaHarness
import KodamaLanguage
import Synchronization

/// One open page: answers what it asks, and gives up a move's work once the next one comes.
actor StudioTab {
    private let board: StudioBoard
    private let send: @Sendable (StudioReply) -> Void
    private let newest = NewestMove()

    init(_ board: StudioBoard, send: @escaping @Sendable (StudioReply) -> Void) {
        self.board = board
        self.send = send
    }

    /// Answers until the page is closed; work for it is given up then.
    func answer(_ requests: some AsyncSequence<String, Never> & Sendable) async {
        let number = await board.listen(send)
        for await text in requests {
            guard let request = try? JSONDecoder().decode(StudioRequest.self, from: Data(text.utf8))
            else {
                send(
                    .refused(
                        id: nil,
                        sentences: "the page asked for what there is not",
                        asks: false
                    )
                )
                continue
            }
            // A move must not wait for what an earlier one asked for.
            let move = request.kind == .show ? newest.begin() : newest.current
            let task = Task { await answer(request, move) }
            if request.kind == .hello { await task.value }
        }
        // Nobody waits for the last move any more.
        _ = newest.begin()
        await board.forget(number)
    }

    private func answer(_ request: StudioRequest, _ move: Int) async {
        do throws(StudioRefusal) {
            switch request.kind {
            case .hello: send(.hello(await board.hello))
            case .show: try await show(request, move)
            case .lanes: try await lanes(request, move)
            case .explain: try await explain(request)
            case .save: try await save(request)
            }
        } catch {
            let isOfMove = request.kind == .show || request.kind == .lanes
            if isOfMove, !newest.isNewest(move) { return }
            send(.refused(id: request.id, sentences: error.description, asks: false))
        }
    }

    // MARK: Settings

    /// The settings of a side as `--set` takes them, in the order of the catalogue.
    private func settings(_ values: [String: StudioRequest.Value]?) async -> [String] {
        let own = await board.parameters
        let catalog = board.subject.catalog
        var settings: [(rank: Int, text: String)] = []
        for (name, value) in values ?? [:] {
            let known = own.firstIndex { $0.name == name }
            let text: String
            switch (value, catalog[name]) {
            case (.amount(let amount), let parameter?):
                text = parameter.text(
                    of: min(max(amount, parameter.range.lowerBound), parameter.range.upperBound)
                )
            case (.amount(let amount), nil): text = "\(amount)"
            case (.text(let written), let parameter):
                let amount = parameter?.amount(ofText: written)
                text = amount.flatMap { parameter?.text(of: $0) } ?? written
            }
            // What the file says needs no word.
            if let known, own[known].ownAmount == catalog[name]?.amount(ofText: text) { continue }
            settings.append((known ?? own.count, "\(name)=\(text)"))
        }
        return settings.sorted { ($0.rank, $0.text) < ($1.rank, $1.text) }.map(\.text)
    }

    private func side(
        _ side: StudioSide,
        _ request: StudioRequest
    ) async throws(StudioRefusal) -> (settings: [String], measured: MeasuredSetting) {
        let settings = await settings(side == .left ? request.left : request.right)
        do throws(StudioRefusal) {
            return (settings, try await board.measured(settings))
        } catch {
            throw StudioRefusal("\(side.rawValue): \(error)")
        }
    }

    private func understood(_ settings: [String]) -> [String: StudioSettings.Value] {
        settings.reduce(into: [:]) { values, setting in
            let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let parameter = board.subject.catalog[parts[0]],
                let amount = parameter.amount(ofText: parts[1])
            else { return }
            values[parts[0]] = StudioSettings.Value(text: parts[1], amount: amount)
        }
    }

    // MARK: Runs

    private func show(_ request: StudioRequest, _ move: Int) async throws(StudioRefusal) {
        let left = try await side(.left, request)
        let right = try await side(.right, request)
        guard newest.isNewest(move) else { return }
        send(
            .settings(
                StudioSettings(
                    id: request.id,
                    left: understood(left.settings),
                    right: understood(right.settings)
                )
            )
        )
        let (newest, sides) = (newest, [left.measured, right.measured])
        for look in sides[1].looks {
            // A seed of both sides before the next one of either.
            var jobs = sides.enumerated().flatMap { side, setting in
                setting.missing(upTo: look).map { (seed: $0, side: side) }
            }
            if sides[0] === sides[1] { jobs.removeAll { $0.side == 1 } }
            let wanted = jobs.sorted { ($0.seed, $0.side) < ($1.seed, $1.side) }
            await board.workers.run(wanted.count, while: { newest.isNewest(move) }) { index in
                sides[wanted[index].side].run(wanted[index].seed)
            }
            guard newest.isNewest(move) else { return }
            guard let one = try sides[0].snapshot(of: look),
                let other = try sides[1].snapshot(of: look)
            else { throw StudioRefusal("both sides must run as many seeds") }
            let settings = [left.settings, right.settings]
            let objectives = await board.objectives
            let picture = picture(
                request,
                [one, other],
                settings,
                look,
                sides[1].seeds.count,
                objectives
            )
            guard newest.isNewest(move) else { return }
            send(.picture(picture))
        }
    }

    private func picture(
        _ request: StudioRequest,
        _ sides: [MeasuredSetting.Snapshot],
        _ settings: [[String]],
        _ count: Int,
        _ all: Int,
        _ objectives: [Objective]
    ) -> StudioPicture {
        let evaluations = sides.map(\.evaluation)
        let pair = SettingPair(
            sides[0].report,
            sides[1].report,
            evaluations,
            of: objectives,
            metrics: request.metrics ?? []
        )
        return StudioPicture(
            id: request.id,
            seeds: count,
            of: all,
            summary: pair.summary,
            gates: pair.gatesHTML,
            curves: pair.curvesHTML,
            changes: pair.changesHTML,
            parts: pair.partsHTML,
            worst: pair.worstSeeds,
            drawable: pair.drawable,
            evaluations: evaluations.map { evaluation in
                (try? evaluation.json).map { String(decoding: $0, as: UTF8.self) } ?? ""
            },
            commands: settings.map { command($0, count, objectives) }
        )
    }

    /// The command that prints the figures of a side.
    private func command(_ settings: [String], _ count: Int, _ objectives: [Objective]) -> String {
        let words =
            ["kodama", "evaluate", board.subject.file] + board.subject.words
            + settings.flatMap { ["--set", $0] }
            + objectives.flatMap { ["--objective", $0.text] } + ["--seeds", "\(count)", "--json"]
        return words.map(ShellText.quoted).joined(separator: " ")
    }

    /// Draws a seed of both; up to four runs, which a newer move gives up.
    private func lanes(_ request: StudioRequest, _ move: Int) async throws(StudioRefusal) {
        let (left, right) = (try await side(.left, request), try await side(.right, request))
        let seed = request.seed ?? right.measured.seeds[0]
        let newest = newest
        let found = try await onWorker(while: { newest.isNewest(move) }) { () throws in
            try left.measured.empty.lanes(
                of: seed,
                above: right.measured.empty,
                names: ["Left", "Right"],
                while: { newest.isNewest(move) }
            )
        }
        guard let found, newest.isNewest(move) else { return }
        send(.lanes(id: request.id, seed: seed, html: found))
    }

    private func explain(_ request: StudioRequest) async throws(StudioRefusal) {
        let asked = request.side ?? .right
        let setting = try await side(asked, request).measured
        let seed = request.seed ?? setting.seeds[0]
        let found = try await onWorker { try setting.empty.explanation(of: seed) }
        guard let found else { return }
        send(.explanation(id: request.id, side: asked, text: found))
    }

    /// Does one thing on the threads for runs; `nil` if it was given up.
    private func onWorker(
        while isWanted: @escaping @Sendable () -> Bool = { true },
        _ work: @escaping @Sendable () throws -> String?
    ) async throws(StudioRefusal) -> String? {
        let found = Found()
        await board.workers.run(1, while: isWanted) { _ in
            found.result.withLock { $0 = Result { try work() } }
        }
        switch found.result.withLock({ $0 }) {
        case .success(let text): return text
        case .failure(let error): throw StudioRefusal("\(error)")
        case nil: return nil
        }
    }

    private final class Found: Sendable {
        let result = Mutex<Result<String?, any Error>?>(nil)
    }

    private func save(_ request: StudioRequest) async throws(StudioRefusal) {
        let name = request.file ?? ""
        let place = try SavedSetting.place(of: name, beside: board.subject.file)
        let settings = await settings(request.side == .left ? request.left : request.right)
        let saved = try await board.saved(request.form ?? .preset, settings, as: place)
        guard try saved.write(replaces: request.replaces ?? false) else {
            let sentences = "\(name) is there already; it is written over only if you say so"
            return send(.refused(id: request.id, sentences: sentences, asks: true))
        }
        send(.saved(file: name))
    }
}
