import GroupSecurity
import SansIO

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// One of two processes that talk over UDP on this machine's loopback interface.
///
/// The host makes a group, prints its port and an invite, and waits; the joiner follows the invite.
/// Each prints what it heard as JSON.
@main
struct LoopbackPhone {
    static let frameCount: UInt32 = 50

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "host" where arguments.count == 1: try host()
            case "join" where arguments.count == 3:
                guard let port = UInt16(arguments[1]) else { usage() }
                try join(port: port, url: arguments[2])
            default: usage()
            }
        } catch {
            fail("\(error)", status: 1)
        }
    }

    private static func host() throws {
        var entropy = Entropy.system()
        let identity = MemberIdentity(entropy: &entropy)
        let group = GroupCredential(
            id: GroupID(high: 1, low: 2),
            secret: GroupSecret(entropy: &entropy)
        )
        let socket = try UDPSocket()
        print(socket.port)
        print(try Invite(to: group, from: identity).url())
        fflush(nil)
        talk(
            Phone(
                socket,
                session: session(identity, group),
                peerPort: nil,
                frameCount: frameCount
            ),
            as: identity
        )
    }

    private static func join(port: UInt16, url: String) throws {
        var entropy = Entropy.system()
        let identity = MemberIdentity(entropy: &entropy)
        let invite = try Invite(url: url)
        let now = WallTime(nanosecondsSince1970: Int64(time(nil)) * 1_000_000_000)
        try invite.check(at: now, joining: identity.publicKey.memberID)
        talk(
            Phone(
                try UDPSocket(),
                session: session(identity, invite.group, expecting: invite.inviter.memberID),
                peerPort: port,
                frameCount: frameCount
            ),
            as: identity
        )
    }

    private static func session(
        _ identity: MemberIdentity,
        _ group: GroupCredential,
        expecting expected: MemberID? = nil
    ) -> SecureSession {
        SecureSession(
            GroupHandshake(
                identity: identity,
                group: group,
                expecting: expected,
                entropy: .system()
            )
        )
    }

    private static func talk(_ phone: Phone, as identity: MemberIdentity) {
        var phone = phone
        phone.run(patience: .seconds(15))
        let report = phone.report
        let refusals = phone.session.machine.refusals
        print(
            """
            {"self":"\(identity.publicKey.memberID)",\
            "peer":\(report.peer.map { "\"\($0)\"" } ?? "null"),\
            "cut":\(report.cut.map { "\"\($0)\"" } ?? "null"),\
            "received":\(report.received),"intact":\(report.intact),"copies":\(report.copies),\
            "played":\(report.played),"forged":\(refusals[.forged]),\
            "replayed":\(refusals[.replayed])}
            """
        )
    }

    private static func usage() -> Never {
        fail("usage: loopback-phone host | loopback-phone join PORT INVITE", status: 64)
    }

    private static func fail(_ complaint: String, status: Int32) -> Never {
        let text = "loopback-phone: \(complaint)\n"
        _ = text.utf8CString.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count - 1) }
        exit(status)
    }
}
