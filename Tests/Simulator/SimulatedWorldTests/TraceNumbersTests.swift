@testable import Evidence
@testable import SimulatedWorld
import Testing

@Suite("The numbers that the world writes into traces")
struct TraceNumbersTests {
    @Test("Traces have the world's own words for them")
    func words() {
        expect(.linkChange) { LinkChange(rawValue: $0) }
        expect(.sessionFault) { SessionFault(rawValue: $0) }
        expect(.pathLoss) { PathLossCause(rawValue: $0) }
    }

    private func expect(_ legend: TraceLegend, _ value: (Int64) -> Any?) {
        for (number, word) in legend.words.enumerated() {
            let name = value(Int64(number)).map { "\($0)".lowercased() }
            #expect(name == word.replacing("-", with: ""))
        }
        #expect(value(Int64(legend.words.count)) == nil)
    }
}
