/// Decides for packet after packet whether the loss model takes it.
///
/// Packet `i` owns draws 2i (the chain's step) and 2i + 1 (the loss), whatever else happens to it:
/// the same seed loses the same packets with and without any other impairment.
struct LossProcess: Sendable, Equatable {
    var model: LossModel
    var stream: RandomStream
    private var isBad = false

    init(_ model: LossModel, stream: RandomStream) {
        self.model = model
        self.stream = stream
    }

    /// Whether packet `number` is lost; asked once for each packet, in order.
    mutating func takes(packet number: UInt64) -> Bool {
        switch model {
        case .none:
            return false
        case .independent(let probability):
            stream.index = 2 &* number &+ 1
            return stream.bernoulli(probability)
        case .gilbertElliott(let p, let r, let lossGood, let lossBad):
            stream.index = 2 &* number
            if stream.bernoulli(isBad ? r : p) {
                isBad.toggle()
            }
            return stream.bernoulli(isBad ? lossBad : lossGood)
        }
    }
}
