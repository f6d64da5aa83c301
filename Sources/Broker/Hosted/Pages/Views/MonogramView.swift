/// What the `monogram` template reads: up to two letters of a name.
struct MonogramView: Sendable {
    let letters: String

    init(_ name: String) {
        let words = name.split(separator: " ").filter { $0.first?.isLetter == true }
        let initials = [words.first, words.count > 1 ? words.last : nil].compactMap { $0?.first.map(String.init) }
        letters = initials.isEmpty ? String(name.prefix(1)).uppercased() : initials.joined().uppercased()
    }
}
