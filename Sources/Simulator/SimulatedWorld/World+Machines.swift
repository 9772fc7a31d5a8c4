import AppCoordination
import Evidence
import PeerTransport
import SansIO
import SansIOTesting
import Scenarios
import Simulation
import VoiceActivity

extension World {
    /// Gives a device's app an event and delivers what arises from it, run to completion.
    mutating func send(_ event: IntercomCoordinator.Event, to place: Int, at now: Instant) {
        inbox.append((place, event))
        var next = 0
        while next < inbox.count {
            let (place, event) = inbox[next]
            next += 1
            drive(place, event, at: now)
        }
        inbox.removeAll(keepingCapacity: true)
    }

    /// Wakes a device's app if it is due; an early entry is put back (law L2), and one that was
    /// overtaken by an earlier one is dropped.
    mutating func wake(_ place: Int, at now: Instant) {
        let device = devices[place]
        guard device.pendingWake == now else { return }
        device.pendingWake = nil
        if let deadline = device.driver.deadline, deadline.instant <= now {
            drive(place, nil, at: now)
        } else {
            armWake(of: device, at: now)
        }
    }

    private mutating func drive(
        _ place: Int,
        _ event: IntercomCoordinator.Event?,
        at now: Instant
    ) {
        let device = devices[place]
        let isRecorded = recording?.device == place
        if isRecorded { recording?.1.noteCall(event, at: now) }
        let perform = { (world: inout World, effect: IntercomCoordinator.Effect) in
            if isRecorded { world.recording?.1.noteEffect(effect) }
            world.perform(effect, of: device, at: now)
        }
        if let event {
            device.driver.send(event, at: now) { perform(&self, $0) }
        } else {
            device.driver.wake(at: now) { perform(&self, $0) }
        }
        armWake(of: device, at: now)
    }

    /// Keeps one wake entry per device, however often its deadline moves.
    private mutating func armWake(of device: Device, at now: Instant) {
        guard let deadline = device.driver.deadline else { return }
        let due = max(deadline.instant, now)
        if let pending = device.pendingWake, pending <= due { return }
        device.pendingWake = due
        queue.push(.wake(device: device.place), at: device.wakeSource.key(at: due))
    }

    /// The binding of the app's effects: each goes to the device itself, the network or the trace.
    private mutating func perform(
        _ effect: IntercomCoordinator.Effect,
        of device: Device,
        at now: Instant
    ) {
        switch effect {
        case .transport(.connect(_, let path)):
            // Discovery is taken as done: members in reach of a link are there at once.
            for neighbour in device.neighbours {
                let joined = TransportEvent.peerJoined(neighbour.peer)
                inbox.append((Int(device.place), .transport(joined, path: path)))
            }
        case .transport(.disconnect):
            let values = SIMD4(device.group?.traceNumber ?? 0, 0, 0, 0)
            log.write(TraceRecord(.groupLeft, at: now, of: device.component, values))
        case .transport(.sendAudioFrame(let header, let frame, let path)):
            sendVoice(header, frame, by: path, from: device, at: now)
        case .transport(.sendControl(let message, let peer, let path)):
            sendControl(message, to: peer, by: path, from: device, at: now)
        case .discardCaptured(let frame):
            device.frames.release(frame.slot)
        case .reject(let frame, let peer, let verdict):
            discard(frame, of: peer, .init(verdict), device, at: now)
        case .talkStateChanged(let state):
            let values = SIMD4(Int64(state.number), 0, 0, 0)
            log.write(TraceRecord(.gateChanged, at: now, of: device.component, values))
        case .playout(let peer, let order):
            perform(order, of: peer, device, at: now)
        }
    }
}

extension JitterBuffer.DiscardReason {
    /// The trace's word for what the replay window said of a frame; without a verdict the frame came
    /// from nobody whose voice is played.
    init(_ verdict: ReplayWindow.Verdict?) {
        switch verdict {
        case .duplicate, .first: self = .duplicate
        case .stale: self = .stale
        case nil: self = .stopped
        }
    }
}
