import Evidence
import Models
import SansIO
import Scenarios
import Simulation

extension World {
    /// Schedules what sessions begin with.
    mutating func startSessions() {
        for occurrence in occurrences.indices {
            schedule(
                .chance(occurrence: UInt32(occurrence)),
                at: occurrences[occurrence].instant
            )
        }
        for phone in phones {
            if let opens = phone.plan.opens {
                let instant = Instant.zero.advanced(by: opens)
                schedule(.opens(phone: UInt16(phone.place)), of: phone, at: instant)
            }
            for radio in phone.radios.indices { scheduleOutage(of: phone, radio, after: .zero) }
        }
        armSiteWake(at: .zero)
    }

    /// The switch from sessions' deliveries to components.
    mutating func deliverSession(_ delivery: Delivery, at now: Instant) {
        switch delivery {
        case .packet(let slot): receivePacket(slot, at: now)
        case .phoneWake(let phone): wakePhone(Int(phone), at: now)
        case .siteWake: wakeSite(at: now)
        case .voiceFrame(let phone): sendFrame(of: Int(phone), at: now)
        case .agentFrame(let agent): sendAgentFrame(of: Int(agent), at: now)
        case .chance(let occurrence): act(occurrences[Int(occurrence)].action, at: now)
        case .opens(let phone): act(.user(phone: phones[Int(phone)].plan.name, .openApp), at: now)
        case .launched(let phone, let launch): finishLaunch(Int(phone), launch, at: now)
        case .agentWake(let agent): wakeAgent(Int(agent), at: now)
        case .agentArrives(let agent): seatAgent(Int(agent), at: now)
        case .agentHears(let phone): reviewHearing(of: phones[Int(phone)], at: now)
        case .apiAnswer(let slot): answerRequest(slot, at: now)
        case .unblock(let phone, let fault): unblock(Int(phone), fault, at: now)
        case .roomsBack: bringRoomsBack(at: now)
        case .apiBack: bringAPIBack(at: now)
        case .radioOutage(let phone, let radio): beginOutage(of: Int(phone), Int(radio), at: now)
        case .microphone, .speaker, .wake, .datagram, .speech, .timeline, .restore:
            preconditionFailure("a delivery of the intercom's came to the sessions")
        }
        settleAgents(at: now)
    }

    /// For messages about a livelock.
    func sessionName(of delivery: Delivery) -> String {
        switch delivery {
        case .phoneWake(let phone), .voiceFrame(let phone), .launched(let phone, _),
            .opens(let phone), .agentHears(let phone), .unblock(let phone, _),
            .radioOutage(let phone, _):
            phones[Int(phone)].plan.name
        case .packet(let slot):
            switch packets.destination(of: slot) {
            case nil, ServerSite.roomsHost: "rooms"
            case ServerSite.apiHost: "api"
            case let host?: phones[Int(host)].plan.name
            }
        case .agentFrame, .agentArrives, .agentWake: "agents"
        case .apiAnswer, .apiBack: "api"
        case .chance(let occurrence): "random fault \(occurrence + 1)"
        default: "rooms"
        }
    }

    /// A person at a phone with a session begins or ends a talk spurt.
    mutating func speak(at phone: SessionPhone, begins: Bool, _ now: Instant) {
        phone.voice.speakers += begins ? 1 : -1
        guard plan.media == .reachability, let radio = phone.radios.first else { return }
        let delay = directions[radio.forward].link.direction.delay
        schedule(
            .agentHears(phone: UInt16(phone.place)),
            of: phone,
            at: now.advanced(by: delay)
        )
    }

    /// Schedules the next outage that a radio has by itself.
    private mutating func scheduleOutage(
        of phone: SessionPhone,
        _ radio: Int,
        after end: Instant
    ) {
        guard let outage = phone.outages[radio]?.next(after: end) else { return }
        phone.nextOutage[radio] = outage
        schedule(
            .radioOutage(phone: UInt16(phone.place), radio: UInt8(radio)),
            of: phone,
            at: outage.lowerBound
        )
    }

    /// A radio's own outage: packets vanish, and nobody says so.
    private mutating func beginOutage(of place: Int, _ radio: Int, at now: Instant) {
        let phone = phones[place]
        guard let outage = phone.nextOutage[radio] else { return }
        let name = linkNames[phone.radios[radio].forward / 2]
        let length = now.duration(to: outage.upperBound)
        act(.disrupt(link: name, .stopped, lasting: length), at: now)
        scheduleOutage(of: phone, radio, after: outage.upperBound)
    }
}
