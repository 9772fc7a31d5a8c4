import SansIO

extension SystemReportError {
    /// What became of the call.
    var reason: CallEndReason {
        switch self {
        case .unknown, .unentitled, .callUUIDAlreadyExists, .callIsProtected: .failed
        case .filteredByDoNotDisturb, .filteredByBlockList,
            .filteredDuringRestrictedSharingMode, .filteredBySensitiveParticipants:
            .filtered
        }
    }
}
