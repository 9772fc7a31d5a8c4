public import SansIO
import TextFormats

/// Which call ids were seen, so that none rings twice: bounded in size and time, across relaunch (VP-02).
public struct CallMemory: Sendable, Equatable {
    /// What bounds a memory.
    public struct Limits: Sendable, Equatable {
        /// How many ids are kept; the one seen longest ago gives way.
        public var countMax: Int
        /// How long an id is kept, by the user's clock.
        public var life: Duration

        /// Makes limits.
        ///
        /// - Parameters:
        ///   - countMax: How many ids are kept; at least 1.
        ///   - life: How long.
        public init(countMax: Int = 512, life: Duration = .seconds(7 * 86_400)) {
            precondition(countMax >= 1, "a memory of \(countMax) call ids remembers none")
            self.countMax = countMax
            self.life = life
        }
    }

    /// A call id that was seen.
    public struct Entry: Sendable, Equatable {
        /// The call's identity.
        public var callId: String
        /// When it was last heard of.
        public var seenAt: WallTime
        /// Why it ended, if it is known to have ended.
        public var reason: CallEndReason?
        /// Whether the user has called, or has answered and been let in, and the server knows of no end.
        public var isEntered = false
        /// The user who entered the call, if known: the server is told in their name.
        public var user: String?

        /// Whether its life is over; one from after `now` is kept: the clock was put back.
        func isOver(at now: WallTime, _ limits: Limits?) -> Bool {
            limits.map { seenAt.advanced(by: $0.life) <= now } ?? false
        }
    }

    /// What bounds it; `nil` lets it grow.
    public let limits: Limits?
    /// What is remembered, longest ago first.
    public private(set) var entries: [Entry] = []

    /// Makes an empty memory.
    public init(limits: Limits? = Limits()) {
        self.limits = limits
    }

    /// What is remembered of a call, if anything.
    public func entry(of callId: String, at now: WallTime) -> Entry? {
        entries.last { $0.callId == callId && !$0.isOver(at: now, limits) }
    }

    /// Remembers a call, as the latest.
    public mutating func remember(_ callId: String, _ reason: CallEndReason?, at now: WallTime) {
        let known = entry(of: callId, at: now)
        entries.removeAll { [limits] in $0.callId == callId || $0.isOver(at: now, limits) }
        if let limits, entries.count >= limits.countMax {
            entries.removeFirst(entries.count - limits.countMax + 1)
        }
        entries.append(Entry(callId: callId, seenAt: now, reason: reason ?? known?.reason))
    }

    /// Remembers that the user is in a call, until it is remembered to have ended.
    public mutating func enter(_ callId: String, by user: String? = nil, at now: WallTime) {
        keepEntered(callId, nil, by: user, at: now)
    }

    /// Remembers that the user has left a call, of which the server has yet to learn.
    public mutating func leave(
        _ callId: String,
        _ reason: CallEndReason,
        by user: String? = nil,
        at now: WallTime
    ) {
        keepEntered(callId, reason, by: user, at: now)
    }

    private mutating func keepEntered(
        _ callId: String,
        _ reason: CallEndReason?,
        by user: String?,
        at now: WallTime
    ) {
        let known = entry(of: callId, at: now)?.user
        remember(callId, reason, at: now)
        entries[entries.count - 1].isEntered = true
        entries[entries.count - 1].user = known ?? user
    }

    /// The calls that the user is in, as far as the server knows.
    public var entered: [Entry] { entries.filter(\.isEntered) }
}

// MARK: Stored form

extension CallMemory {
    private static let heading = "call memory 1"

    /// The memory as the app's storage keeps it: a heading, then a line an entry.
    ///
    /// Each line holds nanoseconds since 1970, call id and reason, with a space between; `-` stands
    /// for no reason, `+` for a call that the user is in, `+` before a reason for one that they have left
    /// and the server knows nothing of. After that, if it is known, comes the user whose call it is,
    /// in base64url, and at the end a checksum. Memories are older than these two: lines without them are
    /// read as they are.
    public var stored: String {
        var text = Self.heading + "\n"
        for entry in entries {
            let end = entry.reason?.rawValue ?? (entry.isEntered ? "" : "-")
            let mark = entry.isEntered ? "+" : ""
            var line = "\(entry.seenAt.nanosecondsSince1970) \(entry.callId) \(mark)\(end)"
            if entry.isEntered, let user = entry.user {
                line += " " + Base64URL.encode(Array(user.utf8))
            }
            text += SealedLine.seal(line) + "\n"
        }
        return text
    }

    /// Restores a memory; a line that cannot be read is lost, the others count.
    ///
    /// A damaged file must not keep calls from ringing.
    ///
    /// - Parameters:
    ///   - stored: What the storage kept, if anything.
    ///   - limits: What bounds the memory now.
    public init(restoring stored: String?, limits: Limits? = Limits()) {
        self.init(limits: limits)
        guard let stored else { return }
        // By bytes: to `Character` a carriage return and the line feed behind it are one.
        let lines = stored.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
        let opened = lines.map(SealedLine.open)
        let isOld =
            lines.first == Self.heading[...] && opened.allSatisfy { $0?.isSealed == false }
        for case let (line, isSealed)? in opened where isSealed || isOld {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard (3...4).contains(words.count), let seenAt = Int64(words[0]),
                (1...64).contains(words[1].utf8.count),
                words[1].utf8.allSatisfy(TextCharacters.isName)
            else { continue }
            let isEntered = words[2].first == "+"
            let name = isEntered ? words[2].dropFirst() : words[2]
            let reason = CallEndReason(rawValue: String(name))
            guard reason != nil || words[2] == "-" || words[2] == "+" else { continue }
            let user = words.count == 4 ? Base64URL.decode(words[3]) : nil
            guard words.count == 3 || isEntered && user?.isEmpty == false else { continue }
            let callId = String(words[1])
            entries.removeAll { $0.callId == callId }
            let entry = Entry(
                callId: callId,
                seenAt: WallTime(nanosecondsSince1970: seenAt),
                reason: reason,
                isEntered: isEntered,
                user: user.map { String(decoding: $0, as: UTF8.self) }
            )
            entries.append(entry)
        }
        if let limits, entries.count > limits.countMax {
            entries.removeFirst(entries.count - limits.countMax)
        }
    }
}
