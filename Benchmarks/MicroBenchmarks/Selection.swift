import Foundation

/// Which cases to measure.
struct Selection: Sendable {
    private let texts: [String]

    /// - Parameter texts: parts of names, upper or lower case; none stands for everything.
    init(_ texts: [String]) {
        self.texts = texts
    }

    func contains(_ name: CaseName, in group: BenchmarkCase.Group) -> Bool {
        texts.isEmpty
            || texts.contains { text in
                name.rawValue.localizedCaseInsensitiveContains(text)
                    || group.rawValue.localizedCaseInsensitiveContains(text)
            }
    }
}
