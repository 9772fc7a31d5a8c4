/// One segment of a reliable stream: TCP with the flights of TLS 1.3 and of a name lookup before it.
public struct StreamSegment: Sendable, Equatable {
    /// What a segment is for.
    public enum Kind: Sendable, Equatable {
        /// Asks a resolver for the server's address; one round trip if it is not cached.
        case lookup
        /// The resolver's answer.
        case lookupAnswer
        /// Opens the connection.
        case synchronize
        /// Accepts it.
        case synchronizeAcknowledge
        /// The TLS 1.3 ClientHello.
        case clientHello
        /// The server's whole TLS 1.3 flight.
        case serverHello
        /// A part of a message; the last one carries it.
        case data(StreamMessage?)
        /// Nothing but the acknowledgement.
        case acknowledge
        /// The end of what the sender has to say.
        case finish
        /// The receiver knows no such connection, or has thrown it away.
        case reset
    }

    /// What it is for.
    public var kind: Kind
    /// Its number among the sender's numbered segments; 0 if it is not numbered.
    public var sequence: UInt32
    /// The next number that the sender expects.
    public var acknowledgement: UInt32
    /// Which of the 64 segments after that one have come, the next one in the lowest bit (RFC 2018).
    ///
    /// Three blocks, all that an option has room for beside timestamps, may say a little less.
    public var selective: UInt64

    /// Makes a segment.
    public init(
        _ kind: Kind,
        sequence: UInt32,
        acknowledgement: UInt32,
        selective: UInt64 = 0
    ) {
        self.kind = kind
        self.sequence = sequence
        self.acknowledgement = acknowledgement
        self.selective = selective
    }
}
