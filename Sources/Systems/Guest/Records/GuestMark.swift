/// What a guest can have measured: a time, or a number of things.
///
/// The words are the metrics' names (`guest.delay`), which a command declares before it reads any scenario.
enum GuestMark: Int64, Sendable, CaseIterable {
    /// How old something was when it came.
    case delay
    /// From a request to its answer.
    case response
    /// From the wish to be ready to being ready.
    case setup
    /// How long something was missing.
    case gap
    /// Things sent.
    case sent
    /// Things that came.
    case received
    /// Things that never came.
    case lost
    /// Things that came again.
    case duplicates
    /// Things that were tried again.
    case retries
    /// Things that failed.
    case failures

    /// Whether its amount is a time.
    var isTime: Bool {
        switch self {
        case .delay, .response, .setup, .gap: true
        case .sent, .received, .lost, .duplicates, .retries, .failures: false
        }
    }
}
