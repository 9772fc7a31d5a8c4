import KodamaNetwork
public import KodamaPhone
public import KodamaSimulation
public import SansIO

/// A phone, and the apps on it.
public struct PhonePlan: Sendable, Equatable {
    /// How many a plan may have of those that are counted: each takes some kilobytes before it runs.
    static let countMax = 100_000

    /// The unique name.
    public var name: String
    /// The phone's ways to the Internet; each is a link called `PHONE/INTERFACE`.
    public var radios: [RadioPlan] = []
    /// How much faster than true its audio clock runs; −500 to 500 parts per million.
    public var clockDriftPartsPerMillion = 0
    /// How the phone's system treats apps.
    public var system = PhoneSystemConfiguration()
    /// What the phone grants its apps at the start, and what it refuses.
    public var condition = PhoneCondition()
    /// The apps, at most one of each system, sorted by the names of the systems.
    public var apps: [AppPlan] = []

    /// Makes a phone without radios and apps.
    public init(name: String) {
        self.name = name
    }

    /// The settings of its app of a system; `nil` if it has none.
    public func settings<Settings: AppSettings>(of system: Settings.Type) -> Settings? {
        apps.lazy.compactMap { $0.settings as? Settings }.first
    }
}

/// An app on a phone.
public struct AppPlan: Sendable, Equatable {
    /// What belongs to its system.
    public var settings: any AppSettings
    /// How it comes to run.
    public var start: AppStart

    /// Puts an app on a phone.
    public init(_ settings: any AppSettings, start: AppStart) {
        self.settings = settings
        self.start = start
    }

    /// The name of its system, which is the app's on its phone.
    public var name: String { type(of: settings).system }

    /// The name of the component that an app of a system is on a phone.
    public static func component(_ system: String, on phone: String) -> String {
        "\(phone).\(system)"
    }

    /// Compares settings of one system by their values; others differ.
    public static func == (left: AppPlan, right: AppPlan) -> Bool {
        left.start == right.start && left.settings.equals(right.settings)
    }
}

/// What a system's app has besides what every app has.
public protocol AppSettings: Sendable, Equatable {
    /// The name of the system, such as `session`.
    static var system: String { get }

    /// Whether the app records and plays samples where voices are real.
    var carriesSamples: Bool { get }
    /// Whether its sound has frames of the sizes of sound where voices are sized.
    var carriesSizedSound: Bool { get }
    /// The server that listens to the app's user where voices are real, if one does.
    var listeningServer: String? { get }
    /// Whether the app's user is among others who may hear them.
    var hasListeners: Bool { get }
    /// Whether reports state how much of the app's media is carried.
    var statesMedia: Bool { get }
    /// The label of the program that the app runs beside the simulator, if it runs one.
    var program: String? { get }
}

extension AppSettings {
    /// Most apps carry no samples.
    public var carriesSamples: Bool { false }
    /// Most apps that carry samples have frames of their sizes.
    public var carriesSizedSound: Bool { carriesSamples }
    /// Most apps have no server that listens.
    public var listeningServer: String? { nil }
    /// Most apps have nobody who listens.
    public var hasListeners: Bool { false }
    /// Most apps have no media that could be left out.
    public var statesMedia: Bool { false }
    /// Most apps run inside the simulator.
    public var program: String? { nil }

    /// Whether these are the same settings of the same system.
    fileprivate func equals(_ other: any AppSettings) -> Bool { self == other as? Self }
}

/// How an app comes to run.
public enum AppStart: Sendable, Equatable {
    /// It has been opened before: it runs in front when the story begins.
    case open
    /// The user opens it then; it is launched.
    case opened(at: Duration)
    /// It does not run until the timeline opens it.
    case closed
}

/// One of a phone's ways to the Internet.
public struct RadioPlan: Sendable, Equatable {
    /// The interface.
    public var interface: NetworkInterface
    /// What its link does: forward is from the phone to the servers.
    public var profile: LinkProfile
    /// Whether it has an address at the start.
    public var isUp: Bool
    /// Outages that come by themselves.
    public var outages: OutageProcess?

    /// Makes a radio that is up and has no outages of its own.
    public init(_ interface: NetworkInterface, profile: LinkProfile) {
        self.interface = interface
        self.profile = profile
        isUp = true
    }
}
