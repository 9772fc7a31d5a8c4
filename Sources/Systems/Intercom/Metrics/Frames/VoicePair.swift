import KodamaEvidence

/// What the meters keep for one speaker and one listener.
struct VoicePair: Sendable {
    var mouthToEar = MouthToEarMeter.Pair()
    var stalls = StallMeter.Pair()
    var playout = PlayoutMeter.Pair()
    var stream = HeardStream()
    var transmission = TransmissionMeter.Pair()
    var losses = LossMeter.Pair()
    var handover = HandoverMeter.Pair()
    var group = GroupMeter.Pair()
}
