/// Slots for jobs that run at a time, shared by all sources of jobs.
///
/// Where one scenario has fewer jobs left than there are processors, those of the next begin.
public actor JobSlots {
    private struct Waiting {
        var rank: Int
        var go: CheckedContinuation<Void, Never>
    }

    /// How many there are.
    public nonisolated let count: Int
    private var free: Int
    /// By rank, and within one in the order in which they came.
    private var line: [Waiting] = []

    /// How many wait for one.
    var lineCount: Int { line.count }

    /// Makes this number of slots; at least one.
    public init(_ count: Int) {
        self.count = max(1, count)
        free = self.count
    }

    /// Waits for a slot: lower ranks get one first, and equal ranks in order of arrival.
    func take(rank: Int) async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { go in
            let place = line.lastIndex { $0.rank <= rank }.map { $0 + 1 } ?? 0
            line.insert(Waiting(rank: rank, go: go), at: place)
        }
    }

    /// Gives the slot to the next waiting job.
    func giveBack() {
        guard line.isEmpty else { return line.removeFirst().go.resume() }
        free += 1
    }
}
