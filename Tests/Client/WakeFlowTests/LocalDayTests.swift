import Testing
import WakeFlow

@Suite("A local day")
struct LocalDayTests {
    @Test("Its text is the date of the Gregorian calendar, before 1970 and on leap days too")
    func text() {
        let days: [(Int32, String)] = [
            (0, "1970-01-01"), (11_016, "2000-02-29"), (11_017, "2000-03-01"),
            (20_785, "2026-11-28"), (-1, "1969-12-31"),
        ]
        for (number, text) in days { #expect(LocalDay(number: number).text == text) }
    }
}
