/// A place one is signed in.
struct SessionView: Sendable {
    let place: String
    let current: String?
    let details: [MomentView]
    let form: FormView?

    init(_ session: AccountPage.Session, _ text: AccountText, _ language: PageLanguage) {
        let place =
            switch session.place {
            case .app(let name): name
            case .web: session.isCurrent ? text.thisBrowser : text.web
            }
        self.place = place
        current = session.isCurrent ? text.current : nil
        let signedIn = MomentView(
            label: session.provider.map { text.signedInWith($0) } ?? text.signedIn,
            date: PageDate(session.signedInAt, language))
        let used = session.lastUsedAt.map { MomentView(label: text.lastUsed, date: PageDate($0, language)) }
        details = [signedIn] + (used.map { [$0] } ?? [])
        form = session.signOut.map { FormView(inRow: $0, .init(text.endSession, .quiet, spoken: place)) }
    }
}
