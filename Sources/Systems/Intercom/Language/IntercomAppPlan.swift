package import AppCoordination
import KodamaLanguage

/// The intercom app on a phone.
package struct IntercomAppPlan: AppSettings {
    /// The name of its system.
    static let system = "intercom"

    /// The group that its user is in, if any; without one a secured app waits for an invite, another is
    /// never opened.
    var group: String?
    /// Whether members find one another, prove who they are, and use radio and Internet; if not, phones
    /// with a link talk over it at once and unsealed.
    var isSecured = false
    /// The group whose hash its phone shows where others look for members, if not its own: a stranger that
    /// nobody recognizes before the handshake (S-GRP-012).
    var shownGroup: String?
    /// The app's configuration.
    package var configuration = IntercomConfiguration()
    /// What the app has besides where it is secured.
    var grouping = GroupTuning()

    /// The intercom is the app that people's recorded voices go through.
    var carriesSamples: Bool { true }
    /// Whoever is in a group may be heard.
    var hasListeners: Bool { group != nil }

    /// The app in no group, with its default figures.
    init() {}
}

extension WorldPlan {
    /// Whether some phone has the intercom of groups.
    var hasSecuredIntercom: Bool {
        phones.contains { $0.settings(of: IntercomAppPlan.self)?.isSecured ?? false }
    }
}
