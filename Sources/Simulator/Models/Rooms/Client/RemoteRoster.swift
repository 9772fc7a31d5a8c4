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

    /// Takes over who is there now.
    mutating func update(
        _ present: [RemoteParticipant],
        besides own: UInt32?,
        tellsArrivals: Bool,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        let present = present.filter { $0.participant != own }.prefix(Self.participantsMax)
        for left in participants
        where !present.contains(where: { $0.participant == left.participant }) {
            for track in left.tracks {
                unsubscribe(track, into: &effects)
            }
            effects.append(.callback(.remoteParticipantDisconnected))
        }
        let known = participants
        participants = Array(present)
        guard tellsArrivals else { return }
        for arrived in present
        where !known.contains(where: { $0.participant == arrived.participant }) {
            effects.append(.callback(.remoteParticipantConnected))
        }
    }

    /// Takes over which tracks the server sends; new ones are told of by `announce`.
    mutating func carry(_ tracks: [UInt32], into effects: inout EffectBuffer<RoomClientEffect>) {
        carried = Array(tracks.prefix(Self.participantsMax))
        for track in subscribed where !carried.contains(track) {
            unsubscribe(track, into: &effects)
        }
    }

    /// Tells of tracks that came while the room was not connected, or just now (client-sdk-swift,
    /// `Core/Room+TransportDelegate.swift`, `execute(when:)`).
    mutating func announce(into effects: inout EffectBuffer<RoomClientEffect>) {
        for track in carried where !subscribed.contains(track) {
            subscribed.append(track)
            effects.append(.callback(.remoteAudioSubscribed))
        }
    }

    /// Everybody is gone.
    mutating func clear(into effects: inout EffectBuffer<RoomClientEffect>) {
        carried = []
        for track in subscribed {
            unsubscribe(track, into: &effects)
        }
        for _ in participants.prefix(Self.participantsMax) {
            effects.append(.callback(.remoteParticipantDisconnected))
        }
        participants = []
    }

    private mutating func unsubscribe(
        _ track: UInt32,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        carried.removeAll { $0 == track }
        guard let place = subscribed.firstIndex(of: track) else { return }
        subscribed.remove(at: place)
        effects.append(.callback(.remoteAudioUnsubscribed))
    }
}
