package import KodamaEvidence
package import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
package import KodamaWorld
package import SansIO

/// Where voice agents work: called to rooms, one job each.
package final class AgentPool: Component {
    /// What the pool schedules; the argument is the agent's number.
    package enum Word: UInt8 {
        /// An agent wants to be woken.
        case wake
        /// An agent that was called for reaches its room.
        case arrives
        /// An agent has a frame of voice ready.
        case frame
        /// The process that runs the agents is there again.
        case back
        /// Agents are called again to the rooms of an app.
        case calls
    }

    package let name = Deployment.serverNames[1]
    package let index: ComponentIndex
    package let configuration: VoiceAgentConfiguration
    package let mode: VoiceMode
    /// What agents say, where voices are real.
    package var speech: AgentSpeech?
    private unowned var roomService: RoomService?
    /// All that were ever called.
    @exclusivity(unchecked) private var agents: [Agent] = []
    /// The latest agent of each room.
    @exclusivity(unchecked) private var byRoom: [String: Agent] = [:]
    /// Until when no agent can be called.
    @exclusivity(unchecked) private var awayUntil = Instant.zero
    /// The apps to whose rooms none is called, with the end of it, in the order in which that began.
    @exclusivity(unchecked) private var skips: [(app: ComponentIndex, until: Instant)] = []
    @exclusivity(unchecked) private var wakeSource: EventSource
    @exclusivity(unchecked) private var ownSource: EventSource

    package init(_ configuration: VoiceAgentConfiguration, mode: VoiceMode, index: ComponentIndex) {
        self.configuration = configuration
        self.mode = mode
        self.index = index
        wakeSource = EventSource(rank: DeliveryRank.wake, component: Int(index.index))
        ownSource = EventSource(rank: DeliveryRank.server, component: Int(index.index))
    }

    /// The room server whose rooms the agents serve.
    package var rooms: RoomService {
        get {
            guard let roomService else {
                preconditionFailure("a pool of agents is given its room server when it is built")
            }
            return roomService
        }
        set { roomService = newValue }
    }

    package func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        switch word {
        case .wake: agents[Int(argument)].awaken(on: &stage)
        case .arrives: agents[Int(argument)].arrive(on: &stage)
        case .frame: agents[Int(argument)].sendFrame(on: &stage)
        case .back:
            guard stage.now >= awayUntil else { return }
            stage.note(FaultEnded(fault: .agentsAway), of: index)
        case .calls:
            let over = skips.filter { $0.until <= stage.now }
            skips.removeAll { $0.until <= stage.now }
            for skip in over {
                stage.note(FaultEnded(fault: .agentSkips), of: index, about: skip.app)
            }
        }
    }

    package func undergo(_ act: any SystemAct, on stage: inout Stage) {
        guard let act = act as? AgentAct else {
            preconditionFailure("the plan does \(act) to the agents")
        }
        switch act {
        case .leave(let phone):
            let serving = agents.last { !$0.isClosed && $0.app?.phone.name == phone }
            guard let serving else { return }
            let began = FaultBegan(fault: .agentLeft, parameter: 0)
            note(began, of: serving, on: &stage)
            serving.hear(.jobEnded, on: &stage)
        case .restart(let downtime):
            let parameter = downtime.wholeNanoseconds
            stage.note(FaultBegan(fault: .agentsAway, parameter: parameter), of: index)
            for agent in agents where !agent.isClosed {
                note(FaultBegan(fault: .agentLeft, parameter: 0), of: agent, on: &stage)
                agent.hear(.jobEnded, on: &stage)
            }
            let until = stage.now.advanced(by: downtime)
            awayUntil = max(awayUntil, until)
            schedule(.back, 0, at: until, by: &ownSource, on: &stage)
        case .skip(let phone, let lasting):
            guard let app = rooms.app(named: phone)?.index else { return }
            let began = FaultBegan(fault: .agentSkips, parameter: lasting.wholeNanoseconds)
            stage.note(began, of: index, about: app)
            let until = stage.now.advanced(by: lasting)
            skips.append((app, until))
            schedule(.calls, 0, at: until, by: &ownSource, on: &stage)
        }
    }

    package func scheduleWake(of agent: Agent, at instant: Instant, on stage: inout Stage) {
        schedule(.wake, agent.number, at: instant, by: &wakeSource, on: &stage)
    }

    package func schedule(
        _ word: Word,
        of agent: Agent,
        after delay: Duration,
        on stage: inout Stage
    ) {
        let instant = stage.now.advanced(by: delay)
        schedule(word, agent.number, at: instant, by: &ownSource, on: &stage)
    }

    /// Calls an agent to a room that an app makes.
    package func call(to room: String, of app: ComponentIndex?, on stage: inout Stage) {
        guard stage.now >= awayUntil, !skips.contains(where: { $0.app == app }) else { return }
        let seed = stage.draws("agent", of: room).bits(at: 0)
        let machine = VoiceAgent(configuration: configuration, seed: seed)
        let number = UInt32(agents.count)
        let agent = Agent(machine, number: number, room: room, in: self, at: stage.now)
        agents.append(agent)
        byRoom[room] = agent
        schedule(.arrives, of: agent, after: configuration.joinTime, on: &stage)
    }

    /// The agent that serves a room now.
    package func agent(in room: String) -> Agent? {
        guard let agent = byRoom[room], !agent.isClosed else { return nil }
        return agent
    }

    /// An agent learns whose user it listens to.
    package func attach(_ agent: Agent, to app: SessionApp?, on stage: inout Stage) {
        detach(agent, on: &stage)
        agent.app = app
        guard let app else { return }
        app.agentsListening.append(agent)
        if agent.joinedUnseen {
            agent.joinedUnseen = false
            note(AgentJoined(), of: agent, on: &stage)
        }
        if let speech { agent.openSound(speech, to: app) }
        app.touchFlows(on: &stage)
    }

    /// An agent has ended its session.
    package func close(_ agent: Agent, on stage: inout Stage) {
        agent.isClosed = true
        detach(agent, on: &stage)
        rooms.tell(.agentLeft(room: agent.room), on: &stage)
    }

    private func detach(_ agent: Agent, on stage: inout Stage) {
        guard let app = agent.app else { return }
        app.agentsListening.removeAll { $0 === agent }
        app.touchFlows(on: &stage)
    }

    /// A crashed server's agents lose their rooms, which ends their jobs (livekit/agents, `job.py`).
    package func loseRooms(on stage: inout Stage) {
        for agent in agents where !agent.isClosed { agent.hear(.roomClosed, on: &stage) }
    }

    /// Writes a record about an agent.
    package func note(_ form: some TraceForm, of agent: Agent, on stage: inout Stage) {
        stage.note(form, of: index, about: agent.app?.index ?? .none)
    }
}
