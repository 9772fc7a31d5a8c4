public import SansIO

/// The app was launched.
public struct AppLaunched: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.phone, 15) }
    /// What it is called.
    public static let text = TraceFormText(
        "app.launched",
        .milestone,
        "A device's app was launched."
    )

    /// Makes the values of a record.
    @inlinable
    public init() {}
}

/// The app's process ended.
public struct AppTerminated: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.phone, 16) }
    /// What it is called.
    public static let text = TraceFormText(
        "app.terminated",
        .milestone,
        "A device's app was thrown out of memory."
    )

    /// Makes the values of a record.
    @inlinable
    public init() {}
}

/// The scene's phase changed.
public struct SceneChanged: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.phone, 17) }
    /// What it is called.
    public static let text = TraceFormText(
        "scene.changed",
        .control,
        "The app's scene became active, inactive or background.",
        .words("phase", ScenePhase.self)
    )
    /// The new phase.
    public var phase: TraceWord<ScenePhase>

    /// Makes the values of a record.
    @inlinable
    public init(phase: ScenePhase) {
        self.phase = TraceWord(phase)
    }
}

/// The system told the app of the network.
public struct PathNoticed: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.phone, 19) }
    /// What it is called.
    public static let text = TraceFormText(
        "path.noticed",
        .control,
        "The app was told by which interface it may use the network, if by any.",
        .words("interface", NetworkInterface.self, orNone: true)
    )
    /// The interface, or none.
    public var interface: TraceWord<NetworkInterface>

    /// Makes the values of a record.
    @inlinable
    public init(interface: NetworkInterface?) {
        self.interface = TraceWord(interface)
    }
}
