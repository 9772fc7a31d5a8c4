/// What a machine is told before it knows the phone: kept until it does, the first ones if there are many.
struct EarlyEvents<Event: Sendable & Equatable>: Sendable, Equatable {
    /// A tap and what follows it; nobody does more before the app has looked at its phone.
    private static var countMax: Int { 16 }

    private var events: [Event] = []

    /// Keeps an event.
    mutating func keep(_ event: Event) {
        if events.count < Self.countMax { events.append(event) }
    }

    /// The events, oldest first, of which none is kept any more.
    mutating func release() -> [Event] {
        defer { events = [] }
        return events
    }
}
