import AppCoordination
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaSimulation
import KodamaWorld
import SansIO
import WakeFlow

/// Whether the agent and the user would hear each other now, and how long that would take.
struct AgentVoice: Equatable {
    /// From the agent's mouth to the ear; `nil` if it is not heard.
    var down: Duration?
    /// From the user's mouth to the agent; `nil` if they are not heard.
    var up: Duration?

    var isThere: Bool { down != nil && up != nil }
}

// Whether voice flows follows from the room object, the room server and the links, as for sessions by
// reachability; and what the agent says of a guide's line by it.

extension CoachApp {
    func touchPath(on stage: inout Stage) { touchFlows(on: &stage) }

    func touchFlows(on stage: inout Stage) {
        guard plan.isOnline || mirroring != nil else { return }
        stage.touch(self)
    }

    func review(on stage: inout Stage) {
        reviewPath(on: &stage)
        reviewMirroring(on: &stage)
        let before = agentVoice.isThere
        agentVoice = flows(on: stage)
        startStream(on: &stage)
        guard agentVoice.isThere != before else { return }
        if agentVoice.isThere { online.wasThere = true }
        noteVoice(on: &stage)
        agentIntervenes(on: &stage)
        // An agent whose line was asked for and not heard to its end says it again.
        if agentVoice.isThere, talk.isAgents, talk.line != nil { askForLine(on: &stage) }
    }

    private func noteVoice(on stage: inout Stage) {
        let form = AgentVoiceChanged(
            isThere: TraceFlag(agentVoice.isThere),
            isAwaited: TraceFlag(isTalking && talk.line != nil)
        )
        note(form, on: &stage)
    }

    /// The latest room object of the process that runs.
    var currentRoom: RoomObject? {
        guard phase == .running, let room = roomObjects.last, room.launch == launchCount else {
            return nil
        }
        return room
    }

    private func flows(on stage: borrowing Stage) -> AgentVoice {
        guard let room = currentRoom, soundIsOn else { return AgentVoice() }
        guard let route = room.mediaRoute, let name = rooms.room(hearing: route),
            let agent = session.agents.agent(in: name), agent.hasJoined
        else {
            room.noteVoice(isSpeaking: true, comingInBy: nil, at: stage.now)
            return AgentVoice()
        }
        let up = latency(of: route, up: true, on: stage)
        let back = rooms.agentRoute(in: name, to: room)
        var down: Duration?
        // Frames that are made are counted as they come.
        let carriesFrames = session.agents.mode != .reachability
        if let back { down = latency(of: back, up: false, on: stage) }
        let counted = down == nil || carriesFrames ? nil : back
        room.noteVoice(isSpeaking: true, comingInBy: counted, at: stage.now)
        guard room.isPlaying else { return AgentVoice(down: nil, up: up) }
        return AgentVoice(down: down.map { $0 + sdk.playoutDelay }, up: up)
    }

    /// How long voice is under way between the phone and the room server, if it passes.
    private func latency(of route: MediaRoute, up: Bool, on stage: borrowing Stage) -> Duration? {
        let address = up ? route.source.address : route.destination.address
        let way: LinkWays = up ? .forward : .backward
        return phone.delay(of: route.trafficClass, by: address, way, on: stage)
            .map { .nanoseconds($0) }
    }

    /// How many packets of voice the present room object has received.
    func agentPackets(on stage: borrowing Stage) -> Int64 {
        currentRoom?.packetsReceived(at: stage.now) ?? 0
    }

    // MARK: The agent's lines

    /// The agent is to say a line.
    func askAgent(_ line: ScriptLine, on stage: inout Stage) {
        fallSilent(isBrokenOff: true, on: &stage)
        endLineSound(on: &stage)
        talk.line = line
        talk.asked = nil
        talk.isAgents = true
        if agentVoice.isThere {
            askForLine(on: &stage)
        } else if online.wasThere {
            noteVoice(on: &stage)
        }
    }

    /// The order goes up, is spoken and comes down.
    private func askForLine(on stage: inout Stage) {
        guard let up = agentVoice.up, let down = agentVoice.down else { return }
        talk.lineCount &+= 1
        var draws = RandomStream(seed: seed, purpose: "coach.agent", entity: name)
        draws.index = UInt64(person.mornings) << 32 | UInt64(talk.lineCount)
        let speech = draws.latency(plan.bedroom.agentStart)
        guard sound == nil else {
            return schedule(.agentSpeaks, talk.lineCount, after: up + speech, on: &stage)
        }
        schedule(.lineBegins, talk.lineCount, after: up + speech + down, on: &stage)
    }

    /// The user says something to the agent, which hears it or does not; the app learns of it by the transcript.
    func sayToAgent(_ text: String, on stage: inout Stage) {
        guard let up = agentVoice.up, let down = agentVoice.down else { return }
        talk.said = text
        guard sound == nil else { return speakToAgent(text, up, on: &stage) }
        let wait = up + plan.bedroom.transcript + down
        schedule(.agentHears, talk.lineCount, after: wait, on: &stage)
    }

    /// The transcript reaches the phone, if voice has not gone meanwhile.
    func agentHears(_ number: UInt32, on stage: inout Stage) {
        guard number == talk.lineCount, let text = talk.said, agentVoice.isThere else { return }
        talk.said = nil
        tell(.heard(text, byPhone: false), on: &stage)
    }
}
