import KodamaNetwork
import KodamaPhone

extension SignalResponse {
    /// The response with its size; sizes are assumptions of the right order.
    ///
    /// A session description weighs two kilobytes, a join response lists room, participants, ICE
    /// servers and codecs, a token is as long as it is.
    var message: StreamMessage {
        let byteCount =
            switch self {
            case .refused: 200
            case .join(let response): 1_500 + 300 * response.others.count
            case .reconnect: 600
            case .offer, .answer: 2_000
            case .trackPublished: 250
            case .participants(let participants): 50 + 300 * participants.count
            case .refreshToken(let token): 10 + token.utf8.count
            case .mute, .leave, .pong: 20
            }
        return StreamMessage(self, byteCount: byteCount)
    }
}
