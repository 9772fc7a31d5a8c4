public import KodamaEvidence
package import KodamaLanguage
package import KodamaNetwork
public import KodamaPhone
public import KodamaSimulation
public import SansIO

/// A phone: its system, its radios, its microphone and speaker, and the apps on it, which are guests.
@usableFromInline package final class Phone: Component, Host {
    /// The deliveries that a phone schedules for itself.
    @usableFromInline package enum Word: UInt8 {
        /// The system wants to be woken.
        case systemWake
        /// The user opens an app, by its id, for the first time.
        case opens
        /// A block of packets ends.
        case unblock
        /// The microphone has a frame ready.
        case microphone
        /// The speaker asks for sound.
        case speaker
        /// The connection to the push service wants to be woken.
        case courierWake
        /// The connection to the push service is to be opened again.
        case courierRetry
        /// A token that was withheld may be asked for.
        case courierAsks
    }

    package let plan: PhonePlan
    @usableFromInline package let index: ComponentIndex
    /// The phone's radios, its ways to the servers.
    package let radios: [Radio]
    /// The apps, by their ids.
    @exclusivity(unchecked) @usableFromInline package private(set) var apps: [any PhoneApp] = []

    /// The system's connection to the push service, if some app has pushes.
    @exclusivity(unchecked) package var courier: PushCourier?
    /// Whether the disk is full, so that no file of an app's grows.
    @exclusivity(unchecked) package var diskIsFull: Bool
    /// When a packet reached the phone last.
    @exclusivity(unchecked) package var heardAt: Instant?

    /// The phone's system.
    @exclusivity(unchecked) @usableFromInline package var seat: Seat<PhoneSystem>
    /// Microphone and speaker.
    @exclusivity(unchecked) package var sound: SoundHardware
    /// The app that the system gave them to, if it exchanges sound in frames.
    @exclusivity(unchecked) package var soundOwner: (any PhoneApp)?
    /// Whether that app's session is in the mode for voice, as recorded last.
    @exclusivity(unchecked) package var isInVoiceChat = true
    /// The addresses that sockets may use, the preferred one first, as the system announced them last.
    @exclusivity(unchecked) package private(set) var addresses: [NetworkAddress] = []

    /// Numbers the wakes of the phone's system and of its apps.
    @exclusivity(unchecked) @usableFromInline package var wakeSource: EventSource
    /// Numbers the other deliveries of the phone and its apps.
    @exclusivity(unchecked) @usableFromInline package var ownSource: EventSource

    package init(
        plan: PhonePlan,
        index: ComponentIndex,
        seed: UInt64,
        radios: [Radio],
        system: PhoneSystem
    ) {
        self.plan = plan
        self.index = index
        self.radios = radios
        diskIsFull = plan.condition.diskIsFull
        seat = Seat(system)
        sound = SoundHardware(of: plan, index: index, seed: seed)
        wakeSource = EventSource(rank: DeliveryRank.wake, component: Int(index.index))
        ownSource = EventSource(rank: DeliveryRank.phone, component: Int(index.index))
        use(system.addresses)
    }

    /// Sets the addresses that sockets may use, the preferred one first.
    package func use(_ leases: [InterfaceLease]) {
        addresses = leases.map(address)
        for radio in radios {
            radio.address = addresses.first { $0.interface == radio.interface.rawValue }
        }
    }

    /// Puts the next app on the phone.
    package func install(_ app: any PhoneApp) {
        precondition(app.id == AppID(apps.count), "apps are installed in the order of their ids")
        apps.append(app)
    }

    @usableFromInline package var name: String { plan.name }

    /// Its number in the network.
    package var host: UInt32 { UInt32(index.index) }

    /// Starts the phone in the state that the plan gives it.
    package func begin(on stage: inout Stage) {
        for (id, app) in plan.apps.enumerated() {
            switch app.start {
            case .open:
                hear(.foundOpen(AppID(id)), on: &stage)
            case .opened(let time):
                let instant = Instant.zero.advanced(by: time)
                schedule(.opens, UInt32(id), at: instant, by: &ownSource, on: &stage)
            case .closed:
                break
            }
        }
        for radio in radios { radio.link.scheduleOutage(after: .zero, on: &stage) }
        courier?.connect(on: &stage)
        stage.readMail()
    }

    @usableFromInline package func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage)
    {
        switch word {
        case .systemWake: awaken(on: &stage)
        case .opens: undergo(PhoneAct.openApp(plan.apps[Int(argument)].name), on: &stage)
        case .unblock: unblock(argument, on: &stage)
        case .microphone: captureFrame(on: &stage)
        case .speaker: renderSound(on: &stage)
        case .courierWake: courier?.awaken(on: &stage)
        case .courierRetry: courier?.connect(on: &stage)
        case .courierAsks: courier?.requestTokens(on: &stage)
        }
    }

    @usableFromInline package func scheduleWake(at instant: Instant, on stage: inout Stage) {
        schedule(.systemWake, at: instant, by: &wakeSource, on: &stage)
    }

    /// Writes a record about the phone.
    @inlinable package func note(_ form: some TraceForm, on stage: inout Stage) {
        stage.note(form, of: index)
    }

    /// The app of this kind; `nil` if it is not installed.
    @inlinable package func app<App: PhoneApp>(_ kind: App.Type) -> App? {
        apps.lazy.compactMap { $0 as? App }.first
    }

    /// A seed for the `number`-th thing of a kind that the phone makes.
    package func seed(
        _ purpose: StaticString,
        _ number: UInt32,
        on stage: borrowing Stage
    ) -> UInt64 {
        stage.draws(purpose, of: name).bits(at: UInt64(number))
    }
}
