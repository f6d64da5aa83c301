/// A connected provider.
struct ConnectionView: Sendable {
    let mark: ProviderMark
    let name: String
    let label: String?
    let since: MomentView?
    let form: FormView?

    init(_ connection: AccountPage.Connection, _ text: AccountText, _ language: PageLanguage) {
        mark = ProviderMark(kind: connection.kind, name: connection.name)
        name = connection.name
        label = connection.label
        since = connection.since.map { MomentView(label: text.since, date: PageDate(day: $0, language)) }
        form = connection.disconnect.map {
            FormView(inRow: $0, .init(text.disconnect, .quiet, spoken: connection.name))
        }
    }
}
