import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
package import KodamaWorld
import RealtimeVoice
import SansIO

// What is true of the phone's paths and voice, whatever anybody noticed: looked at again whenever the
// phone was touched. Voice without frames (`voice: reachability`) follows from it alone: the room object
// and the room server say where a frame would go, and the links whether it would pass.

extension SessionApp {
    /// A path may have changed.
    package func touchPath(on stage: inout Stage) {
        pathIsStale = true
        footingIsStale = true
        stage.touch(self)
    }

    package func footingChanged(on stage: inout Stage) {
        footingIsStale = true
        stage.touch(self)
    }

    /// Whether voice flows may have changed.
    package func touchFlows(on stage: inout Stage) {
        guard mode == .reachability else { return }
        stage.touch(self)
    }

    package func review(on stage: inout Stage) {
        if pathIsStale {
            pathIsStale = false
            reviewPath(on: &stage)
        }
        if footingIsStale {
            footingIsStale = false
            reviewFooting(on: &stage)
        }
        if mode == .reachability { reviewFlows(on: &stage) }
    }

    // MARK: Paths: can packets pass both ways?

    private func reviewPath(on stage: inout Stage) {
        let cause = lossCause(on: stage)
        guard (cause == nil) != (pathLossCause == nil) else { return }
        pathLossCause = cause
        if let cause {
            note(PathLost(cause: cause), on: &stage)
        } else {
            note(PathUsable(), on: &stage)
        }
    }

    /// Why no path carries all packets both ways; `nil` if one does.
    private func lossCause(on stage: borrowing Stage) -> PathLossCause? {
        guard !phone.addresses.isEmpty else { return .interface }
        if rooms.isAway { return .server }
        var mildest: PathLossCause?
        for address in phone.addresses {
            guard let radio = phone.radio(address.interface) else { continue }
            let link = radio.link
            let isStopped = !stage.carries(link.forward) || !stage.carries(link.backward)
            let signalling = radio.isBlocked(.signalling, at: stage.now)
            let media = radio.isBlocked(.media, at: stage.now)
            let isMute = media && !rooms.takesMediaByTCP
            switch (isStopped || (signalling && media), signalling, isMute) {
            case (true, _, _): mildest = mildest ?? .link
            case (_, true, _): mildest = .signalling
            case (_, _, true): mildest = .media
            case (false, false, false): return nil
            }
        }
        return mildest
    }

    // MARK: What a room object lacks that says that it is connected

    private func reviewFooting(on stage: inout Stage) {
        let footing = currentRoom?.seat.ask { $0.footing }
        for lack in RoomLack.allCases {
            let isLacking = footing.map { lacks(lack, $0, on: stage) } ?? false
            guard isLacking != lacks.contains(lack) else { continue }
            if isLacking { lacks.append(lack) } else { lacks.removeAll { $0 == lack } }
            note(RoomLacking(lack: TraceWord(lack), isLacking: TraceFlag(isLacking)), on: &stage)
        }
    }

    private func lacks(
        _ lack: RoomLack,
        _ footing: RoomFooting,
        on stage: borrowing Stage
    ) -> Bool {
        switch lack {
        case .transport: return !footing.hasTransport
        case .signalling:
            let now = stage.now
            guard let source = footing.signalSource, source != currentRoom?.forgottenSocket
            else { return true }
            let ways = rooms.takesMultipath ? phone.addresses : [source.address]
            guard ways.contains(where: { phone.passes(.signalling, by: $0, on: stage) })
            else { return true }
            return !rooms.seat.ask { $0.hearsSignals(from: source, at: now) }
        }
    }

    // MARK: Voice without frames

    private func reviewFlows(on stage: inout Stage) {
        let incoming = incoming(on: stage)
        feedStatistics(incoming, on: stage)
        reviewUpward(on: &stage)
        let down = heardLatency(incoming)
        if (down != nil) != voice.flowsDown {
            voice.flowsDown = down != nil
            noteFlow(.toPhone, down, on: &stage)
            if let agent { hearAnswer(of: agent, on: &stage) }
        }
    }

    /// The phone's voice: the server takes its last frame for a sign of life when it ends, or goes another
    /// way.
    private func reviewUpward(on stage: inout Stage) {
        let outgoing = outgoing(on: stage)
        if let before = voice.upRoute, before != outgoing?.route {
            let now = stage.now
            rooms.seat.ask { $0.noteVoice(by: before, until: now) }
            rooms.armWake(on: &stage)
        }
        let flowed = voice.upRoute != nil
        voice.upRoute = outgoing?.route
        guard flowed != (outgoing != nil) else { return }
        noteFlow(.fromPhone, outgoing?.latency, on: &stage)
        reviewHearing(on: &stage)
    }

    private func noteFlow(
        _ direction: VoiceDirection,
        _ latency: Int64?,
        on stage: inout Stage
    ) {
        // The first frame that passes is ready now; what is not heard any more began one frame ago.
        let captured = stage.now.advanced(by: .zero - SessionVoice.frame)
        if let latency {
            let heard = stage.now.advanced(by: .nanoseconds(latency))
            let flowing = AudioFlowing(
                direction: TraceWord(direction),
                captured: captured,
                heard: heard
            )
            note(flowing, on: &stage)
        } else {
            note(AudioStopped(direction: TraceWord(direction), captured: captured), on: &stage)
        }
    }

    /// Frames on one way.
    private struct Flow {
        let route: MediaRoute
        let latency: Int64
    }

    /// How frames from the phone come to the agent now; `nil` if they do not.
    private func outgoing(on stage: borrowing Stage) -> Flow? {
        guard soundIsOn, let route = currentRoom?.seat.ask({ $0.mediaRoute }),
            let latency = phone.delay(
                of: route.trafficClass,
                by: route.source.address,
                .forward,
                on: stage
            ),
            case .agent(let room, _) = rooms.seat.ask({ $0.mediaReceiver(of: route) }),
            let agent = agents.agent(in: room), agent.hasJoined
        else { return nil }
        return Flow(route: route, latency: latency)
    }

    /// How frames from the agent come to the phone's room object now; `nil` if they do not.
    private func incoming(on stage: borrowing Stage) -> Flow? {
        guard phase == .running, let client = currentRoom,
            let agent, agent.hasJoined
        else { return nil }
        let heard = rooms.seat.ask { server in
            server.mediaRoute(room: agent.room) { client.hears(by: $0) }
        }
        guard let route = heard,
            let latency = phone.delay(
                of: route.trafficClass,
                by: route.destination.address,
                .backward,
                on: stage
            )
        else { return nil }
        return Flow(route: route, latency: latency)
    }

    /// How long a frame from the agent takes to the ear now; `nil` if it does not get there.
    private func heardLatency(_ incoming: Flow?) -> Int64? {
        guard let incoming, soundIsOn, currentRoom?.isPlaying == true
        else { return nil }
        return incoming.latency + playoutNanoseconds
    }

    /// Lets the room object count the frames that are not made.
    private func feedStatistics(_ incoming: Flow?, on stage: borrowing Stage) {
        let route = incoming?.route
        currentRoom?.noteVoice(isSpeaking: soundIsOn, comingInBy: route, at: stage.now)
    }

    /// Tells the agent what it hears of the phone's user now.
    package func reviewHearing(on stage: inout Stage) {
        guard mode == .reachability, let agent else { return }
        agent.setHearing(voice.isSpeaking && voice.upRoute != nil, on: &stage)
    }

    /// An answer that sounds while voice flows is heard.
    package func hearAnswer(of agent: Agent, on stage: inout Stage) {
        guard mode == .reachability, agent.isAnswering, voice.flowsDown,
            let latency = heardLatency(incoming(on: stage))
        else { return }
        noteAnswer(of: agent, heard: stage.now.advanced(by: .nanoseconds(latency)), on: &stage)
    }
}
