/// A sweep's points as a map: a column for each value of the last name, a row for all others.
struct SweepMap {
    private let names: [String]
    private let values: [[String]]

    /// Lays out a map.
    ///
    /// - Parameters:
    ///   - names: The swept names.
    ///   - values: Each point's values, in their order.
    init(_ names: [String], _ values: [[String]]) {
        self.names = names
        self.values = values
    }

    /// Draws the map as a table.
    ///
    /// - Parameters:
    ///   - caption: The table's caption.
    ///   - html: What to add it to.
    ///   - cell: The cell of a point, by its index.
    func draw(caption: String, into html: inout Markup, cell: (Int) -> Markup.Cell) {
        let columns = values.compactMap(\.last).distinct
        let labels = values.map { Array($0.dropLast()) }.distinct
        html.table(
            [names.dropLast().joined(separator: " ")] + columns.map { "\(names.last ?? "") \($0)" },
            labels.map { label in
                [Markup.Cell(label.joined(separator: " "))]
                    + columns.map { column in
                        values.firstIndex(of: label + [column]).map(cell) ?? "-"
                    }
            },
            caption: caption
        )
    }
}
