import KodamaEvidence
import SansIO

/// One call as the records tell it.
struct CallStory {
    /// What one phone did about it.
    struct Side {
        let app: ComponentIndex
        var accepted: Acceptance?
        /// Rings that were more than a flash, and are over.
        var ringCount = 0
        /// When the call screen that is shown came up.
        var rings: Int64?
        /// When the latest one went.
        var rangUntil: Int64?
        var answered: Int64?
        var connected: Int64?
        var ended: Int64?
        /// When its process ended and took it out of the call, of which it can say nothing.
        var gone: Int64?
        /// Whether the other's voice is heard here, and when it first was.
        var hears = false
        var firstHeard: Int64?
        /// Since when its app has been in the call with nobody heard, and the longest such time.
        var unheardSince: Int64?
        var longestUnheard: Span?
        /// All such times together, and whether one lasted when the run was over.
        private(set) var unheardTime: Int64 = 0
        private(set) var isUnheardAtEnd = false
        var noticeCount = 0
        /// Whether a push for it came while Do Not Disturb kept it from ringing.
        var isSilenced = false
        /// When the first push for it reached the phone.
        var pushedAt: Int64?
        /// Whether the user threw the app out while it rang, or as it was about to.
        var isThrownOut = false

        /// Whether the push service gave a push for it up after the call was over.
        var isDropped = false
        /// Whether a message had said that it was over, before it could ring.
        var isToldOver = false

        /// Why it may stay silent although a push for it was accepted; `nil` if it has to ring.
        var silence: String? {
            guard let accepted else { return "no push was accepted" }
            if accepted.isSignedOut { return "the user had logged out" }
            if accepted.isBusy { return "two calls already" }
            if isSilenced { return "Do Not Disturb" }
            if isThrownOut { return "the user threw the app out" }
            if accepted.isForgotten { return "another token had taken its place while no app ran" }
            if isToldOver, ringCount == 0 { return "a message had said that the call was over" }
            if !accepted.isReachable { return "no path when the push was accepted" }
            let isLate = isDropped && pushedAt == nil
            return isLate ? "the phone was back at the push service after the call" : nil
        }

        /// The time in which its app said that the call is connected; `nil` if it never did.
        func timeConnected(until end: Int64) -> Span? {
            connected.map { Span(start: $0, end: max($0, ended ?? end)) }
        }

        /// When the phone was done with it: its app said so, or it rang no more, unanswered.
        var doneAt: Int64? {
            guard rings == nil else { return nil }
            return ended ?? (answered == nil ? rangUntil : nil)
        }

        /// Whether its process has taken it out of the call by an instant.
        func isGone(by instant: Int64) -> Bool { gone.map { $0 <= instant } ?? false }

        /// Something has changed, or the run is over.
        fileprivate mutating func reviewHearing(at instant: Int64, isOver: Bool = false) {
            let isUnheard = connected != nil && ended == nil && !hears && !isOver
            guard isUnheard == (unheardSince == nil) else { return }
            if let since = unheardSince {
                unheardTime += instant - since
                isUnheardAtEnd = isOver
                if instant - since > longestUnheard?.length ?? 0 {
                    longestUnheard = Span(start: since, end: instant)
                }
            }
            unheardSince = isUnheard ? instant : nil
        }
    }

    /// The first push for it that the push service accepted, of those that could reach the app.
    struct Acceptance {
        let instant: Int64
        let state: AppState?
        let isReachable: Bool
        /// Whether nobody was signed in to the app.
        let isSignedOut: Bool
        /// Whether the phone had two calls, and could ring for no third.
        let isBusy: Bool
        /// Whether the push service knew the app by another token by then, of which no process had been told.
        let isForgotten: Bool
    }

    /// A user's end of it.
    struct UserEnd {
        let instant: Int64
        /// The app with which.
        let app: ComponentIndex
    }

    /// Since when the server knows it.
    var placed: Int64?
    var dialled: Int64?
    /// When the server knew an answer, and the end.
    var taken: Int64?
    var over: Int64?
    var ending: CallEnding?
    /// When a user declined it, and when one hung up.
    var decline: UserEnd?
    var hangUp: UserEnd?
    /// The app that called.
    var caller: ComponentIndex?
    /// The sides, in the order in which they came.
    private(set) var sides: [Side] = []
    /// Since when voice goes one way only, and the longest such time.
    private var oneWaySince: Int64?
    private(set) var longestOneWay: Int64 = 0
    private(set) var oneWayTime: Int64 = 0
    private(set) var isOneWayAtEnd = false
    /// The same without what excuses it.
    private var brokenSince: Int64?
    private(set) var longestBroken: Int64 = 0
    private(set) var isBrokenAtEnd = false
    /// Since when voice goes both ways, and how long it did before.
    private var bothWaysSince: Int64?
    private(set) var heardBothWays: Int64 = 0
    /// Since when what users did keeps everybody from being heard, and when it did before.
    private var hushedSince: Int64?
    private(set) var timesHushed: [Span] = []
    /// The app that alone is in it, and since when.
    private var lone: (app: ComponentIndex, since: Int64)?
    /// When one app alone was in it, and which.
    private(set) var timesAlone: [(app: ComponentIndex, span: Span)] = []

    /// Changes what is known of one phone.
    mutating func change(_ app: ComponentIndex, _ change: (inout Side) -> Void) {
        let index = sides.firstIndex { $0.app == app } ?? sides.count
        if index == sides.count { sides.append(Side(app: app)) }
        change(&sides[index])
    }

    func side(_ app: ComponentIndex) -> Side? { sides.first { $0.app == app } }

    /// The apps that say that it is connected and going on.
    var inside: [ComponentIndex] {
        sides.filter { $0.connected != nil && $0.ended == nil }.map(\.app)
    }

    /// When a user ended it; a decline that another phone's answer has overtaken ended nothing.
    var userEnd: UserEnd? {
        let isOvertaken = taken.map { $0 < over ?? .max } ?? false
        return [isOvertaken ? nil : decline, hangUp].compactMap(\.self)
            .min { $0.instant < $1.instant }
    }

    /// Whether an app may still have a part in it, or something of it lasts.
    var goesOn: Bool {
        let lasts = [oneWaySince, brokenSince, bothWaysSince, hushedSince, lone?.since]
        return lasts.contains { $0 != nil }
            || sides.contains { side in
                let isIn = side.app == caller || side.answered != nil || side.connected != nil
                return isIn && side.ended == nil || side.unheardSince != nil
            }
    }

    /// Whether an app calls, has answered or is connected, and is not done with it.
    func hasPart(_ app: ComponentIndex) -> Bool {
        guard let side = side(app), side.ended == nil else { return false }
        return app == caller || side.answered != nil || side.connected != nil
    }

    /// When the user of an app called, or answered.
    func takenUp(by app: ComponentIndex) -> Int64? {
        if app == caller { return dialled ?? placed }
        return side(app).flatMap { $0.answered ?? $0.connected }
    }

    /// When the server first knew that nobody else need answer.
    var settled: Int64? { [taken, over].compactMap { $0 }.min() }

    /// Something about voice, connection, path or user has changed.
    ///
    /// - Parameters:
    ///   - instant: When.
    ///   - isHushed: Whether what users did keeps each of the apps in it from being heard.
    ///   - isExcused: Whether a path or a user keeps an app's voice from being heard.
    mutating func reviewVoice(
        at instant: Int64,
        isHushed: ([ComponentIndex]) -> Bool,
        isExcused: (ComponentIndex) -> Bool
    ) {
        let inside = inside
        let hearing = inside.count >= 2 ? sides.count(where: \.hears) : 0
        let isBroken = hearing == 1 && !sides.contains { isExcused($0.app) }
        set(isOneWay: hearing == 1, isBroken: isBroken, isBothWays: hearing >= 2, at: instant)
        for index in sides.indices { sides[index].reviewHearing(at: instant) }
        setHushed(inside.count >= 2 && isHushed(inside), at: instant)
        setLone(inside.count == 1 ? inside[0] : nil, at: instant)
    }

    /// From now on what users did keeps everybody from being heard, or does no more.
    private mutating func setHushed(_ isHushed: Bool, at instant: Int64) {
        guard isHushed == (hushedSince == nil) else { return }
        if let since = hushedSince { timesHushed.append(Span(start: since, end: instant)) }
        hushedSince = isHushed ? instant : nil
    }

    /// From now on that app alone is in it, or none is alone.
    private mutating func setLone(_ latest: ComponentIndex?, at instant: Int64) {
        guard latest != lone?.app else { return }
        if let lone {
            timesAlone.append((app: lone.app, span: Span(start: lone.since, end: instant)))
        }
        lone = latest.map { (app: $0, since: instant) }
    }

    /// The run is over.
    mutating func finish(at instant: Int64) {
        isOneWayAtEnd = oneWaySince != nil
        isBrokenAtEnd = brokenSince != nil
        set(isOneWay: false, isBroken: false, isBothWays: false, at: instant)
        setHushed(false, at: instant)
        setLone(nil, at: instant)
        for index in sides.indices { sides[index].reviewHearing(at: instant, isOver: true) }
    }

    /// From now on voice goes one way, both ways or neither; what goes on counts once, when it ends.
    private mutating func set(
        isOneWay: Bool,
        isBroken: Bool,
        isBothWays: Bool,
        at instant: Int64
    ) {
        if let since = oneWaySince, !isOneWay {
            longestOneWay = max(longestOneWay, instant - since)
            oneWayTime += instant - since
        }
        if let since = brokenSince, !isBroken {
            longestBroken = max(longestBroken, instant - since)
        }
        if let since = bothWaysSince, !isBothWays { heardBothWays += instant - since }
        oneWaySince = isOneWay ? oneWaySince ?? instant : nil
        brokenSince = isBroken ? brokenSince ?? instant : nil
        bothWaysSince = isBothWays ? bothWaysSince ?? instant : nil
    }

    /// How long after the user's end the others were done with it; `nil` if no user ended it, or nobody
    /// else had it.
    ///
    /// An app whose process had ended before has it no more, and cannot say so.
    func endTime(until end: Int64) -> Int64? {
        guard let userEnd else { return nil }
        return others(than: userEnd).map { max(0, ($0.doneAt ?? end) - userEnd.instant) }.max()
    }

    /// Whether all others were done with it before the run was over.
    var isDone: Bool { userEnd.map { others(than: $0).allSatisfy { $0.doneAt != nil } } ?? true }

    private func others(than userEnd: UserEnd) -> [Side] {
        sides.filter { side in
            side.app != userEnd.app && !side.isGone(by: userEnd.instant)
                && (side.app == caller || side.rings != nil || side.ringCount > 0)
        }
    }

    /// Whether both apps ever said that the call is connected.
    var wasConnected: Bool { sides.count { $0.connected != nil } >= 2 }

    /// The time in which both apps said so.
    func conversation(until end: Int64) -> Occurrence {
        let began = sides.compactMap(\.connected).max() ?? end
        let ended = sides.filter { $0.connected != nil }.compactMap(\.ended).min() ?? end
        return Occurrence(Span(start: began, end: max(began, ended)), of: sides[0].app)
    }
}
