/// An invalid configuration: the place, the problem, and the fix.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file or the flag that is wrong.
    package let source: String
    /// The place in the source, as a JSON Pointer; empty for the whole.
    package let path: String
    package let problem: String
    package let fix: String?

    package init(_ source: String, at path: String = "", _ problem: String, fix: String? = nil) {
        self.source = source
        self.path = path
        self.problem = problem
        self.fix = fix
    }

    package var description: String { "\(withoutFix)\(fix.map { " \($0)" } ?? "")" }

    /// The place and the problem.
    var withoutFix: String {
        let place = path.isEmpty ? source : "\(source) at \(path)"
        return "\(place): \(problem)"
    }
}
