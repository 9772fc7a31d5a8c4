import KodamaEvidence

/// The app handed over to whoever talks without a link.
struct OfflineHandedOver: TraceForm {
    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 38) }

    /// Its text.
    static let text = TraceFormText(
        "offline.handed_over",
        .milestone,
        [],
        "The app lost its link and handed over to its offline part."
    )

    /// Makes the values of a record.
    init() {}
}

/// The app took the conversation back.
struct OfflineTakenBack: TraceForm {
    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 39) }

    /// Its text.
    static let text = TraceFormText(
        "offline.taken_back",
        .milestone,
        [],
        "The app has its link back and takes over from its offline part."
    )

    /// Makes the values of a record.
    init() {}
}

/// The conversation ended while the app's offline part had it.
struct OfflineEnded: TraceForm {
    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 53) }

    /// Its text.
    static let text = TraceFormText(
        "offline.ended",
        .milestone,
        [],
        "The conversation ended while the app's offline part had it."
    )

    /// Makes the values of a record.
    init() {}
}
