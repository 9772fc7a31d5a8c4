extension WorldFault {
    /// What is done, as a sentence.
    ///
    /// - Parameters:
    ///   - phone: The phone whose room or identity it concerns.
    ///   - isWholePhone: Whether it befalls all of a phone's radios.
    /// - Returns: The sentence, without its capital and full stop.
    package func beginning(of phone: String, isWholePhone: Bool) -> String {
        let radio = isWholePhone ? "any of the phone's radios" : "the radio"
        return switch self {
        case .blackHole: "nothing passes over \(radio) any more"
        case .signallingCut: "no signalling passes over \(radio) any more"
        case .mediaCut: "no media passes over \(radio) any more"
        case .radioDown:
            isWholePhone ? "the phone's radios lose their networks" : "the radio loses its network"
        case .radioUp:
            isWholePhone
                ? "the phone's radios have networks again" : "the radio has a network again"
        case .serverDown: "the room server is down"
        case .serverDrained: "the room server takes no new rooms"
        case .serverFull: "the room server refuses joins"
        case .iceBlocked: "datagrams neither reach the room server nor leave it"
        case .silentServer: "the room server says nothing"
        case .serverCleared: "the room server does everything again"
        case .serverLeave: "the room server tells \(phone) to leave"
        case .joinElsewhere: "another device joins with the identity of \(phone)"
        case .silentAPI: "the app's server says nothing"
        case .secureStorage: "the phone's keychain is locked or fails"
        case .voiceEngine: "the phone's voice engine starts late or not at all"
        case .clock: "the phone's clock is set wrong"
        case .focus: "Do Not Disturb is turned on"
        case .serverDark: "the room server's machine is gone from the network"
        case .darkAPI: "the app's server is gone from the network"
        case .portClosed: "the room server's port for signalling is closed"
        case .agentLeft: "the agent of \(phone) ends its job and leaves the room"
        case .agentsAway: "the process that runs all agents ends"
        }
    }

    /// That it is over; `nil` for what happens in an instant.
    package func ending(isWholePhone: Bool) -> String? {
        let radio = isWholePhone ? "the phone's radios" : "the radio"
        return switch self {
        case .blackHole: "packets pass over \(radio) again"
        case .signallingCut: "signalling passes over \(radio) again"
        case .mediaCut: "media passes over \(radio) again"
        case .serverDown: "the room server is up again"
        case .serverDrained: "the room server takes new rooms again"
        case .serverFull: "the room server lets people join again"
        case .iceBlocked: "datagrams reach the room server again"
        case .silentServer: "the room server speaks again"
        case .silentAPI: "the app's server answers again"
        case .secureStorage: "the phone's keychain works again"
        case .voiceEngine: "the phone's voice engine starts as it should again"
        case .clock: "the phone's clock is right again"
        case .focus: "Do Not Disturb is turned off"
        case .serverDark: "the room server's machine is back on the network"
        case .darkAPI: "the app's server is back on the network"
        case .portClosed: "the room server's port for signalling is open again"
        case .agentsAway: "the process that runs all agents is there again"
        case .radioDown, .radioUp, .serverCleared, .serverLeave, .joinElsewhere, .agentLeft: nil
        }
    }
}
