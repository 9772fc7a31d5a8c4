public import AppCoordination

/// The intercom app on a phone.
public struct IntercomAppPlan: AppSettings {
    /// The name of its system.
    public static let system = "intercom"

    /// The group that its user is in, if any; without one a secured app waits for an invite, another is
    /// never opened.
    public var group: String?
    /// Whether members find one another, prove who they are, and use radio and Internet; if not, phones
    /// with a link talk over it at once and unsealed.
    public var isSecured = false
    /// The group whose hash its phone shows where others look for members, if not its own: a stranger that
    /// nobody recognizes before the handshake (S-GRP-012).
    public var shownGroup: String?
    /// The app's configuration.
    public var configuration = IntercomConfiguration()
    /// What the app has besides where it is secured.
    public var grouping = GroupTuning()

    /// The app in no group, with its default figures.
    public init() {}
}

extension WorldPlan {
    /// Whether some phone has the intercom of groups.
    public var hasSecuredIntercom: Bool {
        phones.contains { $0.settings(of: IntercomAppPlan.self)?.isSecured ?? false }
    }
}
