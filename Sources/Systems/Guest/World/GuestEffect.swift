import TextFormats

/// What a guest orders, one object of its answer's `do`.
enum GuestEffect: Equatable {
    /// Sends a datagram to a phone, or hello to the relay.
    case send(to: String, text: String, bytes: Int, by: Way?)
    /// Opens a stream to another guest.
    case open(String, to: String)
    /// Says something over a stream; over one that is gone, nothing.
    case say(String, text: String, bytes: Int)
    /// Closes a stream.
    case close(String)
    /// Sets a timer, or clears it.
    case timer(String, at: Int64?)
    /// Writes a key, or removes it.
    case write(String, value: String?)
    /// Puts all writes on the disk.
    case sync
    /// Has something measured.
    case mark(GuestMark, Int64)
    /// Asks for entropy.
    case draw(String, index: Int64, count: Int64)
    /// Asks a server.
    case http(GuestRequest)
    /// Leaves a notification with the phone, due after so many nanoseconds or at once.
    case notify(String, after: Int64?)
    /// Takes a notification back, whether it waits or is in the list.
    case cancel(String)
    /// Says something for the transcript alone.
    case log

    /// By which way a datagram goes.
    enum Way: String, CaseIterable {
        case link, relay
    }

    /// What UDP and IPv6 leave of an Ethernet frame (RFC 894, RFC 768, RFC 8200).
    static let datagramBytesMax = 1_452
    /// How many draws one order may ask for.
    static let drawsMax: Int64 = 1_024

    /// The longest name of a notification or a request, in bytes.
    static let nameBytesMax = 256
    /// The longest message of a stream, and the longest body of a request.
    static let messageBytesMax: Int64 = 1 << 20

    static let words = [
        "send", "open", "say", "close", "timer", "write", "erase", "sync", "mark", "draw", "http",
        "notify", "cancel", "log",
    ]

    /// Reads the answer to a turn.
    ///
    /// - Parameters:
    ///   - line: The answer.
    ///   - turn: The turn's number.
    /// - Returns: The orders, in their order.
    /// - Throws: What is wrong with it.
    static func read(_ line: String, turn: Int64) throws(GuestFault) -> [GuestEffect] {
        let answer: JSON
        do {
            answer = try JSONReader.read(line.utf8)
        } catch {
            throw GuestFault("its answer is no JSON: \(error.what) at byte \(error.offset)")
        }
        guard case .object(let members) = answer else {
            throw GuestFault("its answer is no JSON object")
        }
        for member in members where member.name != "turn" && member.name != "do" {
            throw GuestFault("its answer has '\(member.name)'; an answer has 'turn' and 'do'")
        }
        guard let number = answer["turn"]?.integer else {
            throw GuestFault("its answer names no turn; write \"turn\":\(turn)")
        }
        guard number == turn else {
            throw GuestFault("it answers turn \(number), and was told turn \(turn)")
        }
        guard let orders = answer["do"] else { return [] }
        guard case .array(let values) = orders else {
            throw GuestFault("'do' is no list of orders")
        }
        var effects: [GuestEffect] = []
        var notified: Set<String> = []
        for value in values {
            let effect = try Order(value).effect
            if case .notify(let id, _) = effect, !notified.insert(id).inserted {
                throw GuestFault("it leaves the notification '\(id)' twice in one answer")
            }
            effects.append(effect)
        }
        return effects
    }

    /// One order as it stands, whose members are taken one after the other.
    struct Order {
        let word: String
        private let value: JSON

        init(_ value: JSON) throws(GuestFault) {
            guard case .object(let members) = value, let first = members.first else {
                throw GuestFault("an order is no object with a member: \(value.text)")
            }
            guard GuestEffect.words.contains(first.name) else {
                throw GuestFault(
                    "it orders '\(first.name)'; a guest orders "
                        + GuestEffect.words.joined(separator: ", ")
                )
            }
            word = first.name
            self.value = value
        }

        var effect: GuestEffect {
            get throws(GuestFault) {
                switch word {
                case "send":
                    try refuse(others: ["text", "bytes", "by"])
                    return try send()
                case "open":
                    try refuse(others: ["to"])
                    return .open(try text("open"), to: try text("to"))
                case "say":
                    try refuse(others: ["text", "bytes"])
                    return try say()
                case "close":
                    try refuse(others: [])
                    return .close(try text("close"))
                case "timer":
                    try refuse(others: ["at"])
                    return .timer(try text("timer"), at: try integer("at", isNeeded: false))
                case "write":
                    try refuse(others: ["value"])
                    return .write(try text("write"), value: try text("value"))
                case "erase":
                    try refuse(others: [])
                    return .write(try text("erase"), value: nil)
                case "sync":
                    try refuse(others: [])
                    return .sync
                case "mark":
                    try refuse(others: ["amount"])
                    return try mark()
                case "draw":
                    try refuse(others: ["index", "count"])
                    return try draw()
                case "http":
                    try refuse(others: ["to", "method", "path", "headers", "body", "timeout"])
                    return .http(try GuestRequest(self))
                case "notify":
                    try refuse(others: ["after"])
                    return try notify()
                case "cancel":
                    try refuse(others: [])
                    return .cancel(try text("cancel"))
                default:
                    return .log
                }
            }
        }

        private func send() throws(GuestFault) -> GuestEffect {
            let text = value["text"] == nil ? "" : try self.text("text")
            let count = text.utf8.count
            let bytes = try integer("bytes", isNeeded: false) ?? Int64(count)
            guard Int64(count) <= bytes, bytes <= Int64(GuestEffect.datagramBytesMax) else {
                throw GuestFault(
                    "it sends \(bytes) bytes with a text of \(count); a datagram has at most "
                        + "\(GuestEffect.datagramBytesMax), and no fewer than its text"
                )
            }
            var way: Way?
            if value["by"] != nil {
                let word = try self.text("by")
                way = Way(rawValue: word)
                guard way != nil else {
                    throw GuestFault("it sends by '\(word)'; a datagram goes by link or by relay")
                }
            }
            return .send(to: try self.text("send"), text: text, bytes: Int(bytes), by: way)
        }

        private func say() throws(GuestFault) -> GuestEffect {
            let text = try self.text("text")
            let count = Int64(text.utf8.count)
            let bytes = try integer("bytes", isNeeded: false) ?? max(1, count)
            guard bytes >= max(1, count), bytes <= GuestEffect.messageBytesMax else {
                throw GuestFault(
                    "it says \(bytes) bytes with a text of \(count); a message has 1 to "
                        + "\(GuestEffect.messageBytesMax), and no fewer than its text"
                )
            }
            return .say(try self.text("say"), text: text, bytes: Int(bytes))
        }

        private func mark() throws(GuestFault) -> GuestEffect {
            let word = try text("mark")
            guard let mark = GuestMark.allCases.first(where: { "\($0)" == word }) else {
                let words = GuestMark.allCases.map { "\($0)" }.joined(separator: ", ")
                throw GuestFault("it marks '\(word)'; a guest marks \(words)")
            }
            let amount = try integer("amount", isNeeded: mark.isTime) ?? 1
            guard amount >= 0 else {
                throw GuestFault("it marks \(amount) for '\(word)'; an amount is not negative")
            }
            return .mark(mark, amount)
        }

        private func draw() throws(GuestFault) -> GuestEffect {
            let index = try integer("index", isNeeded: true) ?? 0
            let count = try integer("count", isNeeded: false) ?? 1
            guard index >= 0, (1...GuestEffect.drawsMax).contains(count) else {
                throw GuestFault(
                    "it draws \(count) from index \(index); draw 1 to \(GuestEffect.drawsMax) from 0 on"
                )
            }
            return .draw(try text("draw"), index: index, count: count)
        }

        private func notify() throws(GuestFault) -> GuestEffect {
            let id = try text("notify")
            guard (1...GuestEffect.nameBytesMax).contains(id.utf8.count) else {
                throw GuestFault(
                    "it names a notification by \(id.utf8.count) bytes; a name has 1 to "
                        + "\(GuestEffect.nameBytesMax)"
                )
            }
            let after = try integer("after", isNeeded: false)
            guard after ?? 1 > 0 else {
                throw GuestFault(
                    "the notification '\(id)' is due after \(after ?? 0) ns; a delay is positive, and "
                        + "without one it is due at once"
                )
            }
            return .notify(id, after: after)
        }

        /// A member that may be left out.
        subscript(name: String) -> JSON? { value[name] }

        func text(_ name: String) throws(GuestFault) -> String {
            guard let text = value[name]?.string else {
                throw GuestFault("'\(name)' of an order is no text: \(value.text)")
            }
            return text
        }

        func integer(_ name: String, isNeeded: Bool) throws(GuestFault) -> Int64? {
            guard let member = value[name] else {
                guard !isNeeded else {
                    throw GuestFault("an order lacks '\(name)': \(value.text)")
                }
                return nil
            }
            guard let integer = member.integer else {
                throw GuestFault("'\(name)' of an order is no whole number: \(value.text)")
            }
            return integer
        }

        private func refuse(others known: [String]) throws(GuestFault) {
            guard case .object(let members) = value else { return }
            for member in members.dropFirst() where !known.contains(member.name) {
                let list = known.isEmpty ? "nothing" : known.joined(separator: ", ")
                throw GuestFault("'\(word)' knows \(list) besides, not '\(member.name)'")
            }
        }
    }
}
