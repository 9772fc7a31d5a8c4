public import SansIO

/// One transport interface for local radio and Internet (S-ARCH-001): what the app orders.
public enum TransportCommand: Sendable, Equatable {
    /// Looks for the group's members on `path` and connects to them.
    case connect(GroupID, path: TransportPath)
    /// Leaves the group on `path`.
    case disconnect(path: TransportPath)
    /// Encodes a captured frame and sends it, unreliably, to every connected peer on `path`.
    case sendAudioFrame(FrameHeader, FrameHandle, path: TransportPath)
    /// Sends a message without voice, unreliably, to one connected peer on `path`, or to every one.
    case sendControl(PeerMessage, to: PeerID?, path: TransportPath)
}

/// What a transport tells the app.
public enum TransportEvent: Sendable, Equatable {
    /// A member of the group can be reached.
    case peerJoined(PeerID)
    /// A member can no longer be reached.
    case peerLeft(PeerID)
    /// A well-formed voice message; its payload waits under the handle.
    case voiceReceived(FrameHeader, FrameHandle, from: PeerID)
    /// A well-formed message without voice.
    case controlReceived(PeerMessage, from: PeerID)
    /// Bytes that are no message of ours.
    case refused(from: PeerID)
}

/// A way by which peers reach each other.
public enum TransportPath: UInt8, Sendable, Hashable, CaseIterable {
    /// Peer-to-peer radio (S-ARCH-002).
    case local
    /// The match service (S-ARCH-003).
    case internet
}

/// A member of the group as the transport names it: the stream that the member sends.
@frozen
public struct PeerID: Sendable, Hashable, Comparable, BitwiseCopyable {
    /// The stream's number, unique in the group.
    public var streamID: UInt32

    /// Names the member that sends stream `streamID`.
    @inlinable
    public init(streamID: UInt32) {
        self.streamID = streamID
    }

    /// Orders members by their streams' numbers.
    @inlinable
    public static func < (left: PeerID, right: PeerID) -> Bool {
        left.streamID < right.streamID
    }
}
