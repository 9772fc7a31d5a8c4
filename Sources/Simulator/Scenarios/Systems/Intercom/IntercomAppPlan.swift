public import AppCoordination

/// The intercom app on a phone.
public struct IntercomAppPlan: AppSettings {
    /// The name of its system.
    public static let system = "intercom"

    /// The group that its user is in, if any; without one the app is never opened.
    public var group: String?
    /// The app's configuration.
    public var configuration = IntercomConfiguration()

    /// The app in no group, with its default figures.
    public init() {}
}
