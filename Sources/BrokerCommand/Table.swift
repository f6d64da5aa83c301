import Foundation

/// A table for a terminal: a header and one line a record, with columns cut to the terminal's width. A terminal that is
/// too narrow gets one block of lines a record.
struct Table<Row> {
    /// A column: its title, its value in each record, and whether the value may be cut. Identifiers are never cut.
    struct Column {
        let title: String
        let mayBeCut: Bool
        let value: (Row) -> String

        init(_ title: String, mayBeCut: Bool = false, value: @escaping (Row) -> String) {
            self.title = title
            self.mayBeCut = mayBeCut
            self.value = value
        }
    }

    private let columns: [Column]

    init(_ columns: Column...) {
        self.columns = columns
    }

    /// Formats the records, without columns that are empty in every record.
    ///
    /// - Parameters:
    ///   - rows: The records.
    ///   - width: The columns of the terminal; `nil` without a terminal, which cuts nothing.
    /// - Returns: The lines, without a last line end.
    func text(_ rows: [Row], width: Int? = TerminalWidth.current) -> TerminalText {
        let filled = columns.map { column in
            (column: column, cells: rows.map { TerminalText(escaping: column.value($0)).description })
        }
        .filter { $0.cells.contains { !$0.isEmpty } }
        guard let widths = Self.widths(filled, within: width) else { return Self.blocks(filled, rows.count) }
        let lines = (-1..<rows.count).map { index in
            zip(filled, widths).map { entry, width in
                let cell = index < 0 ? entry.column.title : entry.cells[index]
                return TerminalWidth.fit(cell, to: width)
            }
            .joined(separator: "  ").trimmingSuffix(" ")
        }
        return TerminalText(escapingLines: lines.joined(separator: "\n"))
    }

    private typealias Filled = (column: Column, cells: [String])

    /// The width of each column; `nil` when even cut columns do not fit.
    private static func widths(_ filled: [Filled], within limit: Int?) -> [Int]? {
        var widths = filled.map { entry in ([entry.column.title] + entry.cells).map(TerminalWidth.of).max() ?? 0 }
        guard let limit else { return widths }
        let available = limit - 2 * (widths.count - 1)
        while widths.reduce(0, +) > available {
            let shrinking = widths.indices.filter { filled[$0].column.mayBeCut && widths[$0] > narrowest }
            guard let widest = shrinking.max(by: { widths[$0] < widths[$1] }) else { return nil }
            widths[widest] -= 1
        }
        return widths
    }

    private static var narrowest: Int { 10 }

    private static func blocks(_ filled: [Filled], _ count: Int) -> TerminalText {
        let titleWidth = filled.map { TerminalWidth.of($0.column.title) }.max() ?? 0
        let blocks = (0..<count).map { index in
            filled.filter { !$0.cells[index].isEmpty }
                .map { "\(TerminalWidth.fit($0.column.title, to: titleWidth))  \($0.cells[index])" }
                .joined(separator: "\n")
        }
        return TerminalText(escapingLines: blocks.joined(separator: "\n\n"))
    }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        String(self[..<(lastIndex { $0 != character }.map(index(after:)) ?? startIndex)])
    }
}
