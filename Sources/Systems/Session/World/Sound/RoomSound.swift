package import KodamaEvidence
package import KodamaNetwork
import KodamaLanguage
import KodamaSpeech
package import KodamaWorld
import OpusAudio
import SansIO

/// The sound of an app in rooms, at 48 kHz: its microphone, encoder and ear (`voice: real`).
package final class RoomSound {
    package let sender: VoiceSender
    package let ear: VoiceEar
    private var microphone: MicrophoneFeed
    private let scratch: UnsafeMutableBufferPointer<Int16>

    /// Makes the sound of an app.
    ///
    /// - Parameters:
    ///   - app: The app's component.
    ///   - phone: The phone's name.
    ///   - playout: How long frames are held at least, above the quickest.
    ///   - setting: The world that is made.
    /// - Throws: What keeps a codec from being made.
    package init(
        of app: ComponentIndex,
        on phone: String,
        playout: Duration,
        in setting: Setting
    ) throws(WorldError) {
        let tracks = zip(setting.plan.people, setting.tracks).filter { $0.0.phone == phone }
        microphone = MicrophoneFeed(tracks.map(\.1))
        ear = VoiceEar(
            of: app,
            .toPhone,
            playout: playout,
            latencyNanoseconds: SoundHardware.outputLatency,
            tap: setting.taps[phone]
        )
        scratch = .allocate(capacity: SoundHardware.samplesPerFrame)
        do throws(OpusError) {
            sender = try VoiceSender()
        } catch {
            throw .codec(error.description)
        }
    }

    deinit { scratch.deallocate() }

    /// The process whose codecs these were is gone.
    package func clear() {
        sender.restart()
        ear.clear()
    }

    /// Encodes a frame of the microphone's, once, and makes the datagrams that carry it.
    ///
    /// - Parameters:
    ///   - number: The frame's number by the microphone's clock.
    ///   - clock: That clock.
    ///   - routes: Where it goes.
    ///   - isSpeech: Whether somebody at the phone speaks.
    /// - Returns: The datagrams, one for each route.
    package func capture(
        _ number: Int64,
        by clock: AudioClock,
        along routes: [MediaRoute],
        isSpeech: Bool
    ) -> [Packet] {
        guard !routes.isEmpty else { return [] }
        let captured = clock.instant(ofSample: number * Int64(SoundHardware.samplesPerFrame))
        var frame = MediaFrame(
            track: 0,
            sequence: number,
            captured: captured,
            isSpeech: isSpeech
        )
        let size = sender.encode(frame) { microphone.read(from: captured, into: $0, by: scratch) }
        return routes.map { route in
            frame.track = route.track
            return VoiceSender.datagram(of: frame, along: route, payloadBytes: size)
        }
    }
}
