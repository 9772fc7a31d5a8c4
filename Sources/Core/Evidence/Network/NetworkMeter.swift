/// Counts what the links were given: all that travels, of whatever system.
package struct NetworkMeter: SystemMeter {
    private var up = Measure.bytes(
        "network.up.bytes",
        "Bytes that phones' radios were given for the Internet: all packets with their headers, lost ones too.",
        "HN-01",
        occasions: .atOnce
    )
    private var upByRadio = Measure.size(
        "network.up.radio.bytes",
        "For each radio of a phone, in each run: the bytes that it was given for the Internet, if any.",
        "HN-01",
        occasions: .atOnce
    )
    private var down = Measure.bytes(
        "network.down.bytes",
        "Bytes that the Internet gave phones' radios.",
        "HN-01",
        occasions: .atOnce
    )
    private var peer = Measure.bytes(
        "network.peer.bytes",
        "Bytes that links between phones were given, both directions.",
        "HN-01",
        occasions: .atOnce
    )
    private var dropped = Measure.share(
        "network.packets.dropped",
        "Share of all packets given to links that never arrived, for whatever reason.",
        "HN-01",
        occasions: .atOnce
    )

    private var droppedUp = Measure.share(
        "network.up.packets.dropped",
        "Share of the packets that phones' radios were given for the Internet that never arrived.",
        "RFC 3550",
        occasions: .atOnce
    )
    private var droppedDown = Measure.share(
        "network.down.packets.dropped",
        "Share of the packets that the Internet gave phones' radios that never arrived.",
        "RFC 3550",
        occasions: .atOnce
    )
    private var droppedPeer = Measure.share(
        "network.peer.packets.dropped",
        "Share of the packets given to links between phones that never arrived, both directions.",
        "RFC 3550",
        occasions: .atOnce
    )

    package init(_ directory: TraceDirectory) {}

    package mutating func record(contentsOf records: [TraceRecord], from position: Int) {
        for record in records where record.kind == LinkCarried.kind {
            let carried = LinkCarried(record)
            let packets = Int(carried.packets)
            guard packets > 0 else { continue }
            let occurrence = Occurrence(record)
            switch carried.way.value {
            case .up:
                up.add(carried.bytes, samples: packets, at: occurrence)
                upByRadio.add(carried.bytes, at: occurrence)
                add(carried, to: &droppedUp, occurrence)
            case .down:
                down.add(carried.bytes, samples: packets, at: occurrence)
                add(carried, to: &droppedDown, occurrence)
            case .forward, .backward:
                peer.add(carried.bytes, samples: packets, at: occurrence)
                add(carried, to: &droppedPeer, occurrence)
            case nil: continue
            }
            add(carried, to: &dropped, occurrence)
        }
    }

    private func add(
        _ carried: LinkCarried,
        to share: inout Measure<Proportion>,
        _ occurrence: Occurrence
    ) {
        let packets = Int(carried.packets)
        share.add(carried.dropped, of: carried.packets, samples: packets, at: occurrence)
    }

    package var metrics: [any AnyMeasure] {
        [up, upByRadio, down, peer, dropped, droppedUp, droppedDown, droppedPeer]
    }
}
