import SansIO

extension LinkProfile {
    /// Wi-Fi through an access point and from phone to phone.
    static let radio: [LinkProfile] = [wifiHome, wifiInternet, awdlNear, awdlEdge]

    /// Per packet, in order: the few packets of 90 ms and more hold back those behind them, which
    /// gives the measured spikes their shape, a jump and a straight fall over a dozen packets.
    private static let wifiHome = LinkProfile(
        name: "wifi-home",
        summary: "Wi-Fi through a home's access point, with rare spikes of up to 250 ms.",
        source: """
            Huitema, "The weird case of the wifi latency spikes", privateoctopus.com, 18 May 2023: \
            30,000 UDP packets, one every 20 ms, and their echoes: round trip median 4.04 ms, 95 % \
            below 8 ms, 99th percentile 50.7 ms, 18 spikes above 100 ms, 12 above 200 ms, 38 \
            packets lost. The quantiles of one way are chosen so that both ways together, in \
            order, show these figures. Assumptions: both ways alike, losses independent of spikes.
            """,
        forward: LinkDirection(
            delay: .microseconds(1_200),
            jitter: .points([
                (0, 0), (500_000, 800), (950_000, 1_400), (996_200, 5_800), (999_700, 88_800),
                (999_800, 198_800), (1_000_000, 248_800),
            ]),
            loss: .independent(.ppm(600))
        )
    )

    /// The normal network of a phone at home: the Wi-Fi above and a way to a server in the region.
    private static let wifiInternet = LinkProfile(
        name: "wifi-internet",
        summary: "Wi-Fi at home and 20 ms of Internet to a server in the region.",
        source: """
            \(wifiHome.source) Assumption: 20 ms one way between the access point and the server, \
            without loss of its own.
            """,
        forward: {
            var direction = wifiHome.forward
            direction.delay += .milliseconds(20)
            return direction
        }()
    )

    private static let awdlNear = LinkProfile(
        name: "awdl-near",
        summary: "Phone to phone over AWDL, in one room.",
        source: "\(awdlSource) Assumption: loss 0.12 %, bursts of 3.",
        forward: LinkDirection(
            delay: awdlDelay,
            jitter: awdlJitter,
            loss: .gilbert(p: .ppm(400), r: .ppm(330_000))
        )
    )

    private static let awdlEdge = LinkProfile(
        name: "awdl-edge",
        summary: "Phone to phone over AWDL, at the edge of its range.",
        source: "\(awdlSource) Assumption: loss 2.9 %, bursts of 5.",
        forward: LinkDirection(
            delay: awdlDelay,
            jitter: awdlJitter,
            loss: .gilbert(p: .ppm(6_000), r: .ppm(200_000))
        )
    )

    private static let awdlSource = """
        No measured MultipeerConnectivity delays are published. Extended availability window of \
        64 TU = 65.536 ms: seemoo-lab/owl, src/sync.c. Round trips between 3 and 90 ms while AWDL \
        is active: Visser, RIPE 91, 2025. Assumption: a median round trip of 12 ms, log-normal to a \
        95th percentile of 70 ms, cut at 90 ms, half of it one way, one draw per window.
        """

    private static let awdlDelay = Duration.microseconds(1_500)

    private static let awdlJitter = JitterModel.held(
        .points([
            (0, 0), (250_000, 1_400), (500_000, 4_500), (750_000, 10_900), (900_000, 22_200),
            (950_000, 33_500), (1_000_000, 43_500),
        ]),
        period: .microseconds(65_536)
    )
}
