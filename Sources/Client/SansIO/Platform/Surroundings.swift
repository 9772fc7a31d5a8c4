/// The phases of an app's scene (UIKit `UIScene.ActivationState`, SwiftUI `ScenePhase`).
public enum ScenePhase: Int64, Sendable, Hashable, CaseIterable {
    /// In front and receiving touches.
    case active
    /// In front, but something lies over it: Control Centre, a call banner, the app switcher.
    case inactive
    /// Not visible.
    case background
}

/// What the system says of the network (Network.framework, `NWPath`).
public enum NetworkPath: Sendable, Equatable {
    /// There is none.
    case unsatisfied
    /// Packets may leave by this interface.
    case satisfied(NetworkInterface)
}

/// A phone's ways to the Internet.
public enum NetworkInterface: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    /// Wi-Fi; preferred whenever it is up.
    case wifi
    /// The cellular radio.
    case cellular
}
