import KodamaEvidence

/// A phone's finished story as metrics and invariants read it.
struct SessionReading: Sendable {
    /// The phone.
    let phone: ComponentIndex
    let entries: [SessionStory.Entry]
    /// When the user wants the conversation.
    let wishes: UserWishes
    /// When two-way audio is absent, the phone's side only while its microphone is not muted.
    let silence: Spans
    /// When neither ear hears anything of the other side, whatever the reason.
    let deadAir: Spans
    /// When the agent's ear, and the phone's, heard voice captured then.
    let heard: (fromPhone: Spans, toPhone: Spans)
    /// Shorter lacks of either side's voice that no loss is made of.
    let clicks: [Span]
    /// What was captured then of the agent's voice never came to the phone.
    let missing: Spans
    /// How both sides sounded, and what was captured of each and never heard.
    let sound: (pair: SoundPair, lacks: (fromPhone: Spans, toPhone: Spans))
    /// When the status promises a live conversation.
    let promised: Spans
    /// When no agent served the phone any more, and none was heard.
    let abandoned: Spans
    /// When the room server was full or took no new rooms.
    let serverShut: Spans
    /// The times without two-way audio that count, in order.
    let absences: [Absence]
    /// What the session was busy with.
    let activity: ReconnectActivity
    /// Whether there was two-way audio at any time when the conversation was wanted.
    let hasTalked: Bool
    /// When the run ended.
    let end: Int64

    /// Reads a story whose lines were ended, as the run was, at `end`.
    init(_ story: SessionStory, end: Int64) {
        let wishes = UserWishes(story.entries, ownCalls: story.ownCalls, end: end)
        let run = Span(start: Span.past, end: end)
        let (mine, theirs) = (story.fromPhone.silence(), story.toPhone.silence())
        let unspoken = mine.intersection(theirs)
        let awaited = AwaitedUser(story.entries, heard: unspoken.complement(in: run), end: end)
        let unheard = story.fromPhone.silence(except: wishes.muted).union(theirs)
        let silence = unheard.subtracting(Self.underWay(in: wishes, unheard))
        let excuses = Absence.Excuses(
            outages: Self.outages(story.entries),
            unserved: Self.unserved(story),
            refused: Self.refused(story),
            awaited: awaited.spans,
            unread: Self.unread(story).union(Self.unstarted(story)),
            unattended: Self.unattended(story, end: end),
            stranded: Self.stranded(story),
            delay: max(story.fromPhone.limit, story.toPhone.limit)
        )
        phone = story.phone
        entries = story.entries
        activity = ReconnectActivity(story.entries)
        deadAir = story.fromPhone.quiet.intersection(story.toPhone.quiet)
        heard = (mine.complement(in: run), theirs.complement(in: run))
        abandoned = Self.withoutAgent(story.entries, end: end).subtracting(heard.toPhone)
        serverShut = story.serverShut
        clicks = story.fromPhone.clicks + story.toPhone.clicks
        missing = Spans(story.toPhone.gaps.map(\.missing))
        sound = (story.sound, (story.fromPhone.lacks, story.toPhone.lacks))
        promised = Self.promised(story.entries, end: end)
        absences = wishes.wishes.flatMap { wish in
            Absence.all(in: wish, silence: silence, excuses, runEnd: end)
        }
        hasTalked = wishes.wishes.contains { !silence.complement(in: $0.span).all.isEmpty }
        self.wishes = wishes
        self.silence = silence
        self.end = end
    }

    /// Where both sides are heard in a wanted conversation, the path carries all that it should, and the
    /// app's last status does not say so.
    ///
    /// While signalling is lost the status says so, whatever is heard (D-06).
    var falseLosses: Spans {
        guard let first = entries.first(where: { $0.kind == StatusShown.kind }) else {
            return Spans()
        }
        return heard.fromPhone.intersection(heard.toPhone).intersection(wishes.wanted)
            .intersection(Span(start: first.instant, end: end)).subtracting(promised)
            .subtracting(Self.outages(entries))
    }

    /// The times of `silence` in which the conversation is wanted while the status promises it.
    var falsePromises: Spans {
        promised.intersection(silence).intersection(wishes.wanted)
    }

    /// What lasted for so long at the phone, with the record that brought it about.
    func occurrence(_ span: Span) -> Occurrence {
        Occurrence(span, of: phone, cause(of: span))
    }

    /// The instant at which a wish begins.
    func start(of wish: UserWishes.Wish) -> Occurrence {
        Occurrence(Span(start: wish.span.start, end: wish.span.start), of: phone)
    }

    /// The record that shows why two-way audio was absent for so long: the loss of the path, else what
    /// first went wrong from a second before on.
    private func cause(of span: Span) -> TraceRecord? {
        let near = entries[entries.firstIndex(from: span.start - AudioLine.delayMax)...]
            .prefix { $0.instant <= span.end }
        let lost = near.first { $0.kind == PathLost.kind }
        return (lost ?? near.first { Self.causes.contains($0.kind) })?.record
    }

    /// What takes a conversation away besides the loss of the path.
    private static let causes = [
        FaultBegan.kind, LossDetected.kind, RoomDisconnected.kind, AgentClosed.kind,
        AppTerminated.kind,
    ]

    /// The times in which the status promises a conversation that is wanted, and nobody is there to talk to.
    var ghostTalks: Spans {
        promised.intersection(abandoned).intersection(wishes.wanted)
    }

    /// When the status promises a conversation that is wanted, by a room object that says that it is
    /// connected and lacks `lack`.
    func unfounded(_ lack: RoomLack) -> Spans {
        var spans: [Span] = []
        var since: Int64?
        for entry in entries where entry.kind == RoomLacking.kind {
            let record = RoomLacking(entry.record)
            guard record.lack.value == lack else { continue }
            if record.isLacking.isSet {
                since = since ?? entry.instant
            } else if let start = since {
                spans.append(Span(start: start, end: entry.instant))
                since = nil
            }
        }
        if let start = since { spans.append(Span(start: start, end: end)) }
        return Spans(spans).intersection(promised).intersection(wishes.wanted)
    }

    /// The latest entry not after `instant`, else the first one.
    func entry(at instant: Int64) -> SessionStory.Entry? {
        entries.last { $0.instant <= instant } ?? entries.first
    }

    /// What a wish's end left unheard on its way: too little sound for a loss.
    private static func underWay(in wishes: UserWishes, _ silence: Spans) -> Spans {
        Spans(
            wishes.wishes.compactMap { wish in
                let last = silence.intersection(wish.span).all.last
                guard let last, last.end == wish.span.end, last.start > wish.span.start,
                    last.length < AudioLine.missingMin
                else { return nil }
                return last
            }
        )
    }

    private static func outages(_ entries: [SessionStory.Entry]) -> Spans {
        var outages: [Span] = []
        var lost: Int64?
        for entry in entries {
            switch entry.kind {
            case PathLost.kind:
                lost = lost ?? entry.instant
            case PathUsable.kind:
                if let start = lost { outages.append(Span(start: start, end: entry.instant)) }
                lost = nil
            default:
                break
            }
        }
        if let start = lost { outages.append(Span(start: start, end: Span.future)) }
        return Spans(outages)
    }

    /// From an agent's close on until another one has joined.
    private static func withoutAgent(_ entries: [SessionStory.Entry], end: Int64) -> Spans {
        var absent: [Span] = []
        var present = 0
        var since: Int64?
        for entry in entries {
            switch entry.kind {
            case AgentJoined.kind:
                present += 1
                if let start = since { absent.append(Span(start: start, end: entry.instant)) }
                since = nil
            case AgentClosed.kind:
                present = max(0, present - 1)
                if present == 0 { since = since ?? entry.instant }
            default:
                break
            }
        }
        if let start = since { absent.append(Span(start: start, end: end)) }
        return Spans(absent)
    }

    private static func promised(_ entries: [SessionStory.Entry], end: Int64) -> Spans {
        var promised: [Span] = []
        var since: Int64?
        for entry in entries {
            switch entry.kind {
            case StatusShown.kind where StatusShown(entry.record).promisesConversation:
                since = since ?? entry.instant
            case StatusShown.kind, AppTerminated.kind:
                if let start = since { promised.append(Span(start: start, end: entry.instant)) }
                since = nil
            default:
                break
            }
        }
        if let start = since { promised.append(Span(start: start, end: end)) }
        return Spans(promised)
    }
}

extension [SessionStory.Entry] {
    /// The first entry, which are in order, from an instant on; the end if there is none.
    fileprivate func firstIndex(from instant: Int64) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle].instant < instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
