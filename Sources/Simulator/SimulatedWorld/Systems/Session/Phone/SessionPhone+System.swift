import AppCoordination
import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios

extension SessionPhone {
    /// The binding of the system's effects.
    func perform(_ effect: PhoneEffect, on stage: inout Stage) {
        switch effect {
        case .launch:
            launch(on: &stage)
        case .kill:
            terminate(on: &stage)
        case .suspend:
            // What is in the process is not driven any more.
            break
        case .resume:
            resume(on: &stage)
        case .inform(let app, let news):
            inform(news, on: &stage)
            if let duty = news.duty { tell(.handlerReturned(app, duty), on: &stage) }
        case .addresses(let leases):
            addresses = leases.map(address)
            tellRooms(.addressesChanged(addresses), on: &stage)
            touchPath(on: &stage)
        case .breakSockets(_, let lease):
            let address = address(lease)
            tellRooms(.socketsFailed(address), on: &stage)
            for call in calls where call.source.address == address {
                call.tell(.fail, on: &stage)
            }
        }
    }

    func finishCall(on stage: inout Stage) {
        deliverEarlyTouches(on: &stage)
        touchFlows(on: &stage)
    }

    /// Tells the app what the system says.
    private func inform(_ news: SystemNews, on stage: inout Stage) {
        guard let app, let event = VoiceAppEvent(news) else { return }
        app.tell(event, on: &stage)
        if event == .launched { startFrames(on: &stage) }
    }

    /// The user does something in the app; what they do while it is launched comes when it runs.
    func touch(_ event: VoiceAppEvent, on stage: inout Stage) {
        if process == .launching {
            earlyTouches.append(event)
        } else {
            app?.hear(event, on: &stage)
        }
    }

    private func deliverEarlyTouches(on stage: inout Stage) {
        guard !earlyTouches.isEmpty, process == .running else { return }
        for touch in earlyTouches { app?.tell(touch, on: &stage) }
        earlyTouches.removeAll()
    }

    private func tellRooms(_ event: RoomClientEvent, on stage: inout Stage) {
        for room in roomObjects { room.tell(event, on: &stage) }
    }

    private func launch(on stage: inout Stage) {
        let machine = VoiceAppCoordinator(
            configuration: plan.configuration,
            seed: seed("app", launchCount, on: stage)
        )
        app = VoiceApp(machine, on: self, at: stage.now)
        note(AppLaunched(), on: &stage)
    }

    /// The process ends: its sockets are closed by the system, its machines are gone.
    private func terminate(on stage: inout Stage) {
        note(AppTerminated(), on: &stage)
        app = nil
        earlyTouches.removeAll()
        for call in calls { call.isOpen = false }
        calls.removeAll()
        tellRooms(.command(.release), on: &stage)
    }

    private func resume(on stage: inout Stage) {
        tellRooms(.addressesChanged(addresses), on: &stage)
        app?.armWake(on: &stage)
        for room in roomObjects { room.armWake(on: &stage) }
        for call in calls { call.armWake(on: &stage) }
    }
}

extension VoiceAppEvent {
    /// What the system's news are to the voice app; `nil` for what it does not listen to.
    fileprivate init?(_ news: SystemNews) {
        switch news {
        case .launched: self = .launched
        case .scene(let phase): self = .scenePhaseChanged(phase)
        case .path(let path): self = .pathChanged(path)
        case .audio(.interruptionBegan): self = .audioSessionTaken
        case .audio(.interruptionEnded): self = .audioSessionReturned
        case .clock(let time): self = .clockChanged(time)
        case .notificationTapped: self = .notificationTapped
        case .answer(let operation, let answer): self = Self.answered(operation, answer)
        case .audio(.routeChanged), .backgroundTimeExpired: return nil
        }
    }

    private static func answered(_ operation: OperationID, _ answer: SystemAnswer) -> Self {
        switch answer {
        case .secureStorageRead(.value(let value)):
            .secureStorageRead(operation, .value(value))
        case .secureStorageRead(.failed):
            .secureStorageRead(operation, .failed)
        case .secureStorageWritten(let isKept):
            .secureStorageWritten(operation, isKept: isKept)
        case .microphonePermission(let isGranted):
            .microphonePermissionAnswered(operation, isGranted: isGranted)
        case .voiceEngine(let start):
            .voiceEngineAnswered(operation, isRunning: start == .running)
        }
    }
}
