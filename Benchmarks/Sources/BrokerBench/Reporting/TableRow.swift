/// A line of the table of figures.
struct TableRow {
    private static let widths = [6, 8, 20, 9, 7, 7, 7, 7, 8, 7]
    let text: String

    init(_ name: String, _ columns: String...) {
        self.init(name, columns)
    }

    init(_ name: String, _ columns: [String]) {
        text = name.padded(to: 50) + zip(columns, Self.widths).map { $0.paddedOnTheLeft(to: $1) }.joined()
    }
}

/// A line of the table of goals.
struct GoalRow {
    private static let widths = [20, 9, 9, 9, 9]
    let text: String

    init(_ name: String, _ columns: String...) {
        text = name.padded(to: 54) + zip(columns, Self.widths).map { $0.paddedOnTheLeft(to: $1) }.joined()
    }
}

/// A line of the table of the broker and its baseline.
struct ComparisonRow {
    private static let widths = [6, 10, 10, 22]
    let text: String

    init(_ name: String, _ columns: String...) {
        text = name.padded(to: 54) + zip(columns, Self.widths).map { $0.paddedOnTheLeft(to: $1) }.joined()
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(width - count, 1))
    }

    fileprivate func paddedOnTheLeft(to width: Int) -> String {
        String(repeating: " ", count: max(width - count, 1)) + self
    }
}
