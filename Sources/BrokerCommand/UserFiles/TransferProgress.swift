import Foundation

/// The progress of a long transfer of users on standard error, at most one line in two seconds.
final class TransferProgress {
    private let verb: String
    private let total: Int?
    private let start = ContinuousClock.now
    private var last = ContinuousClock.now

    /// - Parameters:
    ///   - verb: What is done.
    ///   - total: The number of users, where it is known.
    init(_ verb: String, of total: Int?) {
        self.verb = verb
        self.total = total
    }

    func note(_ users: Int) {
        guard ContinuousClock.now - last >= .seconds(2) else { return }
        last = .now
        show(users)
    }

    /// Shows the end, if any progress was shown.
    func finish(_ users: Int) {
        if last > start + .seconds(1) { show(users) }
    }

    private func show(_ users: Int) {
        let seconds = max((ContinuousClock.now - start) / .seconds(1), 0.001)
        let rate = Int(Double(users) / seconds)
        let part = total.map { " of \($0)" } ?? ""
        TerminalText("\(verb): \(users)\(part) users, \(rate) a second").warn()
    }
}
