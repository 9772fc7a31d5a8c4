import AppCoordination
import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios
import Simulation

extension SessionPhone {
    /// How long a native app takes from the tap to its first line of code: log-normal with a median
    /// of 0.6 s, around Apple's goal of 0.4 s to the first frame (WWDC 2016, session 406); the
    /// spread is an assumption.
    static let launchMedian: Int64 = 600_000_000
    static let launchSigmaMillionths: Int64 = 500_000

    /// The binding of the system's effects.
    func perform(_ effect: PhoneSystemEffect, on stage: inout Stage) {
        switch effect {
        case .launchApp: launch(on: &stage)
        case .terminateApp: terminate(on: &stage)
        case .scenePhase(let phase): inform(.scenePhaseChanged(phase), on: &stage)
        case .path(let path): inform(.pathChanged(path), on: &stage)
        case .takeAudio: inform(.audioSessionTaken, on: &stage)
        case .returnAudio: inform(.audioSessionReturned, on: &stage)
        case .suspendApp: isSuspended = true
        case .resumeApp: resume(on: &stage)
        case .addresses(let leases):
            addresses = leases.map(address)
            tellRooms(.addressesChanged(addresses), on: &stage)
            touchPath(on: &stage)
        case .breakSockets(let lease):
            let address = address(lease)
            tellRooms(.socketsFailed(address), on: &stage)
            for call in calls where call.source.address == address {
                call.tell(.fail, on: &stage)
            }
        }
    }

    func finishCall(on stage: inout Stage) {
        touchFlows(on: &stage)
    }

    private func address(_ lease: InterfaceLease) -> NetworkAddress {
        NetworkAddress(host: host, interface: lease.interface.rawValue, lease: lease.lease)
    }

    /// Tells the app something, once it runs.
    func inform(_ event: VoiceAppEvent, on stage: inout Stage) {
        guard let app else { return }
        if app.isLaunching {
            app.afterLaunch.append(event)
        } else {
            app.tell(event, on: &stage)
        }
    }

    private func tellRooms(_ event: RoomClientEvent, on stage: inout Stage) {
        for room in roomObjects { room.tell(event, on: &stage) }
    }

    private func launch(on stage: inout Stage) {
        launchCount += 1
        isSuspended = false
        app = VoiceApp(
            VoiceAppCoordinator(
                configuration: plan.configuration,
                seed: seed("app", launchCount, on: stage)
            ),
            on: self,
            at: stage.now
        )
        write(.appLaunched, on: &stage)
        var random = stage.draws("launch", of: name)
        random.index = UInt64(launchCount)
        let delay = random.logNormal(
            median: Self.launchMedian,
            sigmaMillionths: Self.launchSigmaMillionths
        )
        schedule(.launched, launchCount, after: .nanoseconds(delay), on: &stage)
    }

    /// The app's code runs for the first time.
    func finishLaunch(_ launch: UInt32, on stage: inout Stage) {
        guard launchCount == launch, let app, app.isLaunching else { return }
        app.isLaunching = false
        app.tell(.launched, on: &stage)
        for event in app.afterLaunch { app.tell(event, on: &stage) }
        app.afterLaunch.removeAll()
        stage.readMail()
        startFrames(on: &stage)
    }

    /// The process ends: its sockets are closed by the system, its machines are gone.
    private func terminate(on stage: inout Stage) {
        guard app != nil else { return }
        write(.appTerminated, on: &stage)
        app = nil
        isSuspended = false
        for call in calls { call.isOpen = false }
        calls.removeAll()
        tellRooms(.command(.release), on: &stage)
    }

    private func resume(on stage: inout Stage) {
        guard isSuspended else { return }
        isSuspended = false
        tellRooms(.addressesChanged(addresses), on: &stage)
        app?.armWake(on: &stage)
        for room in roomObjects { room.armWake(on: &stage) }
        for call in calls { call.armWake(on: &stage) }
    }
}
