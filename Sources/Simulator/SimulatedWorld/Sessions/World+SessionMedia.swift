import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios
import Simulation

// Voice as frames (`media: sized`): one every 20 ms from each phone and each agent while it is
// published, a test tone where nobody speaks.

extension World {
    /// An agent that hears no frame for this long takes the user for silent.
    static let hearingGap = Duration.milliseconds(200)

    /// Begins to make frames of a phone's voice, once.
    mutating func startFrames(of phone: SessionPhone, at now: Instant) {
        guard plan.media == .sized, !phone.voice.isTicking else { return }
        phone.voice.isTicking = true
        schedule(.voiceFrame(phone: UInt16(phone.place)), of: phone, at: now)
    }

    /// A phone's microphone has a frame ready.
    mutating func sendFrame(of place: Int, at now: Instant) {
        let phone = phones[place]
        guard phone.app != nil else {
            phone.voice.isTicking = false
            return
        }
        schedule(
            .voiceFrame(phone: UInt16(place)),
            of: phone,
            at: now.advanced(by: SessionVoice.frame)
        )
        guard phone.soundIsOn, let route = phone.currentRoom?.ask({ $0.mediaRoute }) else {
            return
        }
        phone.voice.sequence += 1
        phone.currentRoom?.ask { $0.noteMediaSent() }
        let captured = now.nanoseconds - SessionVoice.frame.wholeNanoseconds - Device.inputLatency
        let frame = MediaFrame(
            track: route.track,
            sequence: phone.voice.sequence,
            captured: Instant(nanoseconds: captured),
            isSpeech: phone.voice.isSpeaking
        )
        let packet = Packet(
            from: route.source,
            to: route.destination,
            wireBytes: SessionVoice.wireBytes,
            .media(frame)
        )
        transmit(packet, from: phone, at: now)
    }

    /// A frame reaches the room server, which hands it to the agent.
    mutating func hear(_ frame: MediaFrame, in packet: Packet, at now: Instant) {
        guard let site,
            case .agent(let room, _) = site.rooms.ask({ $0.receive(media: packet, at: now) }),
            let place = site.agent(in: room), site.agents[place].hasJoined
        else { return }
        armSiteWake(at: now)
        let phone = phones[Int(packet.source.address.host)]
        let values = SIMD4(
            VoiceDirection.up.rawValue,
            frame.captured.nanoseconds,
            now.nanoseconds,
            frame.isSpeech ? 1 : 0
        )
        write(.voiceHeard, phone, values, at: now)
        site.agents[place].hearing.lastFrame = now
        setHearing(frame.isSpeech, ofAgent: place, at: now)
    }

    /// Tells an agent when speech begins or ends.
    mutating func setHearing(_ isSpeech: Bool, ofAgent place: Int, at now: Instant) {
        guard let site, site.agents[place].hearing.isSpeech != isSpeech else { return }
        site.agents[place].hearing.isSpeech = isSpeech
        sendSession(.agent(place, isSpeech ? .speechBegan : .speechEnded), at: now)
        settleAgents(at: now)
    }

    /// Schedules an agent's next frame.
    mutating func scheduleAgentFrame(of place: Int, at now: Instant) {
        guard let site else { return }
        let due = now.advanced(by: SessionVoice.frame)
        queue.push(.agentFrame(agent: UInt32(place)), at: site.ownSource.key(at: due))
    }

    /// An agent has a frame ready: for everybody in its room.
    mutating func sendAgentFrame(of place: Int, at now: Instant) {
        guard let site, !site.agents[place].isClosed else { return }
        scheduleAgentFrame(of: place, at: now)
        let agent = site.agents[place]
        site.agents[place].sequence += 1
        if agent.hearing.isSpeech,
            agent.hearing.lastFrame.duration(to: now) > Self.hearingGap
        {
            setHearing(false, ofAgent: place, at: now)
        }
        for (_, route) in site.rooms.ask({ $0.mediaRoutes(room: agent.room) }) {
            let frame = MediaFrame(
                track: route.track,
                sequence: agent.sequence,
                captured: now.advanced(by: .zero - SessionVoice.frame),
                isSpeech: agent.isAnswering
            )
            let packet = Packet(
                from: route.source,
                to: route.destination,
                wireBytes: SessionVoice.wireBytes,
                .media(frame)
            )
            transmitFromSite(packet, at: now)
        }
    }

    /// A frame of the agent's reaches a phone and is played after the jitter buffer's delay.
    mutating func play(
        _ frame: MediaFrame,
        in packet: Packet,
        at phone: SessionPhone,
        _ now: Instant
    ) {
        guard phone.soundIsOn, let client = phone.currentRoom,
            client.ask({ $0.hears(packet) && $0.isPlaying })
        else { return }
        let heard = now.nanoseconds + playoutNanoseconds(of: phone)
        let values = SIMD4(
            VoiceDirection.down.rawValue,
            frame.captured.nanoseconds,
            heard,
            frame.isSpeech ? 1 : 0
        )
        write(.voiceHeard, phone, values, at: now)
        guard frame.isSpeech, let agent = agent(of: phone) else { return }
        noteAnswerHeard(agent, by: phone, heard: heard, at: now)
    }

    /// What a phone adds between a frame's arrival and the ear.
    func playoutNanoseconds(of phone: SessionPhone) -> Int64 {
        phone.plan.sdk.playoutDelay.wholeNanoseconds + Device.outputLatency
    }

    /// The agent that serves a phone's user now.
    func agent(of phone: SessionPhone) -> Int? {
        site?.agent(ofPhone: phone.place)
    }

    /// The first sample of an answer is heard, once.
    mutating func noteAnswerHeard(
        _ agent: Int,
        by phone: SessionPhone,
        heard: Int64,
        at now: Instant
    ) {
        guard let site else { return }
        let answer = SessionVoice.Answer(agent: agent, turn: site.agents[agent].turn)
        guard site.agents[agent].isAnswering, phone.voice.answerHeard != answer else { return }
        phone.voice.answerHeard = answer
        write(.answerHeard, phone, SIMD4(Int64(answer.turn), heard, 0, 0), at: now)
    }
}
