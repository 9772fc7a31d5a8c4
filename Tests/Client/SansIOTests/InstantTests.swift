import SansIO
import Testing

@Test("An instant moves by durations to the nanosecond, in both directions")
func instantArithmetic() {
    let start = Instant(nanoseconds: 5)
    let later = start.advanced(by: .milliseconds(20))
    #expect(later.nanoseconds == 20_000_005)
    #expect(start.duration(to: later) == .milliseconds(20))
    #expect(later.duration(to: start) == .milliseconds(-20))
    #expect(start < later)
}

@Test(
    "A duration's whole nanoseconds are cut towards zero",
    arguments: [
        (Duration.seconds(3), 3_000_000_000),
        (.nanoseconds(-7), -7),
        (Duration(secondsComponent: 0, attosecondsComponent: 1_999_999_999), 1),
        (Duration(secondsComponent: 0, attosecondsComponent: -1_999_999_999), -1),
    ] as [(Duration, Int64)]
)
func wholeNanoseconds(duration: Duration, nanoseconds: Int64) {
    #expect(duration.wholeNanoseconds == nanoseconds)
}

@Test("The earlier deadline wins and a missing one never does")
func earliestDeadline() {
    let early = Deadline(Instant(nanoseconds: 1), "early")
    let late = Deadline(Instant(nanoseconds: 2), "late")
    #expect(Deadline.earliest(late, early)?.instant == early.instant)
    #expect(Deadline.earliest(nil, late)?.instant == late.instant)
    #expect(Deadline.earliest(nil, nil) == nil)
}
