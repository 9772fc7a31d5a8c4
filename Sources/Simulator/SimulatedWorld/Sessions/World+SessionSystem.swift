import AppCoordination
import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios
import Simulation

extension World {
    /// How long a native app takes from the tap to its first line of code: log-normal with a median
    /// of 0.6 s, around Apple's goal of 0.4 s to the first frame (WWDC 2016, session 406); the
    /// spread is an assumption.
    static let launchMedian: Int64 = 600_000_000
    static let launchSigmaMillionths: Int64 = 500_000

    /// Gives a phone's system an event, or wakes it.
    mutating func driveSystem(_ phone: SessionPhone, _ event: PhoneSystemEvent?, at now: Instant) {
        let perform = { (world: inout World, effect: PhoneSystemEffect) in
            world.perform(effect, of: phone, at: now)
        }
        phone.system.drive(event, at: now) { perform(&self, $0) }
        armWake(of: phone, at: now)
        phone.systemHasSound = phone.system.ask { $0.soundIsOn }
        reviewFlows(of: phone, at: now)
    }

    /// The binding of the system's effects.
    private mutating func perform(
        _ effect: PhoneSystemEffect,
        of phone: SessionPhone,
        at now: Instant
    ) {
        switch effect {
        case .launchApp: launch(phone, at: now)
        case .terminateApp: terminate(phone, at: now)
        case .scenePhase(let phase): tell(phone, .scenePhaseChanged(phase))
        case .path(let path): tell(phone, .pathChanged(path))
        case .takeAudio: tell(phone, .audioSessionTaken)
        case .returnAudio: tell(phone, .audioSessionReturned)
        case .suspendApp: phone.isSuspended = true
        case .resumeApp: resume(phone)
        case .addresses(let leases):
            phone.addresses = leases.map { address(of: phone, $0) }
            tellRooms(of: phone, .addressesChanged(phone.addresses))
            reviewPath(of: phone, at: now)
        case .breakSockets(let lease):
            let address = address(of: phone, lease)
            tellRooms(of: phone, .socketsFailed(address))
            for request in phone.requests where request.source.address == address {
                sessionInbox.append(.request(phone: phone.place, request.operation, .fail))
            }
        }
    }

    private func address(of phone: SessionPhone, _ lease: InterfaceLease) -> NetworkAddress {
        NetworkAddress(
            host: UInt16(phone.place),
            interface: lease.interface.rawValue,
            lease: lease.lease
        )
    }

    /// Tells the app something, once it runs.
    mutating func tell(_ phone: SessionPhone, _ event: VoiceAppEvent) {
        if phone.isLaunching {
            phone.afterLaunch.append(event)
        } else {
            sessionInbox.append(.app(phone: phone.place, event))
        }
    }

    private mutating func tellRooms(of phone: SessionPhone, _ event: RoomClientEvent) {
        for room in phone.rooms {
            sessionInbox.append(.room(phone: phone.place, serial: room.serial, event))
        }
    }

    private mutating func launch(_ phone: SessionPhone, at now: Instant) {
        phone.launchCount += 1
        phone.isLaunching = true
        phone.isSuspended = false
        let machine = VoiceAppCoordinator(
            configuration: phone.plan.configuration,
            seed: phoneSeed(phone, "app", Int(phone.launchCount))
        )
        phone.app = Hosted(machine, at: now)
        write(.appLaunched, phone, at: now)
        var random = RandomStream(seed: seed, purpose: "launch", entity: phone.plan.name)
        random.index = UInt64(phone.launchCount)
        let delay = random.logNormal(
            median: Self.launchMedian,
            sigmaMillionths: Self.launchSigmaMillionths
        )
        schedule(
            .launched(phone: UInt16(phone.place), launch: phone.launchCount),
            of: phone,
            at: now.advanced(by: .nanoseconds(delay))
        )
    }

    /// The app's code runs for the first time.
    mutating func finishLaunch(_ place: Int, _ launch: UInt16, at now: Instant) {
        let phone = phones[place]
        guard phone.launchCount == launch, phone.isLaunching else { return }
        phone.isLaunching = false
        sessionInbox.append(.app(phone: place, .launched))
        for event in phone.afterLaunch { sessionInbox.append(.app(phone: place, event)) }
        phone.afterLaunch.removeAll()
        drainSessions(at: now)
        startFrames(of: phone, at: now)
    }

    /// The process ends: its sockets are closed by the system, its machines are gone.
    private mutating func terminate(_ phone: SessionPhone, at now: Instant) {
        guard phone.app != nil else { return }
        write(.appTerminated, phone, at: now)
        phone.app = nil
        phone.isLaunching = false
        phone.afterLaunch.removeAll()
        phone.requests.removeAll()
        tellRooms(of: phone, .command(.release))
    }

    private mutating func resume(_ phone: SessionPhone) {
        guard phone.isSuspended else { return }
        phone.isSuspended = false
        tellRooms(of: phone, .addressesChanged(phone.addresses))
    }
}
