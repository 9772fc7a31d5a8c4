extension LinkProfile {
    /// Paths over the Internet that are defined by their delay and loss.
    static let internet: [LinkProfile] = [
        LinkProfile(
            name: "internet-60",
            summary: "A clean Internet path: 60 ms, packets of up to 1,000 bytes.",
            source: """
                Assumption: the delay at which this project states its Internet delay targets. \
                Largest packet: Apple's guidance for unreliable GameKit messages, as quoted in the \
                sources of GameCenterManager.
                """,
            forward: LinkDirection(delay: .milliseconds(60), maximumBytes: 1_000)
        ),
        lossy("voip-loss-5-100ms", "5 % independent loss", .independent(.ppm(50_000))),
        lossy("voip-loss-10-100ms", "10 % independent loss", .independent(.ppm(100_000))),
        lossy("voip-bursty-5-100ms", "5 % loss in bursts of 3", burstsOf5Percent),
        lossy("voip-bursty-10-100ms", "10 % loss in bursts of 3", burstsOf10Percent),
        g1050("g1050-well-managed", delay: 100, jitter: 50, lossPPM: 500),
        g1050("g1050-partially-managed", delay: 100, jitter: 150, lossPPM: 20_000),
        g1050("g1050-unmanaged", delay: 100, jitter: 400, lossPPM: 200_000),
    ]

    private static func lossy(_ name: String, _ what: String, _ loss: LossModel) -> LinkProfile {
        LinkProfile(
            name: name,
            summary: "A call's path with 100 ms of delay and \(what).",
            source: "Assumption: the delay and loss at which this project states recovery targets.",
            forward: LinkDirection(delay: .milliseconds(100), loss: loss)
        )
    }

    /// A path with uniform jitter up to `jitter`; both times are in milliseconds.
    private static func g1050(
        _ name: String,
        delay: Int,
        jitter: Int,
        lossPPM: Int32
    ) -> LinkProfile {
        LinkProfile(
            name: name,
            summary: "A path of this class in ITU-T G.1050, in its usual short form.",
            source: """
                ITU-T G.1050 (11/2007) = TIA-921, the classes' ranges as commonly quoted; the \
                recommendation's own tables were not checked. Assumptions: jitter uniform over the \
                class's range, losses independent.
                """,
            forward: LinkDirection(
                delay: .milliseconds(delay),
                jitter: .uniform(most: .milliseconds(jitter)),
                loss: .independent(.ppm(lossPPM))
            )
        )
    }
}
