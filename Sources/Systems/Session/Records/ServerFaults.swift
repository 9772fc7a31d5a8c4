package import KodamaEvidence

extension WorldFault {
    /// The room server is down.
    package static let serverDown = WorldFault(
        "server-down",
        number: 5,
        withholds: [.server("rooms")],
        replaces: [.serverDrained, .silentServer],
        begins: "the room server is down",
        ends: "the room server is up again"
    )
    /// The room server takes no new rooms; one that starts anew takes them again.
    package static let serverDrained = WorldFault(
        "server-drained",
        number: 6,
        withholds: [.admission],
        begins: "the room server takes no new rooms",
        ends: "the room server takes new rooms again"
    )
    /// The room server refuses joins.
    package static let serverFull = WorldFault(
        "server-full",
        number: 7,
        withholds: [.admission],
        begins: "the room server refuses joins",
        ends: "the room server lets people join again"
    )
    /// Datagrams neither reach the room server nor leave it.
    package static let iceBlocked = WorldFault(
        "ice-blocked",
        number: 8,
        begins: "datagrams neither reach the room server nor leave it",
        ends: "datagrams reach the room server again"
    )
    /// The room server says nothing.
    package static let silentServer = WorldFault(
        "silent-server",
        number: 9,
        withholds: [.signallingAnswers],
        begins: "the room server says nothing",
        ends: "the room server speaks again"
    )
    /// The room server does everything again.
    package static let serverCleared = WorldFault(
        "server-cleared",
        number: 10,
        .repairs([.serverDrained, .serverFull, .portClosed, .iceBlocked, .silentServer]),
        begins: "the room server does everything again"
    )
    /// The room server sent a leave.
    package static let serverLeave = WorldFault(
        "server-leave",
        number: 11,
        .instant,
        expels: true,
        begins: "the room server tells {phone} to leave"
    )
    /// Another client joined with a phone's identity.
    package static let joinElsewhere = WorldFault(
        "join-elsewhere",
        number: 12,
        .instant,
        expels: true,
        begins: "another device joins with the identity of {phone}"
    )
    /// The app's own server says nothing.
    package static let silentAPI = WorldFault(
        "silent-api",
        number: 13,
        withholds: [.server("api")],
        begins: "the app's server says nothing",
        ends: "the app's server answers again"
    )
    /// The room server's machine is gone from the network.
    package static let serverDark = WorldFault(
        "server-dark",
        number: 18,
        withholds: [.server("rooms")],
        replaces: [.serverDrained, .silentServer],
        begins: "the room server's machine is gone from the network",
        ends: "the room server's machine is back on the network"
    )
    /// The app's own server is gone from the network.
    package static let darkAPI = WorldFault(
        "dark-api",
        number: 19,
        withholds: [.server("api")],
        begins: "the app's server is gone from the network",
        ends: "the app's server is back on the network"
    )
    /// The room server's port for signalling is closed.
    package static let portClosed = WorldFault(
        "port-closed",
        number: 20,
        withholds: [.signallingPort],
        begins: "the room server's port for signalling is closed",
        ends: "the room server's port for signalling is open again"
    )
    /// An agent ended its job and left its room.
    package static let agentLeft = WorldFault(
        "agent-left",
        number: 21,
        .instant,
        begins: "the agent of {phone} ends its job and leaves the room"
    )
    /// No agent runs, and none is called.
    package static let agentsAway = WorldFault(
        "agents-away",
        number: 22,
        withholds: [.agents],
        begins: "the process that runs all agents ends",
        ends: "the process that runs all agents is there again"
    )
    /// No agent is called to the rooms that a phone makes.
    package static let agentSkips = WorldFault(
        "agent-skips",
        number: 23,
        .stacking,
        begins: "jobs for rooms of {phone} are lost: no agent is called to them",
        ends: "agents are called to rooms of {phone} again"
    )
    /// Something in the middle resets the signal connection.
    package static let signalReset = WorldFault(
        "signal-reset",
        number: 24,
        .instant,
        begins: "the signal connection of {phone} is reset from outside, and nothing else"
    )
    /// Something in the middle forgets the signal connection.
    package static let signalForgotten = WorldFault(
        "signal-forgotten",
        number: 25,
        .instant,
        begins: "the signal connection of {phone} is forgotten on the way, and nothing else"
    )

    /// The faults of the room server, its agents and the app's own server.
    static let servers = [
        serverDown, serverDrained, serverFull, iceBlocked, silentServer, serverCleared, serverLeave,
        joinElsewhere, silentAPI, serverDark, darkAPI, portClosed, agentLeft,
        agentsAway, agentSkips, signalReset, signalForgotten,
    ]
}

extension Resource {
    /// A room server that lets people in.
    static let admission = Resource("admission to rooms")
    /// A room server whose port for signalling is open.
    static let signallingPort = Resource("signalling port of rooms")
    /// Agents that are called to new rooms.
    static let agents = Resource("agents")
    /// A room server that answers what it is told.
    package static let signallingAnswers = Resource("answers of rooms")
}

extension FaultBegan {
    /// Whether it throws a participant out of its room.
    var expels: Bool { WorldFault.servers.contains { fault == $0 && $0.expels } }
    /// Whether the room server tells a participant to leave.
    var isLeave: Bool { fault == .serverLeave }
    /// Whether an agent ends its job.
    var endsJob: Bool { fault == .agentLeft }
}
