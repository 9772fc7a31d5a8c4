import KodamaNetwork
import KodamaPhone

extension PhoneCondition {
    /// What a checked value of a phone's `condition` says.
    init(_ value: CheckedValue) {
        self.init()
        if let value = value["microphone"] { microphone = PermissionCondition(value) }
        if let condition = value.storageCondition { secureStorage = condition }
        if let isFull = value.diskIsFull { diskIsFull = isFull }
        if let value = value["engine"] { engine = EngineCondition(value) }
    }
}

extension PhoneAct {
    /// What a checked value of the verbs `condition` and `set-clock` says; `nil` if it says nothing.
    init?(changing value: CheckedValue) {
        if let condition = value.storageCondition {
            self = .secureStorage(condition)
        } else if let isFull = value.diskIsFull {
            self = .disk(isFull: isFull)
        } else if let value = value["engine"] {
            self = .engine(EngineCondition(value))
        } else if let offset = value["to"]?.duration {
            self = .clock(offset: offset)
        } else {
            return nil
        }
    }
}

extension CheckedValue {
    /// Whether the disk is full; `nil` if nothing is said of it.
    fileprivate var diskIsFull: Bool? { self["disk"]?.text.map { $0 == "full" } }

    fileprivate var storageCondition: StorageCondition? {
        self["secure_storage"]?.text.flatMap(StorageCondition.init)
    }
}

extension PermissionCondition {
    /// A bare word is a status without an answer.
    fileprivate init(_ value: CheckedValue) {
        self.init()
        let word = value.text ?? value["status"]?.text
        status = word.flatMap(PermissionCondition.Status.init) ?? status
        isGrantedWhenAsked = value["answer"]?.text != "denied"
        answerDelay = value["after"]?.duration ?? answerDelay
        if value["answer"]?.text == "never" { answerDelay = nil }
    }
}

extension EngineCondition {
    fileprivate init(_ value: CheckedValue) {
        self.init()
        delay = value["delay"]?.duration ?? delay
        if value["failures"]?.text == "all" {
            failures = .max
        } else if let number = value["failures"]?.number {
            failures = Int(number)
        }
    }
}
