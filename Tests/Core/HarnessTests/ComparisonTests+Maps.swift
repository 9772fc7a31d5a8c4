import Foundation
@testable import KodamaEvidence
@testable import KodamaHarness
import Testing

// How a comparison shows grids.

extension ComparisonTests {
    @Test("A grid is compared as a map of its points for each gated figure that differs (HN-04)")
    func maps() throws {
        func page(_ slower: Int64) throws -> String {
            let reports = try [0, slower].map { more in
                let outcome = try Outcomes.scenario(
                    lengths: ["1s", "15s"],
                    presets: ["default", "as-specified"]
                ) { length, preset in
                    (length == "1s" ? 2 : 9) + (preset == "default" ? 0 : more)
                }
                return RunReport([outcome], material: "")
            }
            return HTMLComparison(ReportComparison(reports[0], reports[1])).text
        }
        let map = "<h2>total-outage by outage and preset</h2>"
        let text = try page(3)
        #expect(text.contains(map))
        #expect(text.contains("<th scope=\"row\">15s</th>"))
        #expect(text.components(separatedBy: "<td class=\"number\">=</td>").count == 3)
        #expect(text.components(separatedBy: "+3 s</td>").count > 3)
        #expect(try !page(0).contains(map), "a map of points that are all the same")
    }
}
