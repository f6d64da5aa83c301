/// A user, as the pages show one.
struct PersonView: Sendable {
    let name: String
    let monogram: MonogramView
    let email: String?
    /// Stands above the name.
    let caption: String?
    /// Leads to another account.
    let switchAccount: LinkView?

    /// By name, else by address, else by `fallback`.
    init(name: String?, email: String?, fallback: String, caption: String? = nil, switchAccount: LinkView? = nil) {
        self.caption = caption
        self.switchAccount = switchAccount
        self.name = [name, email].compactMap { $0 }.first { !$0.isEmpty } ?? fallback
        monogram = MonogramView(self.name)
        // An address that already stands in the name's place is not said twice.
        self.email = email == self.name ? nil : email
    }
}

/// The values of the `monogram` template: up to two letters of a name.
struct MonogramView: Sendable {
    let letters: String

    init(_ name: String) {
        let words = name.split(separator: " ").filter { $0.first?.isLetter == true }
        let initials = [words.first, words.count > 1 ? words.last : nil].compactMap { $0?.first.map(String.init) }
        letters = initials.isEmpty ? String(name.prefix(1)).uppercased() : initials.joined().uppercased()
    }
}
