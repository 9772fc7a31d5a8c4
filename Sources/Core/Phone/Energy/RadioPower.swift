package import SansIO

/// What a radio draws in each of its states.
///
/// At the rates of voice, up to 0.1 Mbit/s, the slope of power over throughput is 9 mW (77 mW per Mbit/s up and
/// 12 down on LTE; a line through the data of Narayanan and others, SIGCOMM21-5G/artifact) and left out: being
/// connected is the cost.
package struct RadioEnergy: Sendable, Equatable {
    /// How long it takes to be connected.
    package var promotionTime: Duration
    /// What that draws, in milliwatts.
    package var promotion: Int64
    /// What it draws while it carries something, in milliwatts.
    package var active: Int64
    /// How long it stays connected after that.
    package var tailTime: Duration
    /// What that draws, in milliwatts.
    package var tail: Int64

    /// Describes a radio.
    package init(
        promotionTime: Duration,
        promotion: Int64,
        active: Int64,
        tailTime: Duration,
        tail: Int64
    ) {
        self.promotionTime = promotionTime
        self.promotion = promotion
        self.active = active
        self.tailTime = tailTime
        self.tail = tail
    }

    /// LTE of today.
    ///
    /// Tail: about 10 s on Verizon, 5 s on T-Mobile (the same data). The rest are assumptions: the promotion is
    /// that of `lteOf2012`; the tail draws the most that is quoted from these authors' table 2 (SIGCOMM 2021),
    /// 66 to 178 mW, which was not at hand; while active it draws what Apple's claims of talk time leave for
    /// the radio.
    package static let lte = RadioEnergy(
        promotionTime: .milliseconds(260),
        promotion: 1_211,
        active: 450,
        tailTime: .seconds(10),
        tail: 180
    )
    /// LTE at its worst: 260 ms at 1,211 mW to be connected, 1,288 mW then, and a tail of 11.6 s at 1,060 mW.
    ///
    /// Assumptions: so Huang and others, MobiSys 2012, are quoted; their table was not at hand.
    package static let lteOf2012 = RadioEnergy(
        promotionTime: .milliseconds(260),
        promotion: 1_211,
        active: 1_288,
        tailTime: .milliseconds(11_576),
        tail: 1_060
    )
    /// Wi-Fi: promotion 79 ms at 124 mW, 133 mW active, tail 0.24 s at 119 mW; assumptions, as `lteOf2012`'s.
    package static let wifi = RadioEnergy(
        promotionTime: .milliseconds(79),
        promotion: 124,
        active: 133,
        tailTime: .milliseconds(240),
        tail: 119
    )
    /// AWDL that carries voice: 150 mW to hold it (100 to 250, an assumption) and 133 mW for the frames, as
    /// Wi-Fi's.
    package static let awdl = RadioEnergy(
        promotionTime: .zero,
        promotion: 0,
        active: 283,
        tailTime: .zero,
        tail: 0
    )
}

/// A radio's states: idle, promoted, active, and the tail that it stays connected for afterwards.
package struct RadioPower: StateMachine {
    /// A fact for the radio.
    package enum Event: Sendable, Equatable {
        /// A flow of packets begins, or the last one ends; flows are counted.
        case flow(isOn: Bool)
        /// A few packets are exchanged, such as a keep-alive or a push.
        case burst
        /// Another radio carries the traffic from now on.
        case radioChanged(RadioEnergy)
    }

    /// An order from the radio.
    package enum Effect: Sendable, Equatable {
        /// It draws this many milliwatts from now on.
        case powerChanged(milliwatts: Int64)
    }

    enum State: Sendable, Equatable {
        case idle
        case promoted(until: Instant)
        case active
        case tail(until: Instant)
    }

    /// One change of power.
    package static var effectsPerCallMax: Int { 1 }

    /// A radio never ends.
    package var isFinished: Bool { false }

    private var radio: RadioEnergy
    private var state = State.idle
    private var flows = 0
    private var told: Int64 = 0

    /// Makes an idle radio.
    package init(_ radio: RadioEnergy) {
        self.radio = radio
    }

    /// The end of a promotion or a tail.
    package var deadline: Deadline? {
        switch state {
        case .idle, .active: nil
        case .promoted(let until): Deadline(until, "radio promotion")
        case .tail(let until): Deadline(until, "radio tail")
        }
    }

    /// Takes one fact.
    package mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        advance(to: turn.now)
        switch event {
        case .flow(let isOn):
            // The end of a flow that never began carries nothing.
            guard isOn || flows > 0 else { return settle(in: &turn) }
            flows += isOn ? 1 : -1
            carry(at: turn.now)
        case .burst: carry(at: turn.now)
        case .radioChanged(let radio):
            self.radio = radio
            state = .idle
            if flows > 0 { carry(at: turn.now) }
        }
        settle(in: &turn)
    }

    /// Ends a promotion or a tail.
    package mutating func wake(in turn: inout Turn<Effect>) {
        advance(to: turn.now)
        settle(in: &turn)
    }

    /// A radio that carries something is promoted first; one in its tail is connected still.
    private mutating func carry(at now: Instant) {
        switch state {
        case .idle:
            state = .promoted(until: now.advanced(by: radio.promotionTime))
            advance(to: now)
        case .promoted: return
        case .active, .tail:
            state = flows > 0 ? .active : .tail(until: now.advanced(by: radio.tailTime))
            advance(to: now)
        }
    }

    private mutating func advance(to now: Instant) {
        if case .promoted(let until) = state, until <= now {
            state = flows > 0 ? .active : .tail(until: until.advanced(by: radio.tailTime))
        }
        if case .tail(let until) = state, until <= now { state = .idle }
    }

    private mutating func settle(in turn: inout Turn<Effect>) {
        let power: Int64 =
            switch state {
            case .idle: 0
            case .promoted: radio.promotion
            case .active: radio.active
            case .tail: radio.tail
            }
        guard power != told else { return }
        told = power
        turn.order(.powerChanged(milliwatts: power))
    }
}
