#if os(Linux)
import Foundation
import Glibc
import KodamaCommand

/// A Linux network interface whose other side is this process: what is routed to it is read here.
struct TunInterface {
    let descriptor: CInt

    /// Makes an interface that vanishes when this process ends, with a route to the other end.
    init(_ name: String, at place: WireEnd, peer: WireEnd, largestPacket: Int) throws {
        descriptor = try Self.inside(place.space) {
            let descriptor = open("/dev/net/tun", O_RDWR | O_NONBLOCK)
            guard descriptor >= 0 else { throw Self.failure("/dev/net/tun cannot be opened") }
            // struct ifreq: 16 bytes of name, then the flags IFF_TUN and IFF_NO_PI (linux/if.h, if_tun.h).
            var request = [UInt8](repeating: 0, count: 40)
            request.replaceSubrange(0..<min(15, name.utf8.count), with: name.utf8.prefix(15))
            (request[16], request[17]) = (0x01, 0x10)
            // TUNSETIFF (linux/if_tun.h).
            guard ioctl(descriptor, 0x4004_54CA, &request) == 0 else {
                throw Self.failure("interface \(name) cannot be made")
            }
            return descriptor
        }
        let inSpace = place.space.isEmpty ? [] : ["-n", place.space]
        for words in [
            "addr add \(place.address) peer \(peer.address) dev \(name)",
            "link set \(name) up mtu \(largestPacket)",
            "route append default via \(peer.address) dev \(name)",
        ] where !(place.space.isEmpty && words.hasPrefix("route")) {
            try Self.ip(inSpace + words.split(separator: " ").map(String.init))
        }
    }

    /// Reads the next packet that waits, if one does, into the buffer; returns its size.
    func read(into buffer: inout [UInt8]) -> Int? {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return count > 0 ? count : nil
    }

    /// Hands a packet to the kernel; one that the kernel refuses is lost.
    func write(_ packet: [UInt8]) {
        _ = Glibc.write(descriptor, packet, packet.count)
    }

    /// Does something inside a network namespace; sockets and interfaces made there stay there.
    private static func inside(_ space: String, _ body: () throws -> CInt) throws -> CInt {
        guard !space.isEmpty else { return try body() }
        let own = open("/proc/thread-self/ns/net", O_RDONLY)
        let other = open("/var/run/netns/\(space)", O_RDONLY)
        defer {
            close(own)
            close(other)
        }
        guard other >= 0, LinuxCalls.enterNamespace(other) else {
            throw failure("network namespace \(space) cannot be entered")
        }
        defer { _ = LinuxCalls.enterNamespace(own) }
        return try body()
    }

    private static func ip(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["ip"] + arguments
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(.inputMissing, "ip \(arguments.joined(separator: " ")) failed")
        }
    }

    private static func failure(_ what: String) -> Failure {
        Failure(.inputMissing, "\(what): \(String(cString: strerror(errno)))")
    }
}

/// Calls of Linux that Glibc's module leaves out.
enum LinuxCalls {
    private typealias SetNamespace = @convention(c) (CInt, CInt) -> CInt
    private typealias Wait =
        @convention(c) (
            UnsafeMutablePointer<pollfd>, nfds_t, UnsafePointer<timespec>, UnsafePointer<sigset_t>?
        ) -> CInt

    private static func symbol<Function>(_ name: String, as type: Function.Type) -> Function {
        guard let address = dlsym(nil, name) else {
            preconditionFailure("no \(name) in the C library")
        }
        return unsafeBitCast(address, to: type)
    }

    private static let wait = symbol("ppoll", as: Wait.self)

    /// Moves this thread into a network namespace.
    static func enterNamespace(_ descriptor: CInt) -> Bool {
        // CLONE_NEWNET (linux/sched.h).
        symbol("setns", as: SetNamespace.self)(descriptor, 0x4000_0000) == 0
    }

    /// Waits until a descriptor can be read or the time is over.
    static func wait(for descriptors: inout [pollfd], nanoseconds: Int64) {
        let (seconds, rest) = max(nanoseconds, 0).quotientAndRemainder(dividingBy: 1_000_000_000)
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        _ = wait(&descriptors, nfds_t(descriptors.count), &time, nil)
    }

    /// Nanoseconds of the clock that all processes of the machine share.
    static var monotonic: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Runs this thread before all that share time; `false` where that is not allowed.
    static func preferThisThread() -> Bool {
        var parameters = sched_param(sched_priority: 10)
        return sched_setscheduler(0, SCHED_FIFO, &parameters) == 0
    }
}
#endif
