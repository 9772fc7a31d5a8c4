import KodamaEvidence
import KodamaSession
import SansIO

// Who is heard in which call, and what keeps them from it.

extension CallMeter {
    mutating func measureVoice(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        let call: Int64
        switch record.kind {
        case CallConnected.kind:
            call = CallConnected(record).call
            change(call, record.component) { $0.connected = $0.connected ?? now }
        case CallEnded.kind:
            let ended = CallEnded(record)
            call = ended.call
            // A second call is refused while the first goes on.
            if calls[call]?.placed == nil, ended.reason.value != .busy {
                forgetUnplaced(on: owners.phone(of: record.component))
            }
            // Do Not Disturb may have begun between the push and the app's word of the call.
            let isSilenced = ended.reason.value == .filtered && silencesCalls(of: record.component)
            change(call, record.component) {
                $0.ended = $0.ended ?? now
                if isSilenced { $0.isSilenced = true }
            }
            conduct.ends(record.component, call, at: now)
            // The app ends a call in the instant in which its user does; what rings when they log out
            // rings on elsewhere.
            if hungUp[owners.phone(of: record.component)] == now, calls[call]?.hangUp == nil,
                calls[call]?.side(record.component)?.rings == nil
            {
                calls[call]?.hangUp = CallStory.UserEnd(instant: now, app: record.component)
            }
        case CallVoiceFlowing.kind:
            let flowing = CallVoiceFlowing(record)
            call = flowing.call
            change(call, record.component) {
                $0.hears = true
                $0.firstHeard = $0.firstHeard ?? flowing.heard.nanoseconds
            }
            conduct.flows(from: record.subject, to: record.component, call, at: now)
        case CallVoiceStopped.kind:
            call = CallVoiceStopped(record).call
            change(call, record.component) { $0.hears = false }
            conduct.stops(from: record.subject, to: record.component, call, at: now)
        default: return
        }
        reviewVoice(of: call, at: now)
    }

    /// Looks again at whose voice goes where in a call, and what excuses that it does not.
    ///
    /// What users did keeps everybody from being heard if one of them has a phone call or this call on
    /// hold, or if all have muted it.
    mutating func reviewVoice(of call: Int64, at now: Int64) {
        let (voiceReach, conditions, conduct, manners) = (voiceReach, conditions, conduct, manners)
        calls[call]?.reviewVoice(
            at: now,
            isHushed: { apps in
                apps.contains { conduct.hasPhoneCall($0) || manners.holds(call, at: $0) }
                    || apps.allSatisfy { conduct.isSilent($0, in: call) }
            },
            isExcused: { !voiceReach.reaches($0, conditions) || conduct.isSilent($0, in: call) }
        )
        reviewSound(at: now)
    }

    // MARK: Sound

    /// A record of sound, which is none of another app's.
    ///
    /// - Returns: Whether it was one.
    mutating func measureSound(_ record: TraceRecord) -> Bool {
        switch record.kind {
        case SoundOpened.kind:
            guard !going(at: record.component).isEmpty else { return true }
            sound.open(record.component, record.subject)
            reviewSound(at: record.instant.nanoseconds)
        case VoiceHeard.kind: sound.hear(record)
        case SoundMadeUp.kind: sound.makeUp(record)
        default: return false
        }
        return true
    }

    /// Somebody at a phone begins or ends to speak.
    mutating func follow(speech record: TraceRecord) {
        let isBeginning = record.kind == SpeechBegan.kind
        guard isBeginning || record.kind == SpeechEnded.kind else { return }
        sound.speak(at: record.subject, begins: isBeginning, record.instant.nanoseconds)
    }

    /// Whether each of two apps is in a call with the other, and whether its user is to be heard there.
    private mutating func reviewSound(at now: Int64) {
        guard sound.isOpen else { return }
        let (calls, conduct, manners, going) = (calls, conduct, manners, going)
        sound.review(now) { listener, talker in
            let common = (going[listener] ?? []).filter { call in
                let inside = calls[call]?.inside ?? []
                return inside.contains(listener) && inside.contains(talker)
            }
            let isHeard = common.contains { call in
                !conduct.isSilent(talker, in: call) && !conduct.hasPhoneCall(listener)
                    && !manners.holds(call, at: talker) && !manners.holds(call, at: listener)
            }
            return (!common.isEmpty, isHeard)
        }
    }

    /// Why voice may go one way only has changed, in whatever call of a phone.
    mutating func reviewVoices(of phone: ComponentIndex, at now: Int64) {
        for app in owners.components(of: phone) {
            for call in going(at: app) { reviewVoice(of: call, at: now) }
            forgetOver(at: app, now)
        }
    }

    // MARK: Calls on hold

    /// The call on a phone that its user mutes, or puts on hold: the latest that is not on hold.
    ///
    /// For a phone call all are on hold.
    func conversation(on phone: ComponentIndex) -> (app: ComponentIndex, call: Int64)? {
        conversations(on: phone).last {
            !manners.holds($0.call, at: $0.app) && !conduct.hasPhoneCall($0.app)
        }
    }

    /// The user of a phone takes a call back from hold, and puts one there that goes on.
    mutating func takeBack(on phone: ComponentIndex) {
        let going = conversations(on: phone)
        guard let back = going.last(where: { manners.holds($0.call, at: $0.app) }) else { return }
        for other in going where other.call != back.call { manners.hold(other.call, at: other.app) }
        manners.release(back.call, at: back.app)
    }

    /// A call was begun or answered: the phone puts its others on hold.
    ///
    /// It is on hold itself if another was answered before the server had it.
    mutating func holdOthers(than call: Int64, at app: ComponentIndex, _ now: Int64) {
        guard let story = calls[call], story.hasPart(app) else { return }
        let begun = story.takenUp(by: app) ?? now
        for other in going(at: app)
        where other != call && calls[other]?.hasPart(app) == true {
            let isEarlier = calls[other]?.takenUp(by: app) ?? .min <= begun
            let held = isEarlier ? other : call
            manners.hold(held, at: app)
            reviewVoice(of: held, at: now)
        }
    }

    /// The calls on a phone that go on, in the order of their numbers.
    ///
    /// Who calls is in one before there is an answer, and who has answered before the app says that it is
    /// connected.
    private func conversations(
        on phone: ComponentIndex
    ) -> [(app: ComponentIndex, call: Int64)] {
        var found: [(app: ComponentIndex, call: Int64)] = []
        for app in owners.components(of: phone) {
            for number in going(at: app) where calls[number]?.hasPart(app) == true {
                found.append((app, number))
            }
        }
        return found.sorted { $0.call < $1.call }
    }
}
