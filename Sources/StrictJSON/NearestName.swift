/// The search for the known name that is most similar to an unknown one.
package enum NearestName {
    /// The maximum length of compared names: the cost grows with the product of the lengths.
    private static let longest = 64

    /// The candidate most similar to `name`, or nil when none is similar.
    ///
    /// Differences in case, hyphens and underscores are ignored; otherwise the edit distance decides.
    package static func nearest(to name: String, among candidates: [String]) -> String? {
        guard name.utf8.count <= longest else { return nil }
        let wanted = letters(of: name)
        var nearest: (name: String, distance: Int)?
        for candidate in candidates where candidate.utf8.count <= longest {
            let distance = editDistance(wanted, letters(of: candidate))
            if distance < nearest?.distance ?? .max { nearest = (candidate, distance) }
        }
        guard let nearest, nearest.distance <= max(1, wanted.count / 3) else { return nil }
        return nearest.name
    }

    private static func letters(of name: String) -> [UInt8] {
        name.lowercased().utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
    }

    /// The number of insertions, deletions, replacements and swaps of neighbours between both.
    private static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                let replaced = previous[column] + (letter == other ? 0 : 1)
                var distance = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    distance = min(distance, beforePrevious[column - 1] + 1)
                }
                current.append(distance)
            }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[right.count]
    }
}
