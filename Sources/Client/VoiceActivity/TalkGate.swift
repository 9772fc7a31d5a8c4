/// Decides which captured frames are sent.
public struct TalkGate: Sendable, Equatable {}
