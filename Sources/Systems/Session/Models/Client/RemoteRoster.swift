import KodamaNetwork
import KodamaPhone
import RealtimeVoice
import SansIO

/// Who else is in the room, and whose voice is subscribed to.
struct RemoteRoster: Sendable, Equatable {
    /// More than a room of this project holds; the rest is not told of.
    static let participantsMax = 100

    private(set) var participants: [RemoteParticipant] = []
    /// The tracks that the subscriber's description carries.
    private(set) var carried: [UInt32] = []
    /// Those of them that the delegate was told of.
    private(set) var subscribed: [UInt32] = []

    /// Takes over who was there when we came; the delegate is not told.
    mutating func join(_ others: [RemoteParticipant], besides own: UInt32) {
        participants = others.filter { $0.participant != own }
    }

    /// Takes over what has become of some of them.
    mutating func update(
        _ updates: [RemoteParticipant],
        besides own: UInt32?,
        tellsArrivals: Bool,
        in turn: inout Turn<RoomClientEffect>
    ) {
        for update in updates.prefix(Self.participantsMax) where update.participant != own {
            let index = participants.firstIndex { $0.participant == update.participant }
            if update.hasLeft {
                if let index { remove(at: index, in: &turn) }
            } else if let index {
                participants[index] = update
            } else if participants.count < Self.participantsMax {
                participants.append(update)
                if tellsArrivals { turn.order(.callback(.remoteParticipantConnected)) }
            }
        }
    }

    /// Takes over that a track was muted, or is not any more.
    mutating func mute(_ track: UInt32, _ isMuted: Bool) {
        for index in participants.indices where participants[index].tracks.contains(track) {
            participants[index].mutedTracks.removeAll { $0 == track }
            if isMuted { participants[index].mutedTracks.append(track) }
        }
    }

    /// How many tracks are subscribed and not known to be muted.
    var audibleTracks: Int {
        subscribed.count { track in
            !participants.contains { $0.mutedTracks.contains(track) }
        }
    }

    /// Forgets whoever is missing among those who are there: a departure that nobody told of.
    mutating func reconcile(
        with present: [RemoteParticipant],
        in turn: inout Turn<RoomClientEffect>
    ) {
        for index in participants.indices.reversed()
        where !present.contains(where: { $0.participant == participants[index].participant }) {
            remove(at: index, in: &turn)
        }
    }

    private mutating func remove(at index: Int, in turn: inout Turn<RoomClientEffect>) {
        for track in participants.remove(at: index).tracks {
            unsubscribe(track, in: &turn)
        }
        turn.order(.callback(.remoteParticipantDisconnected))
    }

    /// Takes over which tracks the server sends; new ones are told of by `announce`.
    mutating func carry(_ tracks: [UInt32], in turn: inout Turn<RoomClientEffect>) {
        carried = Array(tracks.prefix(Self.participantsMax))
        for track in subscribed where !carried.contains(track) {
            unsubscribe(track, in: &turn)
        }
    }

    /// Tells of tracks that came while the room was not connected, or just now (client-sdk-swift,
    /// `Core/Room+TransportDelegate.swift`, `execute(when:)`).
    mutating func announce(in turn: inout Turn<RoomClientEffect>) {
        for track in carried where !subscribed.contains(track) {
            subscribed.append(track)
            turn.order(.callback(.remoteAudioSubscribed))
        }
    }

    /// Everybody is gone.
    mutating func clear(in turn: inout Turn<RoomClientEffect>) {
        carried = []
        for track in subscribed {
            unsubscribe(track, in: &turn)
        }
        for _ in participants.prefix(Self.participantsMax) {
            turn.order(.callback(.remoteParticipantDisconnected))
        }
        participants = []
    }

    private mutating func unsubscribe(_ track: UInt32, in turn: inout Turn<RoomClientEffect>) {
        carried.removeAll { $0 == track }
        guard let place = subscribed.firstIndex(of: track) else { return }
        subscribed.remove(at: place)
        turn.order(.callback(.remoteAudioUnsubscribed))
    }
}
