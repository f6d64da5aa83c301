/// Why a figure could not be taken: what was measured did not do what it is measured for.
package struct BenchmarkFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
