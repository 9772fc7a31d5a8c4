import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaWorld
import SansIO
import PingClient

/// The app on a phone: tells its machine what happens, and does what the machine orders.
final class PingApp: PhoneApp, Host {
    /// What the app schedules for itself.
    enum Word: UInt8 {
        /// The machine wants to be woken.
        case wake
    }

    let installation: Installation
    var seat: Seat<PingRequester>
    private let configuration: PingRequester.Configuration
    private let server: SocketAddress

    init(_ settings: PingSettings, _ installation: Installation, server: SocketAddress) {
        self.installation = installation
        self.server = server
        configuration = settings.configuration
        seat = Seat(PingRequester(configuration, seed: 0))
    }

    // MARK: What happens

    /// A new process has a new machine; what the one before knew is gone.
    func launch(on stage: inout Stage) {
        let seed = seed("ping", on: stage)
        seat.restart(PingRequester(configuration, seed: seed), at: stage.now)
        note(AppLaunched(), on: &stage)
    }

    func terminate(on stage: inout Stage) {
        note(AppTerminated(), on: &stage)
    }

    func resume(on stage: inout Stage) {
        armWake(on: &stage)
    }

    /// A suspended or ended app hears nothing.
    var isAwake: Bool { phase == .running }

    func inform(_ news: SystemNews, on stage: inout Stage) {
        if case .launched = news { tell(.launched, on: &stage) }
    }

    func receive(_ packet: Packet, on stage: inout Stage) {
        guard case .message(let payload) = packet.content,
            case .answer(let number)? = payload as? PingMessage
        else { return }
        hear(.answered(number: number), on: &stage)
    }

    func undergo(_ act: any SystemAct, on stage: inout Stage) {
        guard case .want(let count)? = act as? PingAct else { return }
        tell(.wanted(count: count), on: &stage)
    }

    func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        awaken(on: &stage)
    }

    // MARK: What the machine orders

    func perform(_ effect: PingRequester.Effect, on stage: inout Stage) {
        switch effect {
        case .send(let number):
            // Without an address nothing can be sent; the machine asks again.
            guard let socket else { return }
            stage.send(PingMessage.request(number).packet(from: socket, to: server))
        case .show(let number, let asked, let attempts):
            let answered = PingAnswered(number: number, asked: asked, attempts: Int64(attempts))
            note(answered, on: &stage)
        case .fail(let number, let attempts):
            note(PingFailed(number: number, attempts: Int64(attempts)), on: &stage)
        }
    }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        scheduleWake(.wake, at: instant, on: &stage)
    }
}
