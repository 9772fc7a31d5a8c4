import KodamaEvidence
import SansIO

/// Finds when phones change their way to the network, and when their rooms lose and regain media.
struct SoundMoments: MomentFinder {
    private(set) var moments: [HeardMoment] = []
    private let names: [String]
    private let owners: [ComponentIndex]
    /// What is known of each phone.
    private var phones: [ComponentIndex: State] = [:]

    private struct State {
        /// The way to the network that its app was told of.
        var interface: Int64?
        /// Whether a room of its lost media.
        var isReconnecting = false
        /// The phone whose voice it played last.
        var partner: ComponentIndex?
    }

    init(_ directory: TraceDirectory) {
        names = directory.names
        owners = directory.owners
    }

    mutating func follow(_ record: TraceRecord) {
        switch record.kind {
        case SoundOpened.kind: meet(record)
        case PathNoticed.kind:
            let phone = owners[Int(record.component.index)]
            let interface = PathNoticed(record).interface
            guard interface.value != nil else { return }
            let before = phones[phone]?.interface
            phones[phone, default: State()].interface = interface.number
            if let before, before != interface.number { add("handover", record, of: phone) }
        case LossDetected.kind:
            let phone = owners[Int(record.component.index)]
            phones[phone, default: State()].isReconnecting = true
            add("loss noticed", record, of: phone)
        case AttemptConnected.kind:
            let phone = owners[Int(record.component.index)]
            guard phones[phone]?.isReconnecting == true else { return }
            phones[phone]?.isReconnecting = false
            add("reconnected", record, of: phone)
        default: break
        }
    }

    /// One phone plays the voice of another; an agent's is of no phone.
    private mutating func meet(_ record: TraceRecord) {
        guard record.subject != .none else { return }
        let (listener, talker) = (
            owners[Int(record.component.index)], owners[Int(record.subject.index)]
        )
        guard talker != record.subject else { return }
        phones[listener, default: State()].partner = talker
        phones[talker, default: State()].partner = listener
    }

    private mutating func add(_ noun: String, _ record: TraceRecord, of phone: ComponentIndex) {
        let both = [phone] + (phones[phone]?.partner.map { [$0] } ?? [])
        let moment = HeardMoment(
            noun,
            at: record.instant,
            between: both.map { names[Int($0.index)] }
        )
        // Two apps of a phone are told of one change.
        if moment != moments.last { moments.append(moment) }
    }
}
