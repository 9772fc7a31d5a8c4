extension LinkProfile {
    /// Links between phones in one place, clean or with one impairment at a time.
    static let local: [LinkProfile] = [
        LinkProfile(
            name: "ideal",
            summary: "Delivers everything at once.",
            source: "By definition.",
            forward: LinkDirection()
        ),
        LinkProfile(
            name: "local-clean",
            summary: "A good local link: 8 ms, without loss or jitter.",
            source: "Assumption: the delay at which this project states its local delay targets.",
            forward: LinkDirection(delay: localDelay)
        ),
        LinkProfile(
            name: "local-loss-1",
            summary: "The clean local link with 1 % independent loss.",
            source: "Assumption: the clean local link and a chosen loss.",
            forward: LinkDirection(delay: localDelay, loss: .independent(.ppm(10_000)))
        ),
        LinkProfile(
            name: "local-loss-5",
            summary: "The clean local link with 5 % independent loss.",
            source: "Assumption: the clean local link and a chosen loss.",
            forward: LinkDirection(delay: localDelay, loss: .independent(.ppm(50_000)))
        ),
        LinkProfile(
            name: "local-bursty",
            summary: "The clean local link with 5 % loss in bursts of 3 packets on average.",
            source: """
                Assumption: the clean local link and a chosen loss. By Gilbert's identities \
                (Bell System Technical Journal 39, 1960) 0.0175/(0.0175 + 0.333) are lost, in \
                bursts of 1/0.333.
                """,
            forward: LinkDirection(delay: localDelay, loss: burstsOf5Percent)
        ),
    ]

    /// Gilbert's chain with 5 % loss and bursts of 3.
    static let burstsOf5Percent = LossModel.gilbert(p: .ppm(17_500), r: .ppm(333_000))

    /// Gilbert's chain with 10 % loss and bursts of 3.
    static let burstsOf10Percent = LossModel.gilbert(p: .ppm(37_000), r: .ppm(333_000))

    private static let localDelay = Duration.milliseconds(8)
}
