package import KodamaNetwork
package import KodamaPhone
package import SansIO

/// A message between a phone and the push service.
package enum PushFrame: StreamContent {
    /// The device gives its name.
    case hello(PushDeviceID)
    /// It asks for a token.
    case tokenRequest(topic: String)
    /// The service gives one.
    case token(topic: String, [UInt8])
    /// A notification.
    case notification(PushNotification)
    /// The device has it.
    case acknowledgement(UniqueID)

    /// The frame as it goes over the wire; sizes besides payloads are assumptions.
    package var message: StreamMessage {
        let byteCount =
            switch self {
            case .hello: 64
            case .tokenRequest(let topic): 32 + topic.utf8.count
            case .token(let topic, let token): 32 + topic.utf8.count + token.count
            case .notification(let notification):
                96 + notification.topic.utf8.count + notification.payload.utf8.count
            case .acknowledgement: 32
            }
        return StreamMessage(self, byteCount: byteCount)
    }
}
