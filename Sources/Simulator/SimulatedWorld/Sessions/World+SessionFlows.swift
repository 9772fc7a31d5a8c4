import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios
import Simulation

// Voice without frames (`media: reachability`): after every change the world asks the room object
// and the room server where a frame would go, and the links whether it would pass.

extension World {
    /// Looks at every phone's voice again.
    mutating func reviewFlows(at now: Instant) {
        guard plan.media == .reachability else { return }
        for phone in phones { reviewFlows(of: phone, at: now) }
    }

    /// Looks at the voice between an agent and its user's phone again: at every phone's, if it does not
    /// know that phone yet.
    mutating func reviewFlows(withAgent place: Int, at now: Instant) {
        guard let phone = site?.agents[place].phone else { return reviewFlows(at: now) }
        reviewFlows(of: phones[phone], at: now)
    }

    /// Looks at a phone's voice again and notes what changed.
    mutating func reviewFlows(of phone: SessionPhone, at now: Instant) {
        guard plan.media == .reachability else { return }
        let incoming = incoming(to: phone, at: now)
        feedStatistics(of: phone, incoming, at: now)
        let up = upLatency(of: phone, at: now)
        if (up != nil) != phone.voice.flowsUp {
            phone.voice.flowsUp = up != nil
            writeFlow(.up, up, of: phone, at: now)
            reviewHearing(of: phone, at: now)
        }
        let down = heardLatency(of: phone, incoming)
        if (down != nil) != phone.voice.flowsDown {
            phone.voice.flowsDown = down != nil
            writeFlow(.down, down, of: phone, at: now)
            if let agent = agent(of: phone) { hearAnswerIfFlowing(from: agent, at: now) }
        }
    }

    private mutating func writeFlow(
        _ direction: VoiceDirection,
        _ latency: Int64?,
        of phone: SessionPhone,
        at now: Instant
    ) {
        // The first frame that passes is ready now; what is not heard any more began one frame ago.
        let captured = now.nanoseconds - SessionVoice.frame.wholeNanoseconds
        if let latency {
            let values = SIMD4(direction.rawValue, captured, now.nanoseconds + latency, 0)
            write(.audioFlowing, phone, values, at: now)
        } else {
            write(.audioStopped, phone, SIMD4(direction.rawValue, captured, 0, 0), at: now)
        }
    }

    /// How long a frame from the phone takes to the agent now; `nil` if it does not get there.
    private func upLatency(of phone: SessionPhone, at now: Instant) -> Int64? {
        guard let site, phone.soundIsOn,
            let route = phone.currentRoom?.ask({ $0.mediaRoute }),
            let radio = radio(of: phone, route.source.address, at: now),
            case .agent(let room, _) = site.rooms.ask({ $0.mediaReceiver(of: route) }),
            let place = site.agent(in: room), site.agents[place].hasJoined
        else { return nil }
        return latency(of: radio.forward, at: now)
    }

    /// Frames of the agent's that reach the phone.
    private struct Incoming {
        let route: MediaRoute
        let latency: Int64
    }

    /// How frames from the agent come to the phone's room object now; `nil` if they do not.
    private func incoming(to phone: SessionPhone, at now: Instant) -> Incoming? {
        guard let site, phone.app != nil, !phone.isSuspended, let client = phone.currentRoom,
            let place = agent(of: phone), site.agents[place].hasJoined
        else { return nil }
        let room = site.agents[place].room
        let routes = site.rooms.ask { $0.mediaRoutes(room: room) }
        guard let route = routes.first(where: { client.ask(hears(by: $0.route)) })?.route,
            let radio = radio(of: phone, route.destination.address, at: now),
            let latency = latency(of: radio.backward, at: now)
        else { return nil }
        return Incoming(route: route, latency: latency)
    }

    /// How long a frame from the agent takes to the ear now; `nil` if it does not get there.
    private func heardLatency(of phone: SessionPhone, _ incoming: Incoming?) -> Int64? {
        guard let incoming, phone.soundIsOn, phone.currentRoom?.ask({ $0.isPlaying }) == true
        else { return nil }
        return incoming.latency + playoutNanoseconds(of: phone)
    }

    /// Lets the room object count the frames that are not made.
    private func feedStatistics(of phone: SessionPhone, _ incoming: Incoming?, at now: Instant) {
        let speaks = phone.soundIsOn
        phone.currentRoom?.ask {
            $0.noteVoice(
                isSending: speaks && $0.mediaRoute != nil,
                comingInBy: incoming?.route,
                at: now
            )
        }
    }

    /// Whether a frame that came by this route could be played.
    private func hears(by route: MediaRoute) -> (inout RoomClient) -> Bool {
        let frame = MediaFrame(track: route.track, sequence: 0, captured: .zero, isSpeech: false)
        let packet = Packet(
            from: route.source,
            to: route.destination,
            wireBytes: SessionVoice.wireBytes,
            .media(frame)
        )
        return { $0.hears(packet) }
    }

    /// The radio of an address, if media passes on it.
    private func radio(
        of phone: SessionPhone,
        _ address: NetworkAddress,
        at now: Instant
    ) -> SessionPhone.Radio? {
        guard phone.addresses.contains(address), let radio = phone.radio(address.interface),
            !phone.isBlocked(radio.interface, .media, at: now)
        else { return nil }
        return radio
    }

    /// The propagation delay of a direction, unless it is stopped.
    private func latency(of direction: Int, at now: Instant) -> Int64? {
        guard !directions[direction].isStopped(at: now) else { return nil }
        return directions[direction].link.direction.delay.wholeNanoseconds
    }

    /// Tells the agent what it hears of a phone's user now.
    mutating func reviewHearing(of phone: SessionPhone, at now: Instant) {
        guard plan.media == .reachability, let agent = agent(of: phone) else { return }
        setHearing(phone.voice.isSpeaking && phone.voice.flowsUp, ofAgent: agent, at: now)
    }

    /// An answer that sounds while voice flows is heard.
    mutating func hearAnswerIfFlowing(from agent: Int, at now: Instant) {
        guard plan.media == .reachability, let site, site.agents[agent].isAnswering,
            let place = site.agents[agent].phone, phones[place].voice.flowsDown,
            let latency = heardLatency(
                of: phones[place],
                incoming(to: phones[place], at: now)
            )
        else { return }
        noteAnswerHeard(agent, by: phones[place], heard: now.nanoseconds + latency, at: now)
    }
}
