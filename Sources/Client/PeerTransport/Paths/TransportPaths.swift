extension TransportPath {
    /// The path that this one is not.
    public var other: TransportPath { self == .local ? .internet : .local }
}

/// A set of paths: what a frame is sent by.
@frozen
public struct TransportPaths: OptionSet, Sendable, Hashable, BitwiseCopyable {
    /// The paths as bits.
    public var rawValue: UInt8

    /// Makes a set from its bits.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The set of one path.
    @inlinable
    public init(_ path: TransportPath) {
        self.init(rawValue: 1 << path.rawValue)
    }

    /// Peer-to-peer radio.
    @inlinable
    public static var local: TransportPaths { TransportPaths(.local) }
    /// The match service.
    @inlinable
    public static var internet: TransportPaths { TransportPaths(.internet) }
    /// Both: everything is sent twice, and what arrives first counts (S-HO-004).
    @inlinable
    public static var both: TransportPaths { [.local, .internet] }

    /// The paths of the set, local before Internet.
    public var paths: [TransportPath] {
        TransportPath.allCases.filter { contains(TransportPaths($0)) }
    }
}
