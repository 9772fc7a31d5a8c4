import AppCoordination
import KodamaEvidence
import KodamaWorld
import PeerTransport
import SansIO
import VoiceActivity

extension IntercomApp {
    /// The binding of the app's effects: each goes to the phone, the network or the trace.
    func perform(_ effect: IntercomCoordinator.Effect, on stage: inout Stage) {
        switch effect {
        case .transport(.connect(_, let path)):
            // Discovery is taken as done: members in reach of a link are there at once.
            for neighbour in neighbours {
                tell(.transport(.peerJoined(neighbour.peer), path: path), on: &stage)
            }
        case .transport(.disconnect):
            stage.note(GroupLeft(group: group?.traceNumber ?? 0), of: index)
        case .transport(.sendAudioFrame(let header, let frame, let path)):
            sendVoice(header, frame, by: path, on: &stage)
        case .transport(.sendControl(let message, let peer, let path)):
            sendControl(message, to: peer, by: path, on: &stage)
        case .discardCaptured(let frame):
            sound.release(frame)
        case .reject(let frame, _, let verdict):
            sound.discard(frame, .init(verdict), on: &stage)
        case .talkStateChanged(let state):
            stage.note(GateChanged(state: TraceWord(state.phase)), of: index)
        case .playout(let peer, let order):
            guard let neighbour = neighbour(of: peer) else { return }
            sound.perform(order, of: neighbour, on: &stage)
        case .sound(let order):
            perform(order, on: &stage)
        }
    }
}
