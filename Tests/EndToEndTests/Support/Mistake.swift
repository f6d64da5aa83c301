import Testing

/// One mistake an operator may make in a file, and what has to be said about it.
struct Mistake: Sendable, CustomTestStringConvertible {
    let name: String
    let file: String
    let text: String
    let replacement: String
    /// Parts of the message: where it is, what was meant, how to mend it.
    let says: [String]

    init(_ name: String, in file: String, _ text: String, _ replacement: String, says: String...) {
        self.name = name
        self.file = file
        self.text = text
        self.replacement = replacement
        self.says = says
    }

    var testDescription: String { name }
}
