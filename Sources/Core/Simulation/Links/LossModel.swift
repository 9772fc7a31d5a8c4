public import SansIO

/// Which packets vanish.
public enum LossModel: Sendable, Equatable {
    /// None.
    case none
    /// Each on its own.
    case independent(Probability)
    /// A two-state chain (Gilbert 1960, Elliott 1963) that starts good and steps before each packet.
    ///
    /// `p` leads from good to bad, `r` from bad to good; a packet in the good state is lost with
    /// `lossGood`, in the bad state with `lossBad`. With 0 and 1 for these, packets are lost at the
    /// rate p/(p + r), in bursts of 1/r on average.
    case gilbertElliott(
        p: Probability,
        r: Probability,
        lossGood: Probability,
        lossBad: Probability
    )

    /// Gilbert's chain: everything passes in the good state, nothing in the bad state.
    public static func gilbert(p: Probability, r: Probability) -> LossModel {
        .gilbertElliott(p: p, r: r, lossGood: .zero, lossBad: .one)
    }
}
