import SansIO

extension LinkProfile {
    /// Mobile networks: the first end is the phone, forward its uplink.
    ///
    /// Loss: Gilbert chains fitted to saturated links in mahimahi's traces, where a voice packet
    /// every 20 ms counts as lost if it waits longer than 200 ms for an opportunity. Rates: the
    /// traces' means. Delay: `CellularDelay`, of another year and road.
    static let cellular: [LinkProfile] = [
        cell(
            "lte-good",
            "LTE standing still, good reception.",
            "TMobile-LTE-short.up, its fit used for both ways",
            delay: .verizon5G,
            up: CellularWay(p: 290, r: 74_000, kilobitsPerSecond: 13_350),
            down: CellularWay(p: 290, r: 74_000, kilobitsPerSecond: 16_750)
        ),
        cell(
            "lte-fair",
            "LTE standing still, fair reception.",
            "Verizon-LTE-short.up and .down",
            delay: .verizonLTE,
            up: CellularWay(p: 1_460, r: 85_000, kilobitsPerSecond: 5_960),
            down: CellularWay(p: 1_170, r: 92_000, kilobitsPerSecond: 5_040)
        ),
        cell(
            "lte-weak",
            "LTE standing still, weak reception.",
            "TMobile-LTE-short.down, its fit used for both ways",
            delay: .allNetworks,
            up: CellularWay(p: 2_210, r: 87_000, kilobitsPerSecond: 13_350),
            down: CellularWay(p: 2_210, r: 87_000, kilobitsPerSecond: 16_750)
        ),
        cell(
            "lte-driving",
            "LTE in a car.",
            "TMobile-LTE-driving.down, its fit and rate used for both ways",
            delay: .allNetworks,
            up: CellularWay(p: 3_960, r: 94_000, kilobitsPerSecond: 12_800),
            down: CellularWay(p: 3_960, r: 94_000, kilobitsPerSecond: 12_800)
        ),
        cell(
            "lte-driving-long-bursts",
            "LTE in a car, with long gaps.",
            "ATT-LTE-driving.down, its fit and rate used for both ways",
            delay: .attLTE,
            up: CellularWay(p: 2_430, r: 48_000, kilobitsPerSecond: 5_190),
            down: CellularWay(p: 2_430, r: 48_000, kilobitsPerSecond: 5_190)
        ),
        cell(
            "lte-driving-2016",
            "LTE of 2016 in a car, with losses as on 3G.",
            "ATT-LTE-driving-2016.up and .down",
            delay: .attLTE,
            up: CellularWay(p: 9_950, r: 71_000, kilobitsPerSecond: 1_920),
            down: CellularWay(p: 7_890, r: 118_000, kilobitsPerSecond: 4_570)
        ),
        cell(
            "umts-driving",
            "3G in a car.",
            "TMobile-UMTS-driving.up and .down",
            delay: .tMobileLTE,
            up: CellularWay(p: 35_500, r: 244_000, kilobitsPerSecond: 950),
            down: CellularWay(p: 25_300, r: 143_000, kilobitsPerSecond: 2_030)
        ),
        cell(
            "dead-zone",
            "LTE in a car at the edge of coverage; the recording's gap of 78 s is not included.",
            "ATT-LTE-driving.up and .down",
            delay: .attLTE,
            up: CellularWay(p: 19_300, r: 91_000, kilobitsPerSecond: 840),
            down: CellularWay(p: 2_430, r: 48_000, kilobitsPerSecond: 5_190)
        ),
    ]

    private static func cell(
        _ name: String,
        _ summary: String,
        _ traces: String,
        delay: CellularDelay,
        up: CellularWay,
        down: CellularWay
    ) -> LinkProfile {
        LinkProfile(
            name: name,
            summary: summary,
            source: """
                Loss and mean rate: ravinet/mahimahi, traces/\(traces). Delay: driving USA, August \
                2022, NUWiNS/imc2023-cellular-network-performance-on-wheels-data (IMC 2023), \
                \(delay.network), half the round trip. Assumption: the two belong together.
                """,
            forward: up.direction(delay: delay),
            backward: down.direction(delay: delay)
        )
    }
}

/// One way of a mobile network: Gilbert's chain in parts per million, and the mean rate.
private struct CellularWay {
    var p: Int32
    var r: Int32
    var kilobitsPerSecond: Int64

    func direction(delay: CellularDelay) -> LinkDirection {
        LinkDirection(
            delay: delay.least,
            jitter: delay.jitter,
            loss: .gilbert(p: .ppm(p), r: .ppm(r)),
            capacity: .rate(DataRate(bitsPerSecond: kilobitsPerSecond * 1_000))
        )
    }
}
