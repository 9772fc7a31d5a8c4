/// A link as scenarios write it.
enum LinkShapes {
    private static let delay = Shape.quantity(.duration, 0...600_000_000_000, step: 1)
    private static let size = Shape.quantity(.dataSize, 1...1_000_000_000, step: 1)

    /// What a direction of a link may say that its profile says otherwise.
    static let directionFields: [Field] = [
        Field(
            "rate",
            .word(
                Choice(word: "unlimited", summary: "Packets leave at once."),
                or: .quantity(.dataRate, 1...100_000_000_000, step: 1)
            ),
            "How fast packets leave."
        ),
        Field(
            "trace",
            .path,
            "A file of opportunities in mahimahi's format: a millisecond a line."
        ),
        Field("largest_packet", size, "Larger packets do not pass."),
        Field(
            "queue",
            .scalar(size, or: queue),
            "What happens to packets that wait; a bare size is a drop-tail queue."
        ),
        Field(
            "loss",
            .scalar(.probability, or: loss),
            "Which packets vanish; a bare share loses each on its own."
        ),
        Field("delay", delay, "What every packet takes."),
        Field("jitter", .mapping(jitter), "What is added to the delay."),
        Field("reordering", .boolean, "Whether a packet may overtake another."),
        Field("duplication", .probability, "How likely a packet arrives twice."),
        Field("corruption", .probability, "How likely a packet arrives with a flipped bit."),
    ]

    /// What excludes what among them.
    static let directionExclusive = [("rate", "trace")]

    private static let direction = MappingShape(
        name: "direction",
        noun: "a direction of a link",
        summary: "What one direction does to a packet, where it differs from the profile.",
        fields: directionFields,
        exclusive: directionExclusive
    )

    static let shaping =
        [Field("profile", .reference(.profile), .refused, "The named link that it is like.")]
        + directionFields
        + [
            Field("forward", .mapping(direction), "Changes from the first end to the second."),
            Field("backward", .mapping(direction), "Changes from the second end to the first."),
        ]

    static let link = MappingShape(
        name: "link",
        noun: "a link",
        summary: "A link between two phones; its own keys change both directions.",
        fields: [
            Field(
                "between",
                .list(of: .reference(.peer), counts: 2...2),
                .refused,
                "The two phones."
            )
        ] + shaping,
        exclusive: directionExclusive
    )

    private static let queue = MappingShape(
        name: "queue",
        noun: "a queue",
        summary: "What happens to packets that wait.",
        fields: [
            Field("drop_tail", size, "A packet that finds no room in so much is dropped."),
            Field("codel", .mapping(controlledDelay), "Controlled delay (RFC 8289)."),
        ],
        exactlyOne: ["drop_tail", "codel"]
    )

    private static let controlledDelay = MappingShape(
        name: "codel",
        noun: "a controlled-delay queue",
        summary: "A queue that keeps its delay down (RFC 8289).",
        fields: [
            Field("target", .span, .means("5ms"), "The acceptable delay."),
            Field("interval", .span, .means("100ms"), "How long the delay may lie above it."),
            Field("limit", size, .means("64kB"), "The room behind it."),
        ]
    )

    private static let loss = MappingShape(
        name: "loss",
        noun: "a kind of loss",
        summary: "Which packets vanish.",
        fields: [
            Field("independent", .probability, "Each on its own, this likely."),
            Field("gilbert_elliott", .mapping(gilbertElliott), "In bursts."),
        ],
        exactlyOne: ["independent", "gilbert_elliott"]
    )

    private static let gilbertElliott = MappingShape(
        name: "gilbert_elliott",
        noun: "a loss in bursts",
        summary: "A chain of a good and a bad state, stepped per packet.",
        fields: [
            Field("p", .probability, .refused, "From good to bad."),
            Field("r", .probability, .refused, "From bad to good."),
            Field("loss_good", .probability, .means("0%"), "The loss in the good state."),
            Field("loss_bad", .probability, .means("100%"), "The loss in the bad state."),
        ]
    )

    private static let jitter = MappingShape(
        name: "jitter",
        noun: "a kind of jitter",
        summary: "What is added to the delay.",
        fields: [
            Field("uniform", delay, "Anything up to so much, equally likely."),
            Field(
                "half_normal",
                delay,
                "The magnitude of a normal deviate with this standard deviation."
            ),
            Field(
                "quantiles",
                .list(of: delay, counts: 2...10_000),
                "Quantiles at equal steps of .probability, from 0 to 1."
            ),
        ],
        exactlyOne: ["uniform", "half_normal", "quantiles"]
    )
}
