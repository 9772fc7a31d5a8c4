import ArgumentParser
import Foundation
import KodamaCommand
import KodamaLanguage
import KodamaNetwork
import KodamaSimulation
import SansIO

/// Carries real packets over a scenario's link, in real time.
struct WireCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wire",
        abstract: "Carries real packets over a scenario's link, between two network interfaces.",
        discussion: """
            Makes a TUN interface at each end, in network namespaces if they are named, and passes each IPv4 \
            packet from one to the other as the link says: rate, queue, loss, delay, jitter, outages, and \
            what the timeline does to it at given times. Linux only, as root.

            Orders come as JSON lines on stdin: {"pass": "all"}, "none", "tcp" or "udp"; {"seed": 7}, which \
            begins anew with that seed at time 0; {"stop": true}, as does the end of stdin. Events go to \
            stdout as JSON lines, with seconds of the machine's monotonic clock. At the end it says by how \
            much deliveries were late.

            Example: kodama-lab wire car.yaml --link mika-phone/cellular --ends phone=10.88.0.2 =10.88.0.1
            """
    )

    @OptionGroup var choice: LoneLinkOptions

    @Option(
        parsing: .upToNextOption,
        help: .init(
            "Both ends, the phone's first: a network namespace (this one if empty) and an address.",
            valueName: "space=address"
        )
    )
    var ends: [WireEnd]

    @Option(help: .init("The name of the interfaces.", valueName: "name"))
    var interface = "wire"

    @Option(help: .init("The largest packet that they take, in bytes.", valueName: "bytes"))
    var mtu = 1_500

    func validate() throws {
        guard ends.count == 2 else {
            throw ValidationError("--ends: name both, such as phone=10.88.0.2")
        }
        guard (68...65_535).contains(mtu) else {
            throw ValidationError("--mtu \(mtu): from 68 to 65535")
        }
    }

    func run() throws {
        #if os(Linux)
        let plan = try choice.load()
        let link = try LoneLink(choice.link, of: plan, seed: choice.seed)
        if link.ignoredActs > 0 {
            Terminal.remark(
                "of the timeline, \(link.ignoredActs) entries are not this link's: left out"
            )
        }
        // In one namespace the two need two names.
        let isShared = ends[0].space == ends[1].space
        let tuns = try [0, 1].map { own in
            try TunInterface(
                isShared ? "\(interface)\(own)" : interface,
                at: ends[own],
                peer: ends[1 - own],
                largestPacket: mtu
            )
        }
        let restart = { try LoneLink(choice.link, of: plan, seed: $0) }
        var wire = RealTimeWire(link, tuns, restart: restart)
        try wire.run()
        #else
        throw Failure(.usage, "wire: TUN interfaces and network namespaces are Linux's")
        #endif
    }
}

#if os(Linux)
/// The event queue of one link, driven by the monotonic clock.
struct RealTimeWire: ~Copyable {
    private struct Order: Decodable {
        var pass: String?
        var seed: UInt64?
        var stop: Bool?
    }

    private var link: LoneLink
    private let tuns: [TunInterface]
    private let restart: (UInt64) throws -> LoneLink
    private var queue = EventQueue<UInt32>()
    private var source = EventSource(component: 0)
    /// Packets on their way, and the slots that are free.
    private var waiting: [(packet: [UInt8], way: LoneLink.Way)] = []
    private var free: [UInt32] = []
    /// By how many nanoseconds each delivery was late.
    private var lateness: [Int64] = []
    private let start = LinuxCalls.monotonic
    /// When the link's own time began, on the queue's line.
    private var epoch: Int64 = 0
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var line: [UInt8] = []
    private var isOver = false

    init(
        _ link: LoneLink,
        _ tuns: [TunInterface],
        restart: @escaping (UInt64) throws -> LoneLink
    ) {
        (self.link, self.tuns, self.restart) = (link, tuns, restart)
    }

    mutating func run() throws {
        let isPreferred = LinuxCalls.preferThisThread()
        try say("wire-up", ["preferred": isPreferred ? 1 : 0])
        while !isOver {
            let timeout = deliver()
            var descriptors = (tuns.map(\.descriptor) + [STDIN_FILENO]).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            LinuxCalls.wait(for: &descriptors, nanoseconds: timeout)
            for (way, descriptor) in zip(LoneLink.Way.allCases, descriptors)
            where descriptor.revents != 0 {
                accept(way)
            }
            if descriptors[2].revents != 0 { try obey() }
        }
        try say("wire-down", summary)
    }

    private var now: Int64 { LinuxCalls.monotonic - start }

    /// Hands over what is due, and says for how many nanoseconds nothing more is.
    private mutating func deliver() -> Int64 {
        while let (due, slot) = queue.pop(through: Instant(nanoseconds: now)) {
            let late = now - due.nanoseconds
            free.append(slot)
            let next = waiting[Int(slot)]
            guard !next.packet.isEmpty else { continue }
            lateness.append(late)
            tuns[next.way.other.rawValue].write(next.packet)
        }
        return queue.nextInstant().map { $0.nanoseconds - now } ?? 60_000_000_000
    }

    private mutating func accept(_ way: LoneLink.Way) {
        while let size = tuns[way.rawValue].read(into: &buffer) {
            // Only IPv4: neighbour discovery is the interfaces' own.
            guard size >= 20, buffer[0] >> 4 == 4 else { continue }
            let traffic: TrafficClass = buffer[9] == UInt8(IPPROTO_TCP) ? .signalling : .media
            let time = Instant(nanoseconds: now - epoch)
            let outcome = link.send(way, bytes: size, traffic, at: time)
            for arrival in [outcome.arrival, outcome.secondArrival].compactMap(\.self) {
                var packet = Array(buffer[..<size])
                if let bit = arrival.corruptedBit { packet[bit / 8] ^= 1 << UInt8(bit % 8) }
                keep(packet, way, until: arrival.instant.nanoseconds + epoch)
            }
        }
    }

    private mutating func keep(_ packet: [UInt8], _ way: LoneLink.Way, until due: Int64) {
        let slot = free.popLast() ?? UInt32(waiting.count)
        if Int(slot) == waiting.count { waiting.append((packet, way)) }
        waiting[Int(slot)] = (packet, way)
        queue.push(slot, at: source.key(at: Instant(nanoseconds: due)))
    }

    private mutating func obey() throws {
        let count = read(STDIN_FILENO, &buffer, 4_096)
        guard count > 0 else { return isOver = true }
        line += buffer[..<count]
        while let end = line.firstIndex(of: UInt8(ascii: "\n")) {
            try obey(Data(line[..<end]))
            line.removeSubrange(...end)
        }
    }

    private mutating func obey(_ text: Data) throws {
        guard let order = try? JSONDecoder().decode(Order.self, from: text) else {
            return Terminal.remark("not an order: \(String(decoding: text, as: UTF8.self))")
        }
        isOver = order.stop ?? false
        if let seed = order.seed {
            // What is still on its way belongs to the time before.
            for slot in waiting.indices { waiting[slot].packet = [] }
            link = try restart(seed)
            epoch = now
            try say("wire-seed", ["seed": Double(seed)], at: start + epoch)
        }
        guard let pass = order.pass else { return }
        switch pass {
        case "all": link.filter(nil, isOn: false)
        case "none": link.filter(nil, isOn: true)
        case "tcp": link.filter(.media, isOn: true)
        case "udp": link.filter(.signalling, isOn: true)
        default: return Terminal.remark("\"pass\": \"\(pass)\": expected all, none, tcp or udp")
        }
        try say("wire-passes", [:])
    }

    private var summary: [String: Double] {
        let sorted = lateness.sorted()
        func late(_ share: Double) -> Double {
            sorted.isEmpty ? 0 : Double(sorted[Int(share * Double(sorted.count - 1))]) / 1e6
        }
        let all = link.statistics
        return [
            "packets": Double(lateness.count),
            "lost": Double(all.reduce(0) { $0 + $1.dropped }),
            "late_p50_ms": late(0.5), "late_p99_ms": late(0.99), "late_max_ms": late(1),
        ]
    }

    /// Writes an event as a line of JSON, at once.
    private func say(_ event: String, _ figures: [String: Double], at time: Int64? = nil) throws {
        let seconds = Double(time ?? LinuxCalls.monotonic) / 1e9
        let fields = figures.sorted { $0.key < $1.key }.map { ", \"\($0.key)\": \($0.value)" }
        try Terminal.say("{\"t\": \(seconds), \"event\": \"\(event)\"\(fields.joined())}")
    }
}
#endif
