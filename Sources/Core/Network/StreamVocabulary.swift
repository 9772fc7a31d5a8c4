/// What the owner of a stream connection tells it.
public enum StreamEvent: Sendable, Equatable {
    /// The application connects; a server's side is opened by its first segment.
    case open
    /// The application sends a message; it waits until the connection is open.
    case send(StreamMessage)
    /// The application closes; what was sent before still arrives.
    case close
    /// The application's process ends: the system throws the connection away and resets the other end.
    case abort
    /// The system reports that the socket is broken.
    case fail
    /// A segment came in.
    case received(StreamSegment)
}

/// What a stream connection orders.
public enum StreamEffect: Sendable, Equatable {
    /// Sends a segment of so many bytes, all headers included.
    case transmit(StreamSegment, wireBytes: Int)
    /// TCP and TLS are done.
    case opened
    /// A whole message of the other side.
    case delivered(StreamMessage)
    /// It is over; nothing follows.
    case closed(StreamClosure)
}

/// How a stream connection ended.
public enum StreamClosure: Int64, Sendable, Hashable, CaseIterable {
    /// One side closed it.
    case finished
    /// The other side knew no such connection, or refused it.
    case reset
    /// The system broke the socket, or nobody answered for too long.
    case failed
}

/// What to do with a segment that belongs to no connection.
public enum StraySegment: Sendable, Equatable {
    /// It asks for a connection: the owner makes one with `role: .server` and hands it the segment.
    case opensConnection
    /// It is answered without one.
    case answered(StreamSegment, wireBytes: Int)
    /// It is dropped.
    case dropped
}
