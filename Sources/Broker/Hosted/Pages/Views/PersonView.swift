/// A person as the pages show them.
struct PersonView: Sendable {
    let name: String
    let monogram: MonogramView
    let email: String?

    /// Somebody by name, else by address, else as `fallback` calls them.
    init(name: String?, email: String?, fallback: String) {
        self.name = [name, email].compactMap { $0 }.first { !$0.isEmpty } ?? fallback
        monogram = MonogramView(self.name)
        // An address that already stands in the name's place is not said twice.
        self.email = email == self.name ? nil : email
    }
}
