extension JitterTrace {
    /// The trace with a stall: what would arrive in it arrives at its end, a nanosecond apart at least.
    ///
    /// - Parameters:
    ///   - start: When it begins, in nanoseconds on the trace's clock.
    ///   - milliseconds: How long it lasts.
    /// - Returns: The trace of the same frames.
    public func stalled(from start: Int64, milliseconds: Int64) -> JitterTrace {
        var trace = self
        let end = start + milliseconds * 1_000_000
        for position in frames.indices
        where (start..<end).contains(frames[position].arrivedNanoseconds) {
            trace.frames[position].arrivedNanoseconds = end + Int64(position % 97)
        }
        return trace
    }

    /// The trace as the lines that `parse` reads, under a header.
    public var text: String {
        var text = "kind,send_ms,arrive_ms\n"
        for frame in frames {
            let arrived =
                frame.isLost ? "-1" : Self.milliseconds(frame.arrivedNanoseconds)
            text += "\(name),\(Self.milliseconds(frame.sentNanoseconds)),\(arrived)\n"
        }
        return text
    }

    private static func milliseconds(_ nanoseconds: Int64) -> String {
        let digits = String(nanoseconds % 1_000_000)
        guard digits != "0" else { return "\(nanoseconds / 1_000_000)" }
        return "\(nanoseconds / 1_000_000)." + String(repeating: "0", count: 6 - digits.count)
            + digits
    }
}
