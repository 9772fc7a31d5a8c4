public import SansIO

/// Holds the frames of one sender until their playout time, and makes up for those that fail it.
///
/// One *lag*, the playout time minus the media time, governs a talk spurt: frames that follow each
/// other play without a gap, and the lag moves only on purpose.
///
/// - A spurt starts at the target delay, anew each time; a pre-roll, already old, starts at once.
/// - Lag above the target is borne for a while, then compressed away; lag far below it is stretched,
///   and any lag below it once a frame was overtaken and lost.
/// - A missing frame is recovered from the next one's copy, else concealed; the lag stays.
/// - Frames that newer ones overtook by a quicker path are not missing while their own path has
///   brought nothing newer: if they come while they are concealed, they play late. But no more is
///   made up than if they were lost: then the newer ones play, whatever is still on its way.
/// - When nothing is left, playout holds: concealment stands in until a frame comes. That frame then
///   plays late rather than never. Only where one or two frames are late and their successors are
///   there, they are dropped and the lag stays within half a frame of where it was; and so is what
///   is later than the ceiling allows (S-AUD-004).
/// - A lag that a slow path has left behind is given up when frames would outgrow the buffer before
///   their time, or when a second was made up while frames wait: a new spurt begins with them.
///
/// So delay grows only by as much as a frame was in fact late, and no frame is concealed on a
/// forecast. The target decides how much of that growth is kept; see `TransitWindow`.
///
/// The machine counts the samples it has ordered against those requested; the driver reports nothing
/// back. It has no deadline: the speaker's requests are its clock. Its memory is bounded and, once
/// every path has been heard, constant.
public struct JitterBuffer: StateMachine {
    /// What playout is doing.
    enum State: Sendable, Equatable, BitwiseCopyable {
        /// There is no talk.
        case idle
        /// Frames of a spurt are here; its start is due later. Since when, in nanoseconds.
        case waiting(sinceNanoseconds: Int64)
        /// A spurt sounds.
        case talking
        /// The stream is over.
        case stopped
    }

    /// A gap that a slower path may still fill.
    struct Overtaken: Sendable, Equatable, BitwiseCopyable {
        /// The first frame beyond it, which a quicker path brought.
        let end: Int64
        /// How much may yet be made up before that frame plays.
        var samples: Int
    }

    /// How frames are scaled.
    enum Pace: Sendable, Equatable, BitwiseCopyable {
        case level
        case compressing
        case stretching
    }

    /// A request of one second at the quickest pace, with as many frames dropped as fit.
    public static var effectsPerCallMax: Int { 512 }

    let limits: Limits
    var state = State.idle
    var frames = FrameRing()
    var target: PlayoutTarget
    /// The target delay that `targetChanged` told last, in nanoseconds.
    var toldNanoseconds: Int64 = 0

    /// The lowest capture index that may still be played.
    var next = Int64.min
    /// Playout time minus media time of frame `next`, were it played without a gap, in nanoseconds.
    var lagNanoseconds: Int64 = 0
    /// Samples ordered beyond those requested; within a request, beyond its start.
    var ahead = 0
    /// When the latest request came, in nanoseconds, and how many samples it wanted.
    var requestNanoseconds: Int64 = 0
    var requestSamples = 0
    /// The last frame of the spurt, when a message named it before its playout.
    var spurtEnd: Int64?

    /// Samples made up since the last real frame.
    var madeUp = 0
    /// Samples made up in the place of frame `next`.
    var madeUpHere = 0
    /// Whether playout held because nothing was left.
    var isHolding = false
    /// The frames that newer ones overtook, while playout stands among them.
    var overtaken: Overtaken?
    /// Frames played since playout last held; stops at `settledFrames`.
    var framesSinceHold = JitterBuffer.settledFrames

    var pace = Pace.level
    /// The playout above the target, in samples, summed over frames.
    var excessFrameSamples = 0

    /// When a frame was last in time, in nanoseconds.
    var freshNanoseconds: Int64 = 0
    /// The last stale frame and how many came in a row up to it.
    var staleIndex = Int64.min
    var staleCount = 0

    /// Makes an empty buffer.
    ///
    /// - Parameters:
    ///   - configuration: MUST lie within the documented ranges.
    ///   - earliestIndex: What was captured before is late: the same stream has been heard further.
    ///   - heardAt: When it was heard last: without that, what was held back looks like a stream
    ///     that started again.
    public init(
        configuration: Configuration = Configuration(),
        from earliestIndex: Int64 = .min,
        heardAt: Instant = .zero
    ) {
        limits = Limits(configuration)
        target = PlayoutTarget(limits)
        (next, freshNanoseconds) = (earliestIndex, heardAt.nanoseconds)
        toldNanoseconds = target.delayNanoseconds
    }

    /// Whether the stream is over.
    public var isFinished: Bool { state == .stopped }

    /// Never: the speaker's requests move the machine.
    public var deadline: Deadline? { nil }

    /// The lowest capture index that may still be played.
    public var earliestIndex: Int64 { next }

    /// When a frame was last in time.
    public var heardAt: Instant { Instant(nanoseconds: freshNanoseconds) }

    /// The target delay above the fastest packet of the path that needs the most.
    public var targetDelay: Duration { .nanoseconds(target.delayNanoseconds) }

    /// How many samples have been ordered beyond those requested.
    public var samplesAhead: Int { ahead }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .frameReceived(let frame):
            receive(frame, in: &turn)
        case .duplicateReceived(let index, let marks, let path):
            observe(index, marks: marks, path: path, in: &turn)
        case .talkEnded(let last):
            endSpurt(after: last)
        case .renderRequested(let samples):
            render(samples, in: &turn)
        case .stop:
            stop(in: &turn)
        }
    }

    /// Does nothing: there is no deadline.
    public mutating func wake(in turn: inout Turn<Effect>) {}
}
