/// What is wrong with a packet.
enum Forgery: String, CaseIterable {
    case versionBit = "a bit of the version"
    case typeBit = "a bit of the type"
    case otherStream = "another stream"
    case streamBit = "a high bit of the stream"
    case nextEpoch = "the next epoch"
    case previousEpoch = "the epoch before"
    case epochBit = "a high bit of the epoch"
    case sessionBit = "a bit of the session"
    case sequenceBit = "a bit of the sequence"
    case bodyBit = "a bit of the sealed message"
    case tagBit = "a bit of the tag"
    case truncated = "cut short"
    case extended = "made longer"
    case spliced = "the header of one, the body of another"
    case otherGroup = "sealed in another group, header exchanged"
    case otherSession = "sealed in another session, header exchanged"
    case otherDirection = "sealed by the receiver itself"
    case replayInside = "sent again, inside the window"
    case replayAtEdge = "sent again, the last in the window"
    case replayAtEdgeBehind = "sent again, the first behind it"
    case replayBehind = "sent again, behind the window"
    case replayOfEpochBefore = "sent again from the epoch before"

    /// Whether packets of this kind get as far as the tag.
    var reachesTag: Bool {
        switch self {
        case .versionBit, .typeBit, .streamBit, .epochBit, .sessionBit: false
        default: true
        }
    }
}
