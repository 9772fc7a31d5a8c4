import KodamaEvidence
import SansIO

/// Measures cloned voices: how long they take, what is left of the recording, and what a deletion leaves.
struct VoiceMeter {
    private var clone = Measure.time(
        "clone.time",
        "From when the user wants a clone to when the phone's store has the voice's id.",
        "AN-17",
        excluding: ["the user wants it deleted"]
    )
    private var raw = Measure.time(
        "clone.raw.time",
        "From then to when the phone has neither the recording nor its key.",
        "AN-17, AN-10"
    )
    private var deletion = Measure.time(
        "clone.delete.time",
        """
        From when the user wants the voice deleted to when the server has no voice and no part of a \
        recording, and the phone no key and no recording.
        """,
        "AN-04, AN-17"
    )
    private var requests = Measure.number(
        "clone.requests",
        "How many requests to the server a clone took; what a kill or a lost answer repeats counts again.",
        "AN-17"
    )
    private var whole = Invariant(
        "clone.never-half-registered",
        """
        A phone whose store has a voice's id finds that voice at the server, which keeps no part of its \
        recording; a phone whose store knows of no voice has none there.
        """,
        "AN-17"
    )
    private var isFinal = Invariant(
        "clone.deletion-is-final",
        "Once a deletion is done, phone and server have nothing of the voice until another is wanted.",
        "AN-04, AN-17"
    )

    private struct Account {
        var isWanted: Bool?
        var state = VoiceState.none
        var vault: VaultHeld?
        var server: VoiceAtServer?
        var clone: Occasion?
        var raw: Occasion?
        var deletion: Occasion?
        var requestCount: Int64 = 0

        var isClean: Bool {
            (server?.voices ?? 0) == 0 && !(server?.hasRecording.isSet ?? false)
                && !(vault?.hasRecording.isSet ?? false) && !(vault?.hasVoiceKey.isSet ?? false)
        }
    }

    private var accounts: [Int64: Account] = [:]

    var metrics: [any AnyMeasure] { [clone, raw, deletion, requests] }
    var invariants: [Invariant] { [whole, isFinal] }

    /// Takes a record.
    ///
    /// - Returns: Whether it is of a cloned voice.
    mutating func take(_ record: TraceRecord, at position: Int) -> Bool {
        let number: Int64
        switch record.kind {
        case VoiceWish.kind: number = VoiceWish(record).account
        case VoiceStep.kind: number = VoiceStep(record).account
        case VoiceKept.kind: number = VoiceKept(record).account
        case VaultHeld.kind: number = VaultHeld(record).account
        case VoiceAtServer.kind: number = VoiceAtServer(record).account
        default: return false
        }
        var account = accounts[number] ?? Account()
        take(record, &account, at: position)
        accounts[number] = account
        return true
    }

    private mutating func take(_ record: TraceRecord, _ account: inout Account, at position: Int) {
        switch record.kind {
        case VoiceWish.kind: wish(VoiceWish(record).isWanted.isSet, record, &account)
        case VoiceStep.kind:
            if VoiceStep(record).step.value == .asksServer { account.requestCount += 1 }
        case VoiceKept.kind:
            account.state = VoiceKept(record).state.value ?? .none
            let voices = account.server?.voices ?? 0
            switch account.state {
            case .registered:
                let isWhole = voices == 1 && !(account.server?.hasRecording.isSet ?? false)
                whole.check(isWhole, record, at: position)
                registered(record, &account)
            case .none: whole.check(voices == 0, record, at: position)
            case .sealed, .deleting: break
            }
        case VaultHeld.kind:
            account.vault = VaultHeld(record)
            if let occasion = account.raw, !VaultHeld(record).hasRecording.isSet {
                account.raw = nil
                raw.close(occasion, at: record.instant)
            }
        case VoiceAtServer.kind: account.server = VoiceAtServer(record)
        default: break
        }
        guard account.isWanted == false else { return }
        if let occasion = account.deletion, account.isClean, account.state == .none {
            account.deletion = nil
            deletion.close(occasion, at: record.instant)
        } else if account.deletion == nil {
            isFinal.check(account.isClean && account.state == .none, record, at: position)
        }
    }

    private mutating func wish(
        _ isWanted: Bool,
        _ record: TraceRecord,
        _ account: inout Account
    ) {
        account.isWanted = isWanted
        guard !isWanted else {
            account.requestCount = 0
            if account.clone == nil {
                account.clone = clone.open(at: record.instant, of: record.component, record)
            }
            return
        }
        if let occasion = account.clone {
            account.clone = nil
            clone.exclude(occasion, "the user wants it deleted", at: record.instant)
        }
        account.deletion = deletion.open(at: record.instant, of: record.component, record)
    }

    private mutating func registered(_ record: TraceRecord, _ account: inout Account) {
        guard let occasion = account.clone else { return }
        account.clone = nil
        clone.close(occasion, at: record.instant)
        requests.add(account.requestCount, at: Occurrence(record))
        account.raw = raw.open(at: record.instant, of: record.component, record)
    }
}
