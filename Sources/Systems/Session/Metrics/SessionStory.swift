import KodamaEvidence
import SansIO

/// What happened to one phone's session, frame by frame only as far as voice went missing.
struct SessionStory: Sendable {
    /// A record with how many came before it in its run.
    struct Entry: Sendable {
        var record: TraceRecord
        var position: Int

        var kind: TraceKind { record.kind }
        var instant: Int64 { record.instant.nanoseconds }
    }

    /// The phone.
    let phone: ComponentIndex
    /// The records about the session, in order.
    var entries: [Entry] = []
    /// The voice captured at the phone, as the agent hears it.
    var fromPhone = AudioLine()
    /// The agent's voice, as it is heard at the phone.
    var toPhone = AudioLine()
    /// How both sides sound, where voices are real.
    var sound = SoundPair()

    /// When a call in another app of the phone's had the audio.
    var ownCalls = Spans()
    /// When the app's own server was silent or dark.
    var serverGone = Spans()
    /// When the room server was full or took no new rooms, and when its port was closed.
    var serverShut = Spans()
    var portClosed = Spans()
    /// When the phone's keychain failed, and when its voice engine started late or not at all.
    var keychainFailed = Spans()
    var engineFailed = Spans()
    /// When the phone's Wi-Fi, to which the system prefers nothing, had a network and let no signalling pass.
    var wifiCut = Spans()
    /// When the process that runs all agents was away.
    var agentsAway = Spans()

    /// Begins the story of a phone.
    init(of phone: ComponentIndex) {
        self.phone = phone
    }
}
