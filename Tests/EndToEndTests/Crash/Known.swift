/// One fact about the store as a client knows it: its value and, from a request on that would change it until the answer,
/// the other one it may have.
struct Known<Value: Hashable & Sendable>: Sendable {
    private(set) var value: Value
    private var asked: Value?

    init(_ value: Value) {
        self.value = value
    }

    /// Whether no request about it is without an answer.
    var isCertain: Bool { asked == nil }

    /// A request that changes the fact leaves.
    mutating func ask(for value: Value) { asked = value }

    /// The request was answered: from now on there is nothing else to be found.
    mutating func granted() {
        if let asked { value = asked }
        asked = nil
    }

    func allows(_ actual: Value) -> Bool { actual == value || actual == asked }

    /// What was found decides for good.
    mutating func settle(on actual: Value) {
        value = actual
        asked = nil
    }
}
