/// The app handed over to whoever talks without a link.
public struct OfflineHandedOver: TraceForm {
    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.session, 38) }

    /// Its text.
    public static let text = TraceFormText(
        "offline.handed_over",
        .milestone,
        [],
        "The app lost its link and handed over to its offline part."
    )

    /// Makes the values of a record.
    @inlinable
    public init() {}
}

/// The app took the conversation back.
public struct OfflineTakenBack: TraceForm {
    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.session, 39) }

    /// Its text.
    public static let text = TraceFormText(
        "offline.taken_back",
        .milestone,
        [],
        "The app has its link back and takes over from its offline part."
    )

    /// Makes the values of a record.
    @inlinable
    public init() {}
}

/// The conversation ended while the app's offline part had it.
public struct OfflineEnded: TraceForm {
    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.session, 53) }

    /// Its text.
    public static let text = TraceFormText(
        "offline.ended",
        .milestone,
        [],
        "The conversation ended while the app's offline part had it."
    )

    /// Makes the values of a record.
    @inlinable
    public init() {}
}
