public import KodamaSimulation

/// One of the apps on a phone: its index among those that are installed.
@frozen
public struct AppID: Sendable, Hashable, BitwiseCopyable {
    /// The index, from 0.
    public var index: Int

    /// Names the app at an index.
    @inlinable
    public init(_ index: Int) {
        self.index = index
    }
}

/// An app as the phone's system knows it.
public struct InstalledApp: Sendable, Equatable {
    /// What the launch times are drawn from, one draw per launch.
    ///
    /// The key belongs to this app on this phone alone, so that neither another phone nor another app
    /// changes its draws.
    public var launches: RandomStream
    /// Whether the app may use the microphone, and what the user says if they are asked.
    public var microphone: PermissionCondition

    /// Describes an app.
    public init(launches: RandomStream, microphone: PermissionCondition = PermissionCondition()) {
        self.launches = launches
        self.microphone = microphone
    }
}
