package import KodamaNetwork
import KodamaWorld
package import SansIO

// What an app's world asks its room objects about media. Each question is answered here, where the seat
// lies, and not by `ask` from another module, which cannot see into it.

extension RoomObject {
    /// Whether it plays what comes in.
    package var isPlaying: Bool { seat.ask { $0.isPlaying } }

    /// The way by which its microphone's frames leave; `nil` if they do not.
    package var mediaRoute: MediaRoute? { seat.ask { $0.mediaRoute } }

    /// Whether a frame that came by this route could be played.
    package func hears(by route: MediaRoute) -> Bool {
        let frame = MediaFrame(track: route.track, sequence: 0, captured: .zero, isSpeech: false)
        let packet = Packet(
            from: route.source,
            to: route.destination,
            wireBytes: SessionVoice.wireBytes,
            .media(frame)
        )
        return seat.ask { $0.hears(packet) }
    }

    /// Counts a frame of voice that goes along `mediaRoute`.
    package func noteMediaSent() { seat.ask { $0.noteMediaSent() } }

    /// Counts the payload of a frame that was sent.
    package func noteSent(bytes: Int) { seat.ask { $0.noteSent(bytes: bytes) } }

    /// How many packets of voice have come in, as `RTCPeerConnection.statistics` would say now.
    package func packetsReceived(at now: Instant) -> Int64 {
        seat.ask { $0.packetsReceived(at: now) }
    }

    /// Counts the frames that reachability alone stands for.
    ///
    /// - Parameters:
    ///   - isSpeaking: Whether the microphone makes frames.
    ///   - route: The way by which frames come in; `nil` for none.
    ///   - now: The present.
    package func noteVoice(isSpeaking: Bool, comingInBy route: MediaRoute?, at now: Instant) {
        seat.ask {
            let isSending = isSpeaking && $0.mediaRoute != nil
            $0.noteVoice(isSending: isSending, comingInBy: route, at: now)
        }
    }
}

extension RoomService {
    /// The room whose members hear what comes in by a route; `nil` if none does.
    package func room(hearing route: MediaRoute) -> String? {
        seat.ask { $0.room(hearing: route) }
    }

    /// The way by which the server sends the agent's voice in a room to a room object; `nil` if it does not.
    package func agentRoute(in room: String, to object: RoomObject) -> MediaRoute? {
        seat.ask { $0.mediaRoute(room: room) { object.hears(by: $0) } }
    }

    /// The ways by which the server forwards what comes in by a route.
    package func forwardedRoutes(of route: MediaRoute) -> [MediaRoute] {
        seat.ask { $0.forwardedRoutes(of: route) }
    }
}
