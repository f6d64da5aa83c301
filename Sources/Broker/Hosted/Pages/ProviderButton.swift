/// A provider one can sign in with.
struct ProviderButton: Sendable {
    /// The entry's id, which tells two entries of one kind apart.
    let id: String
    /// The kind of plugin: `github`, `gitlab`, `apple`, `1pass`, `oidc`, `oauth2` or another.
    let kind: String
    /// What people call it.
    let name: String
    let href: PageLink

    init(id: String, kind: String, name: String, href: String) {
        self.id = id
        self.kind = kind
        self.name = name
        self.href = PageLink(href)
    }
}
