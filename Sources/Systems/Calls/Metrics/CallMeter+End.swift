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
            finishEnd(of: story, at: now)
            finishPush(of: story, at: now)
            finishWait(of: story, at: now)
            finishPlace(of: story, at: now)
            finishVoice(of: story, at: now)
            finishAlone(of: story, at: now)
            finishUnheard(of: story, at: now)
            finishNotices(of: story, at: now)
            finishNeedlessNotices(of: story, at: now)
        }
        calls = [:]
        sound.end(at: now, owners)
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
            addGhost(from: began, to: now, settled: story.settled, isOpen: true, at: side.app)
        }
        guard story.placed != nil, let accepted = side.accepted else { return }
        let span = Span(start: accepted.instant, end: max(accepted.instant, story.settled ?? now))
        let occurrence = Occurrence(span, of: side.app)
        if let reason = side.silence {
            measures.unrung.exclude(reason, at: occurrence)
            if side.ringCount == 0 || !accepted.isReachable {
                measures.excludeRing(accepted.state, reason, at: occurrence)
            }
            return
        }
        guard side.ringCount == 0 else { return measures.unrung.add(0, at: occurrence) }
        if let pushed = side.pushedAt, let settled = story.settled, settled - pushed < Self.flash {
            // What it rings until then is a flash.
            let reason = "the push came as the call ended"
            measures.excludeRing(accepted.state, reason, at: occurrence)
            return measures.unrung.exclude(reason, at: occurrence)
        }
        let passed = conditions.time(with: .path, of: side.app, from: span.start, to: span.end)
        measures.censorRing(accepted.state, passed, at: occurrence)
        if passed >= 15 * Self.second {
            measures.unrung.add(1, at: occurrence)
        } else if story.settled == nil {
            measures.unrung.censor(0, at: occurrence)
        } else {
            measures.unrung.exclude("the call went on for less than 15 s", at: occurrence)
        }
    }

    private mutating func finishEnd(of story: CallStory, at now: Int64) {
        guard let ended = story.userEnd else { return }
        guard let time = story.endTime(until: now) else {
            let span = Span(start: ended.instant, end: ended.instant)
            return measures.end.exclude("nobody else had it", at: Occurrence(span, of: ended.app))
        }
        let span = Span(start: ended.instant, end: ended.instant + time)
        let isOpen = !story.isDone
        measures.end.add(time, isOpen: isOpen, at: Occurrence(span, of: ended.app))
    }

    private mutating func finishPush(of story: CallStory, at now: Int64) {
        guard let placed = story.placed else { return }
        let isPushed = story.sides.contains { $0.accepted != nil }
        let span = Span(start: placed, end: story.settled ?? now)
        let occurrence = Occurrence(span, of: story.caller ?? .none)
        if isPushed || span.length >= 15 * Self.second {
            measures.unpushed.add(isPushed ? 0 : 1, at: occurrence)
        } else if story.settled == nil {
            measures.unpushed.censor(0, at: occurrence)
        } else {
            measures.unpushed.exclude("the call went on for less than 15 s", at: occurrence)
        }
    }

    /// A call that rang nowhere: from the tap on, as long as a phone of the callee's could have rung.
    private mutating func finishPlace(of story: CallStory, at now: Int64) {
        guard let dialled = story.dialled, !story.sides.contains(where: { $0.ringCount > 0 }) else {
            return
        }
        let span = Span(start: dialled, end: max(dialled, story.settled ?? now))
        let occurrence = Occurrence(span, of: story.caller ?? .none)
        let pushed = story.sides.filter { $0.accepted != nil }
        guard !pushed.isEmpty else {
            return measures.place.exclude("no push was accepted", at: occurrence)
        }
        guard let reached = pushed.first(where: { $0.silence == nil }) else {
            return measures.place.exclude("no phone could ring", at: occurrence)
        }
        let passed = conditions.time(with: .path, of: reached.app, from: span.start, to: span.end)
        measures.place.censor(passed, at: occurrence)
    }

    private mutating func finishWait(of story: CallStory, at now: Int64) {
        guard let dialled = story.dialled, let caller = story.caller,
            let side = story.side(caller)
        else { return }
        let done = [side.connected, side.ended].compactMap { $0 }.min()
        let wait = Occurrence(Span(start: dialled, end: done ?? now), of: caller)
        measures.wait.add(max(0, (done ?? now) - dialled), isOpen: done == nil, at: wait)
    }

    private mutating func finishVoice(of story: CallStory, at now: Int64) {
        let answered = story.sides.compactMap(\.answered).min()
        let heard = story.sides.compactMap(\.firstHeard)
        if let answered, heard.count >= 2, let last = heard.max() {
            let wait = Occurrence(Span(start: answered, end: max(answered, last)), of: .none)
            measures.answer.add(max(0, last - answered), at: wait)
        } else if let answered {
            finishUnheardAnswer(answered, of: story, at: now)
        }
        guard story.wasConnected else { return }
        let call = story.conversation(until: now)
        measures.oneWay.add(story.longestOneWay, isOpen: story.isOneWayAtEnd, at: call)
        let isOneWay = story.longestBroken >= 5 * Self.second
        if !isOneWay, story.isBrokenAtEnd {
            measures.oneWayCalls.censor(0, at: call)
        } else {
            measures.oneWayCalls.add(isOneWay ? 1 : 0, at: call)
        }
        measures.oneWayShare.add(story.oneWayTime, of: call.span.length, at: call)
        measures.heard.add(story.heardBothWays, at: call)
        let audible = story.sides.filter { $0.connected != nil }.map {
            timeReachable(of: $0.app, in: call.span, without: story.timesHushed)
        }
        let isSilent = heard.isEmpty && audible.min() ?? 0 >= 5 * Self.second
        if heard.isEmpty, !isSilent, story.inside.count >= 2 {
            measures.silent.censor(0, at: call)
        } else if heard.isEmpty, !isSilent {
            measures.silent.exclude("connected for less than 5 s", at: call)
        } else {
            measures.silent.add(isSilent ? 1 : 0, at: call)
        }
    }

    /// A call that was answered, and that ended, or lasts, with voice at one phone or at none.
    private mutating func finishUnheardAnswer(
        _ answered: Int64,
        of story: CallStory,
        at now: Int64
    ) {
        let ended = story.sides.filter { $0.answered != nil || $0.connected != nil }
            .compactMap(\.ended).min()
        let span = Span(start: answered, end: max(answered, min(ended ?? now, story.over ?? now)))
        let wait = Occurrence(span, of: .none)
        let times = story.sides.filter { $0.answered != nil || $0.app == story.caller }.map {
            timeReachable(of: $0.app, in: span, without: story.timesHushed)
        }
        guard let least = times.min(), least > 0 else {
            return measures.answer.exclude("no voice could pass", at: wait)
        }
        measures.answer.censor(least, at: wait)
    }

    /// How much of a time voice could pass to an app, without other times.
    private func timeReachable(
        of app: ComponentIndex,
        in span: Span,
        without others: [Span]
    ) -> Int64 {
        others.map { $0.intersection(span) }
            .reduce(voiceReach.time(of: app, in: span, conditions)) {
                $0 - voiceReach.time(of: app, in: $1, conditions)
            }
    }

    private mutating func finishAlone(of story: CallStory, at now: Int64) {
        guard let first = story.sides.first(where: { $0.connected != nil }),
            let began = first.connected
        else { return }
        var longest: Int64 = 0
        var all: Int64 = 0
        var occurrence = Occurrence(Span(start: began, end: began), of: first.app)
        for (app, span) in story.timesAlone {
            let time = conditions.time(with: .path, of: app, from: span.start, to: span.end)
            all += time
            guard time > longest else { continue }
            longest = time
            occurrence = Occurrence(span, of: app)
        }
        measures.alone.add(longest, isOpen: story.inside.count == 1, at: occurrence)
        let connected = story.sides.compactMap { $0.timeConnected(until: now)?.length }.max() ?? 0
        measures.aloneShare.add(all, of: max(all, connected), at: occurrence)
    }

    private mutating func finishUnheard(of story: CallStory, at now: Int64) {
        for side in story.sides {
            guard let connected = side.timeConnected(until: now) else { continue }
            let span = side.longestUnheard ?? Span(start: connected.start, end: connected.start)
            let occurrence = Occurrence(span, of: side.app)
            measures.unheard.add(span.length, isOpen: side.isUnheardAtEnd, at: occurrence)
            measures.unheardShare.add(side.unheardTime, of: connected.length, at: occurrence)
        }
    }

    private mutating func finishNotices(of story: CallStory, at now: Int64) {
        let grace = 60 * Self.second
        guard let over = story.over, story.ending?.isMissed == true, story.taken == nil,
            story.decline == nil
        else { return }
        let span = Span(start: over, end: now)
        let caller = Occurrence(span, of: story.caller ?? .none)
        guard over <= now - grace else { return measures.unnoticed.censor(0, at: caller) }
        let callees = story.sides.filter {
            $0.accepted != nil && !conduct.hasBeenSignedOut($0.app, since: over)
        }
        let isReachable = callees.contains {
            conditions.time(with: .path, of: $0.app, from: now - grace, to: now) == grace
        }
        guard isReachable else {
            let reason = "no phone of the callee's was reachable for the last 60 s"
            return measures.unnoticed.exclude(reason, at: caller)
        }
        let isNoticed = callees.contains { $0.noticeCount > 0 }
        guard isNoticed || !callees.allSatisfy({ sleeps($0, since: over) }) else {
            let reason = "the push service gave up its pushes, and no app of the callee's ran since"
            return measures.unnoticed.exclude(reason, at: caller)
        }
        measures.unnoticed.add(isNoticed ? 0 : 1, at: Occurrence(span, of: callees[0].app))
    }

    /// Whether no push for a call that was over at an instant came to an app, which has not run since: it was given up,
    /// or its token had been replaced while no app ran to learn of it.
    ///
    /// One that is left right after may have asked for missed calls just before.
    private func sleeps(_ side: CallStory.Side, since over: Int64) -> Bool {
        let seen = seenUntil[side.app] ?? .min
        let isLost = side.isDropped || side.accepted?.isForgotten == true
        return isLost && side.pushedAt == nil && seen <= over + 10 * Self.second
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
