/// The person, with what is known of the address.
struct AccountPersonView: Sendable {
    let name: String
    let monogram: MonogramView
    let email: EmailView?

    struct EmailView: Sendable {
        let address, tone, state: String
    }

    init(_ person: AccountPage.Person, _ text: AccountText) {
        let plain = PersonView(name: person.displayName, email: nil, fallback: text.nameless)
        name = plain.name
        monogram = MonogramView([person.displayName, person.email].compactMap { $0 }.first { !$0.isEmpty } ?? "?")
        email = person.email.map { address in
            EmailView(
                address: address, tone: person.isEmailVerified ? "good" : "warning",
                state: person.isEmailVerified ? text.verified : text.unverified)
        }
    }
}
