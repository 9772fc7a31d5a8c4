public import CoachAccount
public import CoachExchange
public import SansIO

/// The machines of the account that ask the coach's server; each numbers its own calls.
public enum CoachAccountPart: UInt32, Sendable, Hashable, CaseIterable {
    /// The delivery of reflections.
    case reflections
    /// The delivery of analytics.
    case metrics
    /// What the user has paid for.
    case entitlements
    /// The cloned voice.
    case voice
    /// The preload of the wake audio.
    case preload
    /// The guide's summaries.
    case guide
}

extension CoachAccountPart {
    init(_ outbox: OutboxDelivery.Outbox) {
        switch outbox {
        case .reflections: self = .reflections
        case .metrics: self = .metrics
        }
    }
}

/// What the account of a user has in an app.
public struct CoachAccountConfiguration: Sendable, Equatable {
    /// What a subscription is judged by.
    public struct Subscription: Sendable, Equatable {
        /// Tells what the App Store has signed from what it has not.
        public var verifier: SubscriptionVerifier
        /// When access ends.
        public var policy: EntitlementPolicy

        /// Makes the rule.
        public init(verifier: SubscriptionVerifier, policy: EntitlementPolicy) {
            (self.verifier, self.policy) = (verifier, policy)
        }
    }

    /// What a subscription is judged by; `nil` in an app that costs nothing.
    public var subscription: Subscription?
    /// Whether a new user is led through the onboarding.
    public var onboards = false
    /// The Bluetooth devices that the user has confirmed to be headphones.
    public var headphones: [String] = []

    /// Makes an account without any of these.
    public init() {}
}

/// The entropy of the waits of an account's machines.
public struct CoachAccountSeeds: Sendable, Equatable {
    /// For the delivery of reflections.
    public var reflections: UInt64
    /// For the delivery of analytics.
    public var metrics: UInt64
    /// For what the user has paid for.
    public var entitlements: UInt64
    /// For the cloned voice.
    public var voice: UInt64

    /// Takes four seeds that were drawn apart.
    public init(reflections: UInt64, metrics: UInt64, entitlements: UInt64, voice: UInt64) {
        (self.reflections, self.metrics) = (reflections, metrics)
        (self.entitlements, self.voice) = (entitlements, voice)
    }
}

/// What the store and StoreKit have when the app's process begins.
public struct CoachAccountFacts: Sendable, Equatable {
    /// What the store has of the subscription.
    public var entitlement: EntitlementRecord
    /// What StoreKit has at hand.
    public var transaction: SignedSubscription?
    /// What the stores of this phone's other users have: bought by them, and nobody else's.
    public var othersTransactions: [SignedSubscription] = []
    /// The session as secure storage has it; `nil` if nobody is signed in.
    public var session: String?
    /// What the phone's clock shows.
    public var time: WallTime
    /// How far the cloned voice had come.
    public var voice: VoiceProgress
    /// How far the onboarding had come.
    public var onboarding: OnboardingProgress

    /// Makes facts of a store in which there is nothing yet.
    public init(at time: WallTime) {
        self.time = time
        entitlement = EntitlementRecord()
        voice = .none
        onboarding = OnboardingProgress()
    }
}

/// What the world tells an account.
public enum CoachAccountEvent: Sendable, Equatable {
    /// The store is open: what goes on, and from where.
    case opened(CoachAccountFacts)
    /// A user has signed in; this is the session.
    case signedIn(session: String)
    /// The user has signed out.
    case signedOut
    /// There is a network again, or another one; or the process runs again.
    case pathRestored
    /// Something was written to an outbox.
    case outboxWritten(OutboxDelivery.Outbox)
    /// Everything in the outboxes is to go out, as the mirror has brought more.
    case deliveryRequested
    /// The store has loaded the oldest entries of an outbox.
    case loaded(OutboxDelivery.Outbox, OperationID, OutboxDelivery.Batch)
    /// The store could not load them.
    case loadFailed(OutboxDelivery.Outbox, OperationID)
    /// The store has marked entries, or could not.
    case marked(OutboxDelivery.Outbox, OperationID, isDone: Bool)
    /// StoreKit has given a transaction.
    case transactionUpdated(SignedSubscription)
    /// The phone's clock has jumped.
    case clockJumped(WallTime)
    /// The server answered a call of one of the machines.
    case serverAnswered(CoachAccountPart, OperationID, CoachAnswer)
    /// The coach wants something of its account.
    case errand(CoachErrand)
    /// A fact for the cloned voice.
    case voice(VoiceProfiles.Event)
    /// A fact for the onboarding.
    case onboarding(Onboarding.Event)
    /// A fact for self-talk.
    case selfTalk(SelfTalk.Event)
}

/// What an account orders.
public enum CoachAccountEffect: Sendable, Equatable {
    /// Loads the oldest entries of an outbox, `countMax` at most.
    case load(OutboxDelivery.Outbox, OperationID, countMax: Int)
    /// Marks entries of an outbox, all in one transaction.
    case mark(OutboxDelivery.Outbox, OperationID, OutboxDelivery.Mark)
    /// Makes the store the user's, by the name in their session.
    case claim(String)
    /// Closes the store and ends this account, with all that it has asked for, as at the end of the process;
    /// then opens the store of this user, which may be new, and makes an account of that.
    case openStore(of: String)
    /// Makes a request for one of the machines, in the session of the store's owner.
    case callServer(CoachAccountPart, OperationID, CoachRequest, session: String)
    /// Cancels a call; its answer is no longer needed.
    case cancelCall(CoachAccountPart, OperationID)
    /// Downloads the wake audio, which `audioDownloaded` answers once the file lies whole in the sounds folder.
    case download(OperationID, url: String)
    /// Cancels a download; its file is no longer needed.
    case cancelDownload(OperationID)
    /// Tells the coach what came of an errand.
    case answerCoach(CoachEvent)
    /// Shows how the delivery of an outbox stands.
    case showDelivery(OutboxDelivery.Outbox, OutboxDelivery.Status)
    /// Keeps what is known of the subscription.
    case keepEntitlement(EntitlementRecord)
    /// Shows what the user has.
    case showAccess(EntitlementStatus)
    /// Asks the user to sign in.
    case showSignIn
    /// Shows the usage limits that are reached, in place of those before; none if the list is empty (AN-20).
    case showLimits([UsageKind])
    /// An order of the cloned voice's that is about this phone alone.
    case voice(VoiceProfiles.Effect)
    /// Tells the coach whether there is a cloned voice; comes behind the order that keeps it.
    case tellClone(isAvailable: Bool)
    /// Tells the coach whose the store is: what is talked about from now on is theirs.
    case tellUser(String)
    /// An order of the onboarding's.
    case onboarding(Onboarding.Effect)
    /// An order of self-talk's.
    case selfTalk(SelfTalk.Effect)
}
