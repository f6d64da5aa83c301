import Foundation

/// A table for a terminal: a header and one line a record, with columns cut to the terminal's width. A terminal that is
/// too narrow gets one block of lines a record.
package struct Table<Row> {
    /// A column: its title, its value in each record, and whether the value may be cut. Identifiers are never cut.
    ///
    /// A column called `STATE` is coloured by its values.
    package struct Column {
        let title: String
        let mayBeCut: Bool
        let value: (Row) -> String

        package init(_ title: String, mayBeCut: Bool = false, value: @escaping (Row) -> String) {
            self.title = title
            self.mayBeCut = mayBeCut
            self.value = value
        }

        fileprivate func color(of cell: String) -> TerminalColor? {
            title == "STATE" ? TerminalColor(state: cell) : nil
        }
    }

    private let columns: [Column]

    package init(_ columns: Column...) {
        self.columns = columns
    }

    /// Formats the records, without columns that are empty in every record.
    ///
    /// - Parameters:
    ///   - rows: The records.
    ///   - width: The columns of the terminal; `nil` without a terminal, which cuts nothing.
    /// - Returns: The lines, without a last line end.
    package func text(_ rows: [Row], width: Int? = TerminalWidth.current) -> TerminalText {
        let filled = columns.map { column in
            (column: column, cells: rows.map { TerminalText(escaping: column.value($0)).description })
        }
        .filter { $0.cells.contains { !$0.isEmpty } }
        guard let widths = Self.widths(filled, within: width) else { return Self.blocks(filled, rows.count) }
        let header = zip(filled, widths).map { TerminalWidth.fit($0.column.title, to: $1) }
        let body = rows.indices.map { index in
            Self.line(filled.map { (column: $0.column, cell: $0.cells[index]) }, widths)
        }
        let title = TerminalText(escaping: header.joined(separator: "  ").trimmingSuffix(" "))
        return ([title] + body).joined(separator: "\n")
    }

    /// A line without spaces at its end. Colours surround the text of a cell, not the spaces after it.
    private static func line(_ cells: [(column: Column, cell: String)], _ widths: [Int]) -> TerminalText {
        let last = cells.lastIndex { !$0.cell.isEmpty } ?? 0
        return zip(cells, widths).prefix(last + 1).enumerated().map { index, entry in
            let ((column, cell), width) = entry
            let fitted = TerminalWidth.fit(cell, to: width)
            let text = fitted.trimmingSuffix(" ")
            let padding = index == last ? "" : String(fitted.dropFirst(text.count))
            return "\(TerminalText(escaping: text, color: column.color(of: cell)))\(padding)" as TerminalText
        }
        .joined(separator: "  ")
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
