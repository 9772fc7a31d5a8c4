import KodamaEvidence
import SansIO

// What is known of calls when the run is over.

extension CallMeter {
    /// The run is over: measures what only then is known.
    mutating func end(at now: Int64) {
        for number in calls.keys.sorted() {
            guard var story = calls[number] else { continue }
            for side in story.sides {
                guard let began = side.rings, now - began >= Self.flash else { continue }
                count(ringSince: began, of: number, at: side.app)
                conduct.rings(side.app, from: began, to: now)
            }
            story = calls[number] ?? story
            story.finish(at: now)
            for side in story.sides { finish(side, of: story, at: now) }
            if let time = story.endTime(until: now), let ended = story.userEnd {
                let span = Span(start: ended.instant, end: ended.instant + time)
                measures.end.add(time, at: Occurrence(span, of: ended.app))
            }
            finishPush(of: story, at: now)
            finishWait(of: story, at: now)
            finishVoice(of: story, at: now)
            finishAlone(of: story)
            finishUnheard(of: story)
            finishNotices(of: story, at: now)
            finishNeedlessNotices(of: story, at: now)
        }
        calls = [:]
        finishConduct(at: now)
        for attempt in microphones.judged(at: now) {
            let span = Span(start: attempt.since, end: attempt.since)
            let occurrence = Occurrence(span, of: attempt.app)
            measures.unexplained.add(attempt.isExplained ? 0 : 1, at: occurrence)
        }
    }

    private mutating func finishConduct(at now: Int64) {
        conduct.close(at: now)
        for span in conduct.breaches {
            measures.conduct.add(1, samples: 0, at: Occurrence(span, of: .none))
        }
        let run = Occurrence(Span(start: 0, end: now), of: .none)
        measures.conduct.add(0, samples: conduct.voices, at: run)
    }

    private mutating func finish(_ side: CallStory.Side, of story: CallStory, at now: Int64) {
        if let began = side.rings {
            addGhost(from: began, to: now, settled: story.settled, at: side.app)
        }
        guard story.placed != nil, let accepted = side.accepted, accepted.isReachable,
            !accepted.isSignedOut, !side.isSilenced, !side.isThrownOut
        else { return }
        let span = Span(start: accepted.instant, end: max(accepted.instant, story.settled ?? now))
        let passed = reachability.time(of: side.app, from: span.start, to: span.end)
        let isUnrung = side.ringCount == 0 && passed >= 15 * Self.second
        measures.unrung.add(isUnrung ? 1 : 0, at: Occurrence(span, of: side.app))
    }

    private mutating func finishPush(of story: CallStory, at now: Int64) {
        guard let placed = story.placed else { return }
        let isPushed = story.sides.contains { $0.accepted != nil }
        guard isPushed || (story.settled ?? now) - placed >= 15 * Self.second else { return }
        let span = Span(start: placed, end: story.settled ?? now)
        measures.unpushed.add(isPushed ? 0 : 1, at: Occurrence(span, of: story.caller ?? .none))
    }

    private mutating func finishWait(of story: CallStory, at now: Int64) {
        guard let dialled = story.dialled, let caller = story.caller,
            let side = story.side(caller)
        else { return }
        let done = [side.connected, side.ended].compactMap { $0 }.min() ?? now
        let wait = Occurrence(Span(start: dialled, end: done), of: caller)
        measures.wait.add(max(0, done - dialled), at: wait)
    }

    private mutating func finishVoice(of story: CallStory, at now: Int64) {
        let answered = story.sides.compactMap(\.answered).min()
        let heard = story.sides.compactMap(\.firstHeard)
        if let answered, heard.count >= 2, let last = heard.max() {
            let wait = Occurrence(Span(start: answered, end: max(answered, last)), of: .none)
            measures.answer.add(max(0, last - answered), at: wait)
        }
        guard story.wasConnected else { return }
        let call = story.conversation(until: now)
        measures.oneWay.add(story.longestOneWay, at: call)
        let isOneWay = story.longestBroken >= 5 * Self.second
        measures.oneWayCalls.add(isOneWay ? 1 : 0, at: call)
        measures.heard.add(story.heardBothWays, at: call)
        let audible = story.sides.filter { $0.connected != nil }.map {
            timeReachable(of: $0.app, in: call.span, without: story.timesHushed)
        }
        let isSilent = heard.isEmpty && audible.min() ?? 0 >= 5 * Self.second
        measures.silent.add(isSilent ? 1 : 0, at: call)
    }

    /// How much of a time voice could pass to an app, without other times.
    private func timeReachable(
        of app: ComponentIndex,
        in span: Span,
        without others: [Span]
    ) -> Int64 {
        let reach = voiceReach.reachability
        return others.map { $0.intersection(span) }.reduce(
            reach.time(of: app, from: span.start, to: span.end)
        ) { $0 - reach.time(of: app, from: $1.start, to: $1.end) }
    }

    private mutating func finishAlone(of story: CallStory) {
        guard let first = story.sides.first(where: { $0.connected != nil }),
            let began = first.connected
        else { return }
        var longest: Int64 = 0
        var occurrence = Occurrence(Span(start: began, end: began), of: first.app)
        for (app, span) in story.timesAlone {
            let time = reachability.time(of: app, from: span.start, to: span.end)
            guard time > longest else { continue }
            longest = time
            occurrence = Occurrence(span, of: app)
        }
        measures.alone.add(longest, at: occurrence)
    }

    private mutating func finishUnheard(of story: CallStory) {
        for side in story.sides {
            guard let began = side.connected else { continue }
            let span = side.longestUnheard ?? Span(start: began, end: began)
            measures.unheard.add(span.end - span.start, at: Occurrence(span, of: side.app))
        }
    }

    private mutating func finishNotices(of story: CallStory, at now: Int64) {
        let grace = 60 * Self.second
        guard let over = story.over, over <= now - grace, story.ending?.isMissed == true,
            story.taken == nil, story.decline == nil
        else { return }
        let callees = story.sides.filter {
            $0.accepted != nil && !conduct.hasBeenSignedOut($0.app, since: over)
        }
        let isReachable = callees.contains {
            reachability.time(of: $0.app, from: now - grace, to: now) == grace
        }
        guard isReachable else { return }
        let isNoticed = callees.contains { $0.noticeCount > 0 }
        let span = Span(start: over, end: now)
        measures.unnoticed.add(isNoticed ? 0 : 1, at: Occurrence(span, of: callees[0].app))
    }

    private mutating func finishNeedlessNotices(of story: CallStory, at now: Int64) {
        guard let settled = story.settled,
            story.taken != nil || story.ending?.isMissed == false
        else { return }
        let noticed = story.sides.first { $0.noticeCount > 0 }
        let span = Span(start: settled, end: now)
        let call = Occurrence(span, of: noticed?.app ?? story.caller ?? .none)
        measures.needlessNotices.add(noticed == nil ? 0 : 1, at: call)
    }
}
