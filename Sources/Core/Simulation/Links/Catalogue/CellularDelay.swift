import SansIO

/// One-way delays of mobile networks, from pings every 0.2 s while driving.
///
/// Source: NUWiNS/imc2023-cellular-network-performance-on-wheels-data (IMC 2023), 395,525 replies,
/// August 2022. One way is taken as half the round trip.
///
/// A late reply holds back those behind it, so the delays of successive pings are no independent
/// draws. If draws D with the distribution function F are made per ping and pings stay in order,
/// the delay seen has the distribution function G(x) = F(x) · G(x + 200 ms). The probabilities
/// below solve this for F at the measured quantiles of G (5, 50, 90, 95, 99 and 99.9 %); so an
/// in-order link with one draw per 200 ms shows what was measured. Assumptions: the least delay is
/// 0.9 of the 5 % quantile, the greatest 1.25 of the 99.9 % quantile.
struct CellularDelay {
    /// The network, as the data call it.
    var network: String
    /// What every packet takes.
    var least: Duration
    /// What is added, drawn once per ping's interval.
    var jitter: JitterModel

    /// Delays as (parts per million, microseconds).
    init(_ network: String, _ quantiles: [(Int32, Int64)]) {
        self.network = network
        let leastMicroseconds = quantiles.first?.1 ?? 0
        least = .microseconds(leastMicroseconds)
        jitter = .held(
            .points(quantiles.map { ($0, $1 - leastMicroseconds) }),
            period: .milliseconds(200)
        )
    }

    static let allNetworks = CellularDelay(
        "all networks",
        [
            (0, 18_900), (51_355, 21_000), (511_971, 40_000), (917_104, 70_000),
            (963_890, 97_000), (998_752, 325_000), (999_488, 2_297_500), (1_000_000, 2_871_875),
        ]
    )

    static let verizonLTE = CellularDelay(
        "Verizon LTE",
        [
            (0, 20_250), (50_479, 22_500), (504_623, 34_000), (908_065, 44_000),
            (958_283, 52_500), (994_488, 206_500), (999_000, 622_500), (1_000_000, 778_125),
        ]
    )

    static let verizon5G = CellularDelay(
        "Verizon 5G",
        [
            (0, 18_000), (50_328, 20_000), (503_202, 26_000), (905_488, 37_500),
            (955_654, 43_000), (994_060, 117_500), (999_000, 491_500), (1_000_000, 614_375),
        ]
    )

    static let attLTE = CellularDelay(
        "AT&T LTE",
        [
            (0, 26_100), (52_286, 29_000), (521_099, 55_500), (932_586, 105_000),
            (978_198, 177_500), (998_762, 692_000), (999_557, 2_752_000), (1_000_000, 3_440_000),
        ]
    )

    static let tMobileLTE = CellularDelay(
        "T-Mobile LTE",
        [
            (0, 20_250), (52_249, 22_500), (521_557, 46_500), (936_988, 72_500),
            (984_492, 134_500), (999_769, 975_000), (999_861, 10_698_500),
            (1_000_000, 13_373_125),
        ]
    )
}
