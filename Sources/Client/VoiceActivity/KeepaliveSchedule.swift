/// Says when a keepalive is due.
public struct KeepaliveSchedule: Sendable, Equatable {}
