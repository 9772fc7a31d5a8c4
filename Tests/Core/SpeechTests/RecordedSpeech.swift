import KodamaRecordings
@testable import KodamaSpeech

/// A little recorded speech, loaded once for all tests.
///
/// Without the packages every test that needs it fails with the command that installs them.
enum RecordedSpeech {
    static let corpus = Result { () throws(SpeechCorpusError) in
        try SpeechCorpus.load(amount: .seconds(5))
    }
    static let material = corpus.map(SpeechMaterial.recorded)
}
