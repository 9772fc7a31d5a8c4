import CoachAccount
import CoachExchange
public import SansIO
public import WakeFlow

/// What the coach has for its account: the preload's fetch and sync, and summaries (AN-01, AN-05, AN-20).
public enum CoachErrand: Sendable, Equatable {
    /// The wakes want the next morning's audio, in the user's own voice.
    case audioWanted(OperationID)
    /// The file lies in the sounds folder, or could not be fetched or kept.
    case audioDownloaded(OperationID, WakeFlow.AudioAnswer)
    /// The wakes want the server to have everything that is in the outboxes.
    case syncWanted(OperationID)
    /// An audio or a sync is not wanted any more.
    case unwanted(OperationID)
    /// The guide wants the server to have a summary.
    case summaryWanted(OperationID, OfflineSummary)
    /// It is not wanted any more.
    case summaryUnwanted(OperationID)
}

/// What is under way for the coach.
struct CoachErrands: Sendable, Equatable {
    /// A fetch of the audio, and whether its link is there.
    struct Fetch: Sendable, Equatable {
        let operation: OperationID
        var hasLink = false
    }

    /// A sync and when it is looked at.
    struct Sync: Sendable, Equatable {
        let operation: OperationID
        let due: Instant
    }

    /// How long the outboxes may take: background tasks were seen to expire after 2 to 5 s (Apple developer
    /// forums, thread 780956).
    static let syncPatience = Duration.seconds(4)

    var fetch: Fetch?
    var sync: Sync?
}

extension CoachAccountCoordinator {
    mutating func run(_ errand: CoachErrand, in turn: inout Turn<Effect>) {
        switch errand {
        case .audioWanted(let operation): fetchAudio(operation, in: &turn)
        case .audioDownloaded(let operation, let answer):
            guard errands.fetch?.operation == operation else { return }
            fetched(operation, answer, in: &turn)
        case .syncWanted(let operation):
            let due = turn.now.advanced(by: CoachErrands.syncPatience)
            errands.sync = CoachErrands.Sync(operation: operation, due: due)
            tellOutboxes(.written, in: &turn)
        case .unwanted(let operation): abandon(operation, in: &turn)
        case .summaryWanted(let operation, let summary):
            let request = CoachRequest.summary(SummaryReport(summary))
            guard owner.owns(summary.user), ask(request, operation, of: .guide, in: &turn) else {
                return turn.order(.answerCoach(.summaryAnswered(operation, accepted: false)))
            }
        case .summaryUnwanted(let operation): turn.order(.cancelCall(.guide, operation))
        }
    }

    /// Asks for a link to the audio; without a cloned voice there is none, and the bundled sound stays.
    private mutating func fetchAudio(_ operation: OperationID, in turn: inout Turn<Effect>) {
        guard let profile = voice.usable?.profile else {
            return turn.order(.answerCoach(.audioFetched(operation, .failed)))
        }
        errands.fetch = CoachErrands.Fetch(operation: operation)
        let request = CoachRequest.presignWake(profile: profile)
        guard ask(request, operation, of: .preload, in: &turn) else {
            return fetched(operation, .failed, in: &turn)
        }
    }

    mutating func linkAnswered(
        _ operation: OperationID,
        _ answer: CoachAnswer,
        in turn: inout Turn<Effect>
    ) {
        guard errands.fetch?.operation == operation, errands.fetch?.hasLink == false else { return }
        guard case .link(let url, _) = answer else { return fetched(operation, .failed, in: &turn) }
        errands.fetch?.hasLink = true
        turn.order(.download(operation, url: url))
    }

    private mutating func fetched(
        _ operation: OperationID,
        _ answer: WakeFlow.AudioAnswer,
        in turn: inout Turn<Effect>
    ) {
        errands.fetch = nil
        turn.order(.answerCoach(.audioFetched(operation, answer)))
    }

    /// The time of a sync is over: it is done if the outboxes are empty by now.
    mutating func completeSync(in turn: inout Turn<Effect>) {
        guard let sync = errands.sync, sync.due <= turn.now else { return }
        errands.sync = nil
        let answer = CoachEvent.conversationSynced(sync.operation, accepted: isDelivered)
        turn.order(.answerCoach(answer))
    }

    private mutating func abandon(_ operation: OperationID, in turn: inout Turn<Effect>) {
        if errands.sync?.operation == operation { errands.sync = nil }
        guard let fetch = errands.fetch, fetch.operation == operation else { return }
        errands.fetch = nil
        turn.order(
            fetch.hasLink ? .cancelDownload(operation) : .cancelCall(.preload, operation)
        )
    }
}
