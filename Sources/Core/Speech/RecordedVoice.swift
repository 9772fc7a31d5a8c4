/// A voice whose recordings Debian packages: telephone prompts by one professional speaker.
public enum RecordedVoice: String, Sendable, CaseIterable {
    /// English, female.
    case englishFemale = "en-f"
    /// Italian, male.
    case italianMale = "it-m"

    /// The Debian package that holds the recordings.
    public var packageName: String {
        switch self {
        case .englishFemale: "asterisk-core-sounds-en-g722"
        case .italianMale: "asterisk-core-sounds-it-g722"
        }
    }

    /// The folder of the recordings below the package's sounds folder.
    public var folder: String {
        switch self {
        case .englishFemale: "en_US_f_Allison"
        case .italianMale: "it_IT_m_Carlo"
        }
    }
}
