import GroupSecurity
import PeerTransport
import SansIO
import VoiceActivity

extension IntercomGroupCoordinator {
    /// How often membership hears that somebody is alive.
    static var aliveNanoseconds: Int64 { 1_000_000_000 }

    /// Gives the voice machine an event, or wakes it, and follows what it orders.
    mutating func speak(_ event: IntercomCoordinator.Event?, in turn: inout Turn<Effect>) {
        let orders = voice.drive(event, at: turn.now, reusing: &voiceMemory)
        for order in orders {
            switch order {
            case .transport(let command):
                tellTalkBegan(with: command, in: &turn)
                route(command, in: &turn)
            case .discardCaptured(let frame): turn.order(.discardCaptured(frame))
            case .reject(let frame, _, let verdict): turn.order(.reject(frame, verdict))
            case .talkStateChanged(let state):
                isTalking =
                    switch state {
                    case .idle, .attack: false
                    case .talking, .release: true
                    }
                areCardsStale = true
            case .playout(let stream, let effect): turn.order(.playout(stream, effect))
            case .sound(let order): turn.order(.sound(order))
            }
        }
        voiceMemory.reclaim(orders)
    }

    /// Lets the handovers know that a spurt begins, before its first frame goes.
    private mutating func tellTalkBegan(
        with command: TransportCommand,
        in turn: inout Turn<Effect>
    ) {
        guard case .sendAudioFrame(let header, _, _) = command,
            header.marks.contains(.talkStart), let members = group?.peers.map(\.id)
        else { return }
        for member in members { hand(member, .talkBegan, in: &turn) }
        group?.settleDeadline()
    }

    /// What the voice machine sends by the one path that it knows goes by those that count.
    private mutating func route(_ command: TransportCommand, in turn: inout Turn<Effect>) {
        guard let state = group else {
            if case .sendAudioFrame(_, let frame, _) = command {
                turn.order(.discardCaptured(frame))
            }
            return
        }
        switch command {
        case .connect: showSign(of: state.credential.hash, in: &turn)
        // The connections stand until the goodbyes are said; see `GroupDeparture`.
        case .disconnect:
            shownSign = nil
            turn.order(.stopSeeking(.local))
        case .sendAudioFrame(let header, let frame, _):
            let fanout = fanout
            guard !fanout.isEmpty else {
                turn.order(.discardCaptured(frame))
                return
            }
            turn.order(.sendVoice(header, frame, fanout))
        case .sendControl(let message, let stream, _):
            for peer in state.peers where stream == nil || stream?.streamID == peer.streamID {
                for path in peer.handover.sendingPaths.paths {
                    guard let link = state.link(to: peer.id, by: path) else { continue }
                    turn.order(.sendMessage(message, link))
                }
            }
        }
    }

    /// The connections that a frame goes by now: of everybody who is in, those its handover names.
    private var fanout: Fanout {
        guard let state = group else { return [] }
        var fanout: Fanout = []
        for index in state.links.indices {
            guard let member = state.links[index].member,
                let peer = state.index(of: member),
                state.peers[peer].handover.voicePaths.contains(
                    TransportPaths(state.links[index].path)
                )
            else { continue }
            fanout.insert(Fanout(rawValue: 1 << UInt64(index)))
        }
        return fanout
    }

    // MARK: Receiving

    /// Who is at the other end of a proven connection; membership hears now and then that it is alive.
    private mutating func sender(
        by link: LinkID,
        in turn: inout Turn<Effect>
    ) -> (member: MemberID, path: TransportPath)? {
        guard let index = group?.index(of: link), let member = group?.links[index].member,
            let path = group?.links[index].path, let told = group?.links[index].toldNanoseconds
        else { return nil }
        let isDue = told <= turn.now.nanoseconds - Self.aliveNanoseconds
        if isDue {
            group?.links[index].toldNanoseconds = turn.now.nanoseconds
            organize(.memberHeard(member), in: &turn)
            endQuiet(of: member, at: turn.now)
        }
        return (member, path)
    }

    mutating func receive(
        _ header: FrameHeader,
        _ frame: FrameHandle,
        by link: LinkID,
        in turn: inout Turn<Effect>
    ) {
        guard let (member, path) = sender(by: link, in: &turn) else {
            turn.order(.reject(frame, nil))
            return
        }
        organizeStream(header.streamID, of: member, in: &turn)
        guard let index = group?.index(of: member),
            group?.peers[index].streamID == header.streamID
        else {
            turn.order(.reject(frame, nil))
            return
        }
        let captureIndex = group?.peers[index].captureIndices[Int(path.rawValue)]
            .unwrap(header.captureIndex)
        let heard = LinkProbe.Event.voiceReceived(
            sequence: header.sequence,
            captureIndex: captureIndex ?? 0,
            marks: header.marks
        )
        probe(member, path, heard, in: &turn)
        let elsewhere = LinkProbe.Event.voiceHeardElsewhere(sequence: header.sequence)
        probeOther(than: path, to: member, elsewhere, in: &turn)
        if header.marks.contains(.talkEnd) {
            probeOther(than: path, to: member, .talkEndedElsewhere, in: &turn)
        }
        showTalk(of: member, isTalking: !header.marks.contains(.talkEnd), at: turn.now)
        let stream = PeerID(streamID: header.streamID)
        let event = TransportEvent.voiceReceived(header, frame, from: stream)
        speak(.transport(event, path: path), in: &turn)
    }

    /// What comes by one path says something of the other, where there is one.
    private mutating func probeOther(
        than path: TransportPath,
        to member: MemberID,
        _ event: LinkProbe.Event,
        in turn: inout Turn<Effect>
    ) {
        guard group?.link(to: member, by: path.other) != nil else { return }
        probe(member, path.other, event, in: &turn)
    }

    /// Voice of a stream that nobody has may be the first sign that a member started again.
    private mutating func organizeStream(
        _ streamID: UInt32,
        of member: MemberID,
        in turn: inout Turn<Effect>
    ) {
        guard let index = group?.index(of: member), group?.peers[index].streamID != streamID else {
            return
        }
        organize(.streamHeard(streamID, from: member), in: &turn)
    }

    mutating func receive(_ message: PeerMessage, by link: LinkID, in turn: inout Turn<Effect>) {
        guard let (member, path) = sender(by: link, in: &turn),
            let index = group?.index(of: member), let streamID = group?.peers[index].streamID
        else { return }
        let isTalkOver =
            switch message {
            case .endMark: true
            case .keepalive(let keepalive): !keepalive.isTalking
            case .voice: false
            }
        if isTalkOver {
            probe(member, path, .talkEnded, in: &turn)
            probeOther(than: path, to: member, .talkEndedElsewhere, in: &turn)
            showTalk(of: member, isTalking: false, at: turn.now)
        }
        let event = TransportEvent.controlReceived(message, from: PeerID(streamID: streamID))
        speak(.transport(event, path: path), in: &turn)
    }

    mutating func receive(_ message: ControlMessage, by link: LinkID, in turn: inout Turn<Effect>) {
        guard let (member, path) = sender(by: link, in: &turn) else { return }
        switch message {
        case .hello, .goodbye, .ownerClaim:
            hear(message, from: member, in: &turn)
        case .ping(let ping): probe(member, path, .pingReceived(ping), in: &turn)
        case .pong(let pong): probe(member, path, .pongReceived(pong), in: &turn)
        case .pathStatus(let notice):
            hand(member, .noticeReceived(notice), in: &turn)
        }
    }
}
