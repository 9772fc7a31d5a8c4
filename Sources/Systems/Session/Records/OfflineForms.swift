import KodamaEvidence

/// The app handed over to whoever talks without a link.
struct OfflineHandedOver: TraceForm {
    static let kind = TraceKind(.session, 38)
    static let text = TraceFormText(
        "offline.handed_over",
        .milestone,
        "The app lost its link and handed over to its offline part."
    )
}

/// The app took the conversation back.
struct OfflineTakenBack: TraceForm {
    static let kind = TraceKind(.session, 39)
    static let text = TraceFormText(
        "offline.taken_back",
        .milestone,
        "The app has its link back and takes over from its offline part."
    )
}

struct OfflineEnded: TraceForm {
    static let kind = TraceKind(.session, 53)
    static let text = TraceFormText(
        "offline.ended",
        .milestone,
        "The conversation ended while the app's offline part had it."
    )
}
