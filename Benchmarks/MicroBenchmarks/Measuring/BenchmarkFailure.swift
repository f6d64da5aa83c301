/// Why a figure could not be taken: what was measured did not do what it is measured for.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
