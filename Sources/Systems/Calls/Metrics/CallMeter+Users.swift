import KodamaEvidence
import SansIO

// What users do to their phones and to calls.

extension CallMeter {
    mutating func act(_ record: TraceRecord) {
        guard record.kind == UserActed.kind else { return follow(speech: record) }
        switch UserActed(record).action {
        case .dial:
            dialled[record.component] = record.instant.nanoseconds
            for app in owners.components(of: record.component) {
                microphones.begin(app, at: record.instant.nanoseconds)
            }
        case .endCall, .endAndAnswerCall: hungUp[record.component] = record.instant.nanoseconds
        case .killApp:
            for app in appsMeant(by: record) { thrownOut[app] = record.instant.nanoseconds }
        case .phoneCallBegins:
            for app in owners.components(of: record.component) {
                conduct.silences(app, at: record.instant.nanoseconds)
            }
        case .phoneCallEnds, .phoneCallHungUp: return endPhoneCall(record)
        case .muteCall, .unmuteCall, .holdCall, .unholdCall: hush(record)
        case .allowInFocus, .silenceInFocus:
            let isAllowed = UserActed(record).action == .allowInFocus
            manners.allow(appsMeant(by: record), isAllowed)
        case .logOutOfCalls:
            hungUp[record.component] = record.instant.nanoseconds
            for app in owners.components(of: record.component) {
                conduct.signsOut(app, at: record.instant.nanoseconds)
            }
        case .signInToCalls:
            for app in owners.components(of: record.component) {
                conduct.signsIn(app, at: record.instant.nanoseconds)
            }
        default: return
        }
        reviewVoices(of: owners.phone(of: record.component), at: record.instant.nanoseconds)
    }

    /// The user mutes a call or puts it on hold, or takes that back; a call that the server does not have yet is known
    /// once it has.
    private mutating func hush(_ record: TraceRecord) {
        let (phone, now) = (record.component, record.instant.nanoseconds)
        let talk = conversation(on: phone)
        let isUnplaced = talk == nil && dialled[phone] != nil
        switch UserActed(record).action {
        case .muteCall:
            if isUnplaced { mutedUnplaced.insert(phone) }
            if let talk { conduct.mutes(talk.app, talk.call, at: now) }
        case .unmuteCall:
            mutedUnplaced.remove(phone)
            if let talk { conduct.unmutes(talk.app, talk.call, at: now) }
        case .holdCall:
            if isUnplaced { heldUnplaced.insert(phone) }
            if let talk { manners.hold(talk.call, at: talk.app) }
        default:
            heldUnplaced.remove(phone)
            takeBack(on: phone)
        }
    }

    /// The call of a phone that the server does not have yet is over; what its user did to it goes with it.
    mutating func forgetUnplaced(on phone: ComponentIndex) {
        heldUnplaced.remove(phone)
        mutedUnplaced.remove(phone)
    }

    /// The user of a phone is in a phone call no more, or has put it on hold.
    mutating func endPhoneCall(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        for app in owners.components(of: record.component) { conduct.unsilences(app, at: now) }
        reviewVoices(of: owners.phone(of: record.component), at: now)
    }

    /// The apps that a user does something to: one, or all of the phone.
    private func appsMeant(by record: TraceRecord) -> [ComponentIndex] {
        record.subject == .none ? owners.components(of: record.component) : [record.subject]
    }
}
