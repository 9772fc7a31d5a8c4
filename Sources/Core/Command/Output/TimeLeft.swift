/// How much longer something takes if it goes on as it went.
enum TimeLeft {
    /// The words for it, with a comma before them; none before two seconds have passed, since it cannot be said then.
    static func text(after passed: Duration, done: Int, of all: Int) -> String {
        let seconds = Int(passed.components.seconds)
        guard done > 0, seconds >= 2 else { return "" }
        let left = seconds * max(0, all - done) / done
        return left < 90 ? ", \(left) s left" : ", \((left + 30) / 60) min left"
    }
}
