/// Holds received frames until their playout time.
public struct JitterBuffer: Sendable, Equatable {}
