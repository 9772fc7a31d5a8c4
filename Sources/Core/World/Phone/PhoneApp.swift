public import KodamaEvidence
public import KodamaNetwork
public import KodamaPhone
import KodamaSimulation
public import SansIO

/// An app on a phone: the system's guest, joined to it by news, orders, packets and sound.
///
/// The defaults ignore everything; an app implements what concerns it.
public protocol PhoneApp: Component {
    /// Where it is installed: on which phone, and as which component.
    var installation: Installation { get }

    /// Its process is made; no line of its code has run yet.
    func launch(on stage: inout Stage)
    /// The system ends its process for this reason; `terminate` follows.
    func willEnd(_ reason: KillReason, on stage: inout Stage)
    /// Its process has ended, and its memory is gone.
    func terminate(on stage: inout Stage)
    /// Its process is held: nothing in it runs.
    func suspend(on stage: inout Stage)
    /// Its process runs again after it was held.
    func resume(on stage: inout Stage)
    /// The system tells it something.
    func inform(_ news: SystemNews, on stage: inout Stage)

    /// Sockets may use other addresses from now on.
    func addressesChanged(on stage: inout Stage)
    /// Its sockets of this address report an error.
    func socketsFailed(_ address: NetworkAddress, on stage: inout Stage)
    /// The path may have begun or ceased to carry packets.
    func touchPath(on stage: inout Stage)

    /// Whether the app exchanges sound with microphone and speaker in frames.
    var usesFrames: Bool { get }
    /// The microphone has a frame ready, and the app has the microphone.
    func captureFrame(_ number: Int64, on stage: inout Stage)
    /// The speaker asks for sound, and the app has the speaker.
    func renderSound(on stage: inout Stage)
    /// A person at the phone begins or ends a talk spurt.
    func personSpoke(begins: Bool, on stage: inout Stage)

    /// A notification for it reached the phone; the system has not told it yet.
    func received(_ notification: PushNotification, on stage: inout Stage)
    /// The system acts on the app's pushes or calls without telling the app.
    func observe(_ fact: CallFact, on stage: inout Stage)

    /// Everything that the system ordered in one turn has been carried out.
    func systemSettled(on stage: inout Stage)
}

/// What the system does about an app's pushes and calls, seen from outside the app.
public enum CallFact {
    /// A call rings.
    case ringBegan(UniqueID)
    /// It rings no more.
    case ringEnded(UniqueID, RingEnd)
    /// The app did not report a push, and is ended for it.
    case pushUnreported(PushRuleBreach)
    /// Its pushes are dropped from now on.
    case pushesBlocked
}

/// Where an app is installed.
///
/// An object, since every packet asks its app for one or another of these.
public final class Installation {
    /// The phone that it runs on.
    @usableFromInline package unowned(unsafe) let phone: Phone
    /// The app as its phone's system knows it.
    public let id: AppID
    /// Its index among the world's components.
    public let index: ComponentIndex
    /// Its name in the trace, after its phone.
    public let name: String

    package init(phone: Phone, id: AppID, index: ComponentIndex, name: String) {
        self.phone = phone
        self.id = id
        self.index = index
        self.name = name
    }
}

extension PhoneApp {
    @inlinable package var phone: Phone { installation.phone }
    /// The app as its phone's system knows it.
    @inlinable public var id: AppID { installation.id }
    /// Its index among the world's components.
    @inlinable public var index: ComponentIndex { installation.index }
    /// Its name in the trace, after its phone.
    @inlinable public var name: String { installation.name }

    /// Does nothing.
    @inlinable public func launch(on stage: inout Stage) {}
    /// Does nothing.
    @inlinable public func willEnd(_ reason: KillReason, on stage: inout Stage) {}
    /// Does nothing.
    @inlinable public func terminate(on stage: inout Stage) {}
    /// Does nothing.
    @inlinable public func suspend(on stage: inout Stage) {}
    /// Does nothing.
    @inlinable public func resume(on stage: inout Stage) {}
    /// Does nothing.
    @inlinable public func addressesChanged(on stage: inout Stage) {}
    /// Does nothing.
    @inlinable public func socketsFailed(_ address: NetworkAddress, on stage: inout Stage) {}
    /// Does nothing.
    @inlinable public func touchPath(on stage: inout Stage) {}
    /// No.
    @inlinable public var usesFrames: Bool { false }
    /// Does nothing.
    @inlinable public func captureFrame(_ number: Int64, on stage: inout Stage) {}
    /// Does nothing.
    @inlinable public func renderSound(on stage: inout Stage) {}
    /// Does nothing.
    @inlinable public func personSpoke(begins: Bool, on stage: inout Stage) {}
    /// Does nothing.
    @inlinable public func received(_ notification: PushNotification, on stage: inout Stage) {}
    /// Does nothing.
    @inlinable public func observe(_ fact: CallFact, on stage: inout Stage) {}
    /// Does nothing.
    @inlinable public func systemSettled(on stage: inout Stage) {}
}

extension PhoneApp {
    /// The phase of the app's process.
    @inlinable public var phase: ProcessPhase { phone.seat.ask { $0.process(of: id) } }

    /// How often it was launched; a launch that is overtaken by a kill is void.
    @inlinable public var launchCount: UInt32 { phone.seat.ask { $0.launchCount(of: id) } }

    /// Whether microphone and speaker work for it.
    @inlinable package var soundIsOn: Bool { phone.seat.ask { $0.soundIsOn(for: id) } }

    /// The value that the app keeps in the keychain under a key.
    @inlinable package func stored(_ key: String) -> String? {
        phone.seat.ask { $0.stored(key, for: id) }
    }

    /// Orders something of the phone's system.
    @inlinable public func order(_ order: SystemOrder, on stage: inout Stage) {
        phone.tell(.ordered(id, order), on: &stage)
    }

    /// Writes a record about the app.
    @inlinable public func note(_ form: some TraceForm, on stage: inout Stage) {
        stage.note(form, of: index)
    }

    /// Schedules a wake of a machine that lives in the app.
    @inlinable public func scheduleWake(
        _ word: Word,
        _ argument: UInt32 = 0,
        at instant: Instant,
        on stage: inout Stage
    ) {
        schedule(word, argument, at: instant, by: &phone.wakeSource, on: &stage)
    }

    /// Schedules one of the app's own deliveries.
    @inlinable public func schedule(
        _ word: Word,
        _ argument: UInt32 = 0,
        after delay: Duration,
        on stage: inout Stage
    ) {
        let instant = stage.now.advanced(by: delay)
        schedule(word, argument, at: instant, by: &phone.ownSource, on: &stage)
    }

    /// The first of the ports that the app's sockets may have: the app stands in the top four bits.
    @inlinable public var firstPort: UInt64 { UInt64(id.index) << Phone.appPortShift }
}

extension PhoneApp {
    /// The engine of a voice SDK starts itself anew where the system stopped it for another microphone; the
    /// app hears only where that fails.
    @inlinable package func restartEngine(after news: SystemNews, on stage: inout Stage) {
        guard case .audio(.engineConfigurationChanged) = news else { return }
        order(.startVoiceEngine(.ofSDK), on: &stage)
    }
}

extension OperationID {
    /// A start of the voice engine by the SDK itself.
    @inlinable package static var ofSDK: OperationID { OperationID(number: .max) }
}
