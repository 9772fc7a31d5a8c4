public import SansIO

/// How much of what one phone sends by its radio reaches another one so far away, on open ground or over ridges.
///
/// - **Path loss**: two slopes, free space up to the distance where the first Fresnel zone touches the
///   ground and 40 dB a decade beyond (Recommendation ITU-R P.1411, line of sight at UHF: break point
///   4·h₁·h₂/λ, median 6 dB above its lower bound, which is free space; Rappaport, *Wireless
///   Communications*, 2nd ed., 4.6 for the two-ray ground behind it).
/// - **Ridges**: the diffraction loss of a knife's edge (Recommendation ITU-R P.526-15, 4.1).
/// - **Shadowing**: a normal deviate in decibels that fades from memory with the way walked, 4.3 dB and a
///   correlation of 0.3 at 10 m (Gudmundson, Electronics Letters 27, 1991, 2145–2146, urban microcell).
/// - **Fading**: a packet is lost if both of two antennas are in a fade: (1 − exp(−1/m))² at a mean margin
///   of m over the sensitivity (Rayleigh fading with selection between two branches; Goldsmith, *Wireless
///   Communications*, 7.2.2). At 5.2 GHz and a walker's pace the channel forgets itself within 19 ms
///   (0.423·λ/v, Rappaport 5.4), so that packets 20 ms apart meet fades of their own.
public struct PeerRadioModel: Sendable, Equatable {
    /// What may be lost between the two antennas until the margin is gone, in thousandths of a decibel:
    /// 94 dB, of 14 dBm sent (an assumption below EN 301 893's limit of 23), 12 dB that two bodies and
    /// hands take (an assumption) and −92 dBm that are just received at 6 Mbit/s (an assumption: IEEE
    /// 802.11-2020, 17.3.10.2, asks for −82, which chips surpass by about 10).
    ///
    /// With it 3 % are lost at 85 m and half at 134 m on average; "60–100 m in the open" is what users
    /// report of peer-to-peer Wi-Fi.
    public var budgetMilliDecibels: Int64 = 94_000
    /// The standard deviation of the shadowing, in thousandths of a decibel.
    public var shadowingMilliDecibels: Int64 = 4_300

    /// The figures above.
    public init() {}

    /// The wavelength of channel 44, 5.22 GHz, a channel on which peers meet (Stute, Kreitschmann,
    /// Hollick, MobiCom 2018), in micrometres.
    private static let wavelengthMicrometres = 57_431.5
    /// How high a walker holds a phone; an assumption.
    private static let heightMillimetres = 1_000.0
    /// The way over which the shadowing's correlation falls to 1/e: 10 m / ln(1/0.3).
    private static let decorrelationMillimetres = 8_306.0
    /// Nearer than this nothing changes.
    private static let distanceMinMillimetres: Int64 = 1_000
    private static let logarithmOf10 = 2.302_585_092_994_045_7

    /// The median path loss at a distance, in thousandths of a decibel.
    public static func pathLossMilliDecibels(atMillimetres distance: Int64) -> Int64 {
        let distance = Double(max(distance, distanceMinMillimetres))
        let breakPoint = 4_000 * heightMillimetres * heightMillimetres / wavelengthMicrometres
        // 4πd/λ, both in millimetres.
        let freeSpace = 20_000 * decades(12_566.370_614_359_172 * distance / wavelengthMicrometres)
        let beyond = distance > breakPoint ? 20_000 * decades(distance / breakPoint) : 0
        return Int64(freeSpace + beyond + 0.5)
    }

    /// The loss of a path over a knife's edge, in thousandths of a decibel (ITU-R P.526-15, equations 26 and 31).
    ///
    /// - Parameters:
    ///   - height: How far the edge rises over the straight line between the antennas, in millimetres; negative
    ///     below it.
    ///   - near: How far one antenna is from the edge, in millimetres.
    ///   - far: How far the other one is.
    /// - Returns: The loss; 0 where the edge is well below the line.
    public static func diffractionMilliDecibels(
        overMillimetres height: Double,
        between near: Double,
        and far: Double
    ) -> Int64 {
        let (near, far) = (max(near, 1_000), max(far, 1_000))
        let inverse = (1 / near + 1 / far) * 2_000 / wavelengthMicrometres
        let parameter = height * inverse.squareRoot() - 0.1
        // Below −0.78 the edge takes nothing.
        guard parameter > -0.88 else { return 0 }
        let ratio = (parameter * parameter + 1).squareRoot() + parameter
        return max(0, Int64(6_900 + 20_000 * decades(ratio)))
    }

    /// The share of packets that are lost at a mean margin over the sensitivity.
    public static func loss(atMarginMilliDecibels margin: Int64) -> Probability {
        // Beyond these the share is 0 or 1 in millionths.
        guard margin > -12_000 else { return Probability(partsPerMillion: 1_000_000) }
        guard margin < 32_000 else { return .zero }
        let inverse = PortableMath.exponential(-Double(margin) / 10_000 * logarithmOf10)
        let oneFades = 1 - PortableMath.exponential(-inverse)
        return Probability(partsPerMillion: Int32(oneFades * oneFades * 1_000_000 + 0.5))
    }

    /// The shadowing, in thousandths of a decibel, after the two have walked so many millimetres from
    /// where it was `before`; one draw.
    public func shadowing(after before: Int64, walked: Int64, _ random: inout RandomStream) -> Int64
    {
        let memory = PortableMath.exponential(
            -min(Double(walked) / Self.decorrelationMillimetres, 40)
        )
        let fresh = (1 - memory * memory).squareRoot()
        let shadowing = memory * Double(before) + fresh * Double(draw(&random))
        return Int64(shadowing + (shadowing < 0 ? -0.5 : 0.5))
    }

    /// A shadowing that remembers nothing, in thousandths of a decibel; one draw.
    public func draw(_ random: inout RandomStream) -> Int64 {
        random.normal(deviation: shadowingMilliDecibels)
    }

    private static func decades(_ ratio: Double) -> Double {
        PortableMath.logarithm(ratio) / logarithmOf10
    }
}
