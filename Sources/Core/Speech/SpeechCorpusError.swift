/// Why recorded speech could not be loaded, and what to do about it.
public enum SpeechCorpusError: Error, Sendable, Equatable, CustomStringConvertible {
    /// No system of the program decodes recordings.
    case noDecoder
    /// The recordings of a voice are not there.
    case missingRecordings(RecordedVoice, folder: String)
    /// A recording is there but cannot be read.
    case unreadableRecording(path: String)
    /// The recordings of a voice hold hardly any speech.
    case tooLittleSpeech(RecordedVoice, milliseconds: Int)

    /// The cause and the command that helps.
    public var description: String {
        switch self {
        case .noDecoder:
            "no system that this command knows decodes recorded voices; choose --synthetic"
        case .missingRecordings(let voice, let folder):
            """
            the recordings of voice \(voice.rawValue) are not in \(folder): \
            apt-get install \(voice.packageName)
            """
        case .unreadableRecording(let path):
            "the recording \(path) cannot be read"
        case .tooLittleSpeech(let voice, let milliseconds):
            """
            only \(milliseconds) ms of speech were found for voice \(voice.rawValue): \
            apt-get install --reinstall \(voice.packageName)
            """
        }
    }
}
