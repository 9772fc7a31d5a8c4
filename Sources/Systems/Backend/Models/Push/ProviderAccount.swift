import SansIO

/// What the service knows of a team's provider tokens: they are counted by team, on whatever connection
/// they come (Apple developer forum, thread 702056).
struct ProviderAccount: Sendable, Equatable {
    /// Why a token is refused.
    enum Refusal: Sendable, Equatable {
        case reason(PushReason)
        /// It is one too many; its connection is of no use until then (Apple developer forum, thread
        /// 675879).
        case tooManyUpdates(until: Instant)
    }

    private struct Token: Sendable, Equatable {
        let issuedAt: WallTime
        let firstSeenAt: Instant
    }

    /// The tokens that are not too old; a life holds few renewals, so there are few.
    private var tokens: [Token] = []

    /// Judges a token by when it was issued.
    mutating func refusal(
        ofTokenIssuedAt issuedAt: WallTime?,
        at now: Instant,
        clock: WallClock,
        _ settings: PushServiceSettings
    ) -> Refusal? {
        guard let issuedAt else { return .reason(.missingProviderToken) }
        let time = clock.reading(at: now)
        guard issuedAt.advanced(by: settings.providerTokenLife) > time,
            issuedAt <= time.advanced(by: settings.providerClockTolerance)
        else { return .reason(.expiredProviderToken) }
        tokens.removeAll { $0.firstSeenAt.advanced(by: settings.providerTokenLife) <= now }
        guard !tokens.contains(where: { $0.issuedAt == issuedAt }) else { return nil }
        let ends = tokens.map { $0.firstSeenAt.advanced(by: settings.providerTokenRenewal) }
            .filter { $0 > now }
        if ends.count >= settings.providerTokensMax, let end = ends.min() {
            return .tooManyUpdates(until: end)
        }
        tokens.append(Token(issuedAt: issuedAt, firstSeenAt: now))
        return nil
    }
}
