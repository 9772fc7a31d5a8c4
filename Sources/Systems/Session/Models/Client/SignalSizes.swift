import KodamaNetwork
import KodamaPhone

extension SignalRequest {
    /// The request with its size; sizes are assumptions of the right order: session descriptions weigh
    /// two kilobytes, a token one, the rest next to nothing.
    var message: StreamMessage {
        let byteCount =
            switch self {
            case .join: 1_500
            case .offer, .answer: 2_000
            case .syncState: 4_500
            case .addTrack: 200
            case .mute, .leave, .ping: 20
            }
        return StreamMessage(self, byteCount: byteCount)
    }
}
