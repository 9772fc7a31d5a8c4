import SansIO

/// The frames that wait for their playout time, by capture index, in one allocation.
///
/// Whoever inserts keeps all indices within one `capacity` of each other.
struct FrameRing: Sendable, Equatable {
    /// A waiting frame.
    struct Slot: Sendable, Equatable, BitwiseCopyable {
        var captureIndex: Int64
        var frame: FrameHandle
        var marks: FrameMarks
        var path: UInt8
        var carriesFEC: Bool
        var isTaken: Bool
    }

    /// How many consecutive frames fit: 2.56 s, beyond the greatest ceiling; a power of two.
    ///
    /// Paths may lie further apart than that; `PlayoutTarget` waits for none that does.
    static let capacity = 128

    private var slots: [Slot]
    /// How many frames wait.
    private(set) var count = 0

    init() {
        let vacant = Slot(
            captureIndex: 0,
            frame: FrameHandle(slot: 0),
            marks: [],
            path: 0,
            carriesFEC: false,
            isTaken: false
        )
        slots = Array(repeating: vacant, count: Self.capacity)
    }

    /// The frame with this capture index, if it waits here.
    func frame(at index: Int64) -> Slot? {
        let slot = slots[place(of: index)]
        return slot.isTaken && slot.captureIndex == index ? slot : nil
    }

    /// The earliest waiting frame from `index` on.
    ///
    /// - Complexity: Linear in the gap before it, at most `capacity`.
    func first(from index: Int64) -> Slot? {
        guard count > 0 else { return nil }
        for ahead in 0..<Int64(Self.capacity) {
            if let slot = frame(at: index &+ ahead) { return slot }
        }
        return nil
    }

    /// Puts a frame into its place, which MUST be vacant.
    mutating func insert(_ received: ReceivedFrame) {
        let place = place(of: received.captureIndex)
        precondition(!slots[place].isTaken, "frame \(received.captureIndex) finds no vacant place")
        slots[place] = Slot(
            captureIndex: received.captureIndex,
            frame: received.frame,
            marks: received.marks,
            path: received.path,
            carriesFEC: received.carriesFEC,
            isTaken: true
        )
        count += 1
    }

    /// Takes the frame with this capture index out.
    mutating func remove(at index: Int64) -> Slot? {
        guard let slot = frame(at: index) else { return nil }
        slots[place(of: index)].isTaken = false
        count -= 1
        return slot
    }

    /// Adds marks to a waiting frame and says whether there is one.
    mutating func add(_ marks: FrameMarks, at index: Int64) -> Bool {
        guard frame(at: index) != nil else { return false }
        slots[place(of: index)].marks.formUnion(marks)
        return true
    }

    private func place(of index: Int64) -> Int {
        Int(index & Int64(Self.capacity - 1))
    }
}
