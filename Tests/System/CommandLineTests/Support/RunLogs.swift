import Foundation
import Testing

/// What a run would have left in production: the logs of its phone and the room server's webhooks.
///
/// Made of a trace's text, of which nothing else is kept.
struct RunLogs {
    /// What the phone's app wrote, as `log show --style ndjson` shows it.
    private(set) var phone = ""
    /// What the room server sent.
    private(set) var webhooks = ""

    /// 2026-11-02 08:00 UTC.
    static let base: Int64 = 1_793_606_400

    private let user: String
    private var hasLostRoom = false

    /// Reads a trace that `kodama trace record` has written.
    init(trace: String, user: String) {
        self.user = user
        for line in trace.split(separator: "\n").dropFirst() {
            let words = line.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
            guard words.count >= 5, let instant = Self.nanoseconds(words[0]) else { continue }
            let fields = words.dropFirst(5).compactMap { word -> (String, String)? in
                let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }
            add(
                words[3],
                Dictionary(fields) { $1 },
                at: instant,
                isUser: words[2].hasPrefix(user) || words[4].hasPrefix(user)
            )
        }
    }

    private mutating func add(
        _ kind: String,
        _ fields: [String: String],
        at instant: Int64,
        isUser: Bool
    ) {
        guard isUser else { return }
        switch kind {
        case "path.noticed":
            let interface = fields["interface"] ?? "none"
            let text = [
                "none": "unsatisfied (No network route)",
                "wifi":
                    "satisfied (Path is satisfied), interface: en0[802.11], ipv4, dns, uses wifi",
                "cellular":
                    "satisfied (Path is satisfied), interface: pdp_ip0[lte], ipv4, dns, expensive, uses cell",
            ]
            write(text[interface] ?? interface, category: "NWPath", at: instant)
        case "connect.began": write("connecting room \(fields["room"] ?? "")", at: instant)
        case "connect.ended":
            let error = fields["error"] ?? "none"
            write(error == "none" ? "connected" : "failed: \(error)", at: instant)
            if error == "none" { hasLostRoom = false }
        case "room.state.changed": addState(fields["state"] ?? "", at: instant)
        case "room.disconnected":
            let error = fields["error"] ?? "none"
            write(error == "none" ? "disconnected" : "disconnected: \(error)", at: instant)
        case "user.acted": addAct(fields["action"] ?? "", at: instant)
        case "participant.joined": addJoin(fields, at: instant)
        case "participant.left": addLeave(fields, at: instant)
        default: break
        }
    }

    private mutating func addState(_ state: String, at instant: Int64) {
        switch state {
        case "reconnecting":
            write("reconnecting", at: instant)
            hasLostRoom = true
        case "connected" where hasLostRoom:
            write("reconnected", at: instant)
            hasLostRoom = false
        default: break
        }
    }

    private mutating func addAct(_ action: String, at instant: Int64) {
        let words = [
            "mute": "muted", "unmute": "unmuted", "leave-app": "background",
        ]
        if let word = words[action] { write(word, at: instant) }
    }

    private mutating func addJoin(_ fields: [String: String], at instant: Int64) {
        let more =
            "\"joinedAtMs\":\"\(Self.base * 1_000 + instant / 1_000_000)\",\"state\":\"ACTIVE\""
        send("participant_joined", fields["participant"], more, at: instant)
    }

    private mutating func addLeave(_ fields: [String: String], at instant: Int64) {
        let reason = (fields["reason"] ?? "").uppercased().replacing("-", with: "_")
        send(
            "participant_left",
            fields["participant"],
            "\"disconnectReason\":\"\(reason)\"",
            at: instant
        )
    }

    private mutating func send(
        _ event: String,
        _ session: String?,
        _ more: String,
        at instant: Int64
    ) {
        let participant = "{\"sid\":\"PA_\(session ?? "")\",\"identity\":\"\(user)\",\(more)}"
        webhooks +=
            "{\"event\":\"\(event)\",\"room\":{\"sid\":\"RM_1\",\"name\":\"room\"},"
            + "\"participant\":\(participant),\"id\":\"EV_1\","
            + "\"createdAt\":\"\(Self.base + instant / 1_000_000_000)\"}\n"
    }

    private mutating func write(_ text: String, category: String = "RTC", at instant: Int64) {
        let seconds = Self.base + instant / 1_000_000_000
        let micro = String(instant / 1_000 % 1_000_000)
        let date = Date(timeIntervalSince1970: TimeInterval(seconds))
            .formatted(
                .iso8601.year().month().day().dateTimeSeparator(.space).time(
                    includingFractionalSeconds: false
                )
            )
        let fraction = String(repeating: "0", count: 6 - micro.count) + micro
        phone +=
            "{\"timezoneName\":\"\",\"messageType\":\"Default\",\"eventType\":\"logEvent\","
            + "\"subsystem\":\"org.example.app\",\"category\":\"\(category)\",\"processID\":412,"
            + "\"timestamp\":\"\(date).\(fraction)+0000\",\"eventMessage\":\"\(text)\"}\n"
    }

    private static func nanoseconds(_ text: String) -> Int64? {
        let parts = text.split(separator: ".")
        guard parts.count == 2, parts[1].count == 9, let whole = Int64(parts[0]),
            let fraction = Int64(parts[1])
        else { return nil }
        return whole * 1_000_000_000 + fraction
    }
}
