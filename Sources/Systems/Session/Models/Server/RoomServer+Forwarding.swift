package import KodamaNetwork
import KodamaPhone

/// One participant's voice on its way to the others (livekit/livekit, `pkg/sfu/downtrack.go`).
extension RoomServer {
    /// The name of the room in which voice that came by this route would be heard now.
    ///
    /// - Parameter route: From the client's end to the server's media port.
    /// - Returns: `nil` if the way is not known, or the track is unknown or muted.
    package func room(hearing route: MediaRoute) -> String? {
        guard let place = publisher(of: route) else { return nil }
        return rooms.place(of: participants[place].room).map { rooms[$0].name }
    }

    /// Where voice that came by a route goes on to.
    ///
    /// - Parameter route: From the client's end to the server's media port.
    /// - Returns: For each other person in the room that has subscribed to the track by a connected
    ///   transport, the way there; empty for the reasons of `room(hearing:)`.
    package func forwardedRoutes(of route: MediaRoute) -> [MediaRoute] {
        guard let place = publisher(of: route),
            let room = rooms.place(of: participants[place].room)
        else { return [] }
        let talker = participants[place].number
        return rooms[room].members.compactMap { member in
            guard member != talker, let present = participants.place(of: member),
                participants[present].subscriber.isConnected,
                participants[present].subscribedTracks.contains(route.track),
                let end = participants[present].subscriber.selected
            else { return nil }
            return MediaRoute(from: mediaSource(to: end), to: end, track: route.track)
        }
    }

    /// The position of the participant whose voice comes by a route, if the server takes it.
    private func publisher(of route: MediaRoute) -> Int? {
        guard takesMedia(at: route.destination),
            let place = participants.place(of: ServerParticipant.number(publishing: route.track)),
            participants[place].publisher.knows(route.source),
            participants[place].isActive, participants[place].publisher.isConnected,
            participants[place].tracks.contains(where: {
                $0.number == route.track && !$0.isMuted
            })
        else { return nil }
        return place
    }
}
