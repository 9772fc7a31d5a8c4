import Crypto
import SansIO

/// Tells offers that are made now, for this receiver, from recorded ones (S-SEC-004).
extension GroupHandshake {
    /// Asks the sender of an offer to prove that it makes it now.
    func challenge(_ remote: [UInt8], in turn: inout Turn<Effect>) {
        let cookie = cookie(for: remote, inPeriod: Self.period(at: turn.now))
        let packet = HandshakePacket.challenge(
            attempt: HandshakePacket.attempt(of: remote),
            cookie: cookie,
            seal: code("seal", cookie, remote, group.cookieKey)
        )
        turn.order(.send(packet.bytes))
    }

    /// Whether an offer echoes a cookie that this side gave to its sender a moment ago.
    func isNew(_ echo: [UInt8], of remote: [UInt8], at now: Instant) -> Bool {
        guard !echo.isEmpty else { return false }
        let period = Self.period(at: now)
        return [period, period - 1].contains {
            let cookie = cookie(for: remote, inPeriod: $0)
            return isSame(echo, code("echo", cookie, remote, group.cookieKey))
        }
    }

    /// Makes this side's offer once more, with the echo of a cookie; one that was echoed waits for its clock.
    mutating func echo(
        _ cookie: [UInt8],
        sealed seal: [UInt8],
        of attempt: UInt32,
        in turn: inout Turn<Effect>
    ) throws(PacketRefusal) {
        guard let ephemeral = initiation?.ephemeral,
            HandshakePacket.attempt(of: ephemeral) == attempt, let packet = initiation?.retry.packet
        else { throw .unknownAttempt }
        guard isSame(seal, code("seal", cookie, ephemeral, group.cookieKey)) else {
            throw .forged
        }
        let echo = code("echo", cookie, ephemeral, group.cookieKey)
        let echoing = packet.prefix(HandshakePacket.offerByteCount) + echo
        guard packet != Array(echoing) else { return }
        initiation?.retry.packet = Array(echoing)
        turn.order(.send(Array(echoing)))
    }

    private static func period(at now: Instant) -> Int64 { now.nanoseconds / cookieNanoseconds }

    private func cookie(for remote: [UInt8], inPeriod period: Int64) -> [UInt8] {
        code("cookie", period.bigEndianBytes, remote, cookieKey)
    }

    /// The first 16 bytes of an HMAC-SHA256.
    private func code(
        _ label: String,
        _ bytes: [UInt8],
        _ ephemeral: [UInt8],
        _ key: SymmetricKey
    ) -> [UInt8] {
        var code = HMAC<SHA256>(key: key)
        code.update(data: Array("kodama handshake \(label) 1".utf8))
        code.update(data: bytes)
        code.update(data: ephemeral)
        return Array(code.finalize().prefix(HandshakePacket.cookieByteCount))
    }

    /// Compares in a time that says nothing of where two codes differ.
    private func isSame(_ code: [UInt8], _ other: [UInt8]) -> Bool {
        code.count == other.count && zip(code, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
