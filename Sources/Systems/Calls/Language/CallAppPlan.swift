import AppCoordination
import IncomingCalls
import KodamaBackend
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSession

/// The calling app on a phone.
package struct CallAppPlan: AppSettings {
    /// The name of its system.
    static let system = "calls"

    /// The user who is signed in on the phone.
    var user = ""
    /// Whom the user calls by chance; `nil` for nobody.
    var contact: String?
    /// How long the user lets it ring before answering; `nil` for a user who leaves it ringing.
    var answersAfter: Duration?
    /// How long after both sides are joined the user ends the call; `nil` for a user who does not.
    var hangsUpAfter: Duration?
    /// The app's configuration.
    var configuration = CallAppConfiguration(bundleId: "example.kodama.calls")
    /// The model of the SDK in it.
    var sdk = RoomClientConfiguration()

    /// With real voices a call is sound.
    package var carriesSamples: Bool { true }
    package var carriesSizedSound: Bool { false }
    /// The other party listens.
    package var hasListeners: Bool { true }

    /// The app with its default figures.
    init() {}
}

/// The servers that calls need besides those of sessions.
struct CallServicesPlan: Tunable {
    /// The push service.
    var push = PushServiceSettings()

    /// The name of the app server's push provider in the trace.
    static let providerName = "provider"
    /// The push service's name in the trace.
    static let pushName = "push"
    /// The names of the servers in the trace.
    static let componentNames = [providerName, pushName]

    /// Servers that work.
    init() {}
}

extension WorldPlan {
    /// The figures of the servers that calls need.
    var callServices: CallServicesPlan {
        get { shared[CallServicesPlan.self] }
        set { shared[CallServicesPlan.self] = newValue }
    }
}

/// What the user does in the calling app.
enum CallAppAct: SystemAct {
    /// Calls another user.
    case dial(CallDial)
    /// Logs out of the app.
    case logOut
    /// Signs in again, when asked to.
    case signIn
    /// Does to a call, by the app's own buttons, what the call screen offers as well.
    case choose(CallScreenAct)
}

/// Whom a user calls, and how.
struct CallDial: Sendable, Equatable {
    /// The user who is called.
    var contact: String
    /// Whether there are pictures.
    var hasVideo: Bool

    /// Makes a call to a user, without pictures unless it is said.
    init(_ contact: String, hasVideo: Bool = false) {
        self.contact = contact
        self.hasVideo = hasVideo
    }
}

/// What can be done to the push service and its provider.
enum PushAct: SystemAct {
    /// Something befalls the push service.
    case service(PushServiceFault)
    /// The provider sends a push with this payload to a phone.
    case payload(phone: String, String)
    /// The push service replaces a phone's token.
    case invalidateToken(phone: String)
    /// A phone's token is dead, which the push service finds out later.
    case withdrawToken(phone: String)
    /// A background notification says at a phone that the call placed last is over.
    case endSignal(phone: String, CallEndReason)
}
