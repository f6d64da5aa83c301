import ProviderKit

/// The settings of the console.
package struct ConsoleSettings: Sendable, Hashable {
    /// A listener of its own; nil where the console is served with everything else.
    package var listen: Configuration.ListenAddress?
    /// The URL at which browsers reach it, an origin; nil for the public URL.
    package var url: String?
    package var administrators: [NamedAdministrator] = []

    package init() {}

    /// An administrator that the configuration names: by a subject, or by an address that the entry verifies.
    package struct NamedAdministrator: Sendable, Hashable {
        package var provider: String
        package var issuer: String?
        package var subject: String?
        /// Canonical.
        package var email: String?
        package var role: ConsoleRole

        package init(
            provider: String, issuer: String? = nil, subject: String? = nil, email: String? = nil, role: ConsoleRole
        ) {
            self.provider = provider
            self.issuer = issuer
            self.subject = subject
            self.email = email
            self.role = role
        }
    }
}

extension ConsoleSettings {
    /// `console` of `broker.json`.
    static let keys = DeclaredObject<ConsoleSettings>([
        .text(
            "listen",
            "the address of a listener of its own for the [console](Console.md), `host:port`; without it the console is "
                + "served at `listen`"
        ) { (settings, text, place) throws(ConfigurationError) in
            settings.listen = try .init(parsing: text, source: place.source, at: place.pointer)
        }.example("127.0.0.1:9191"),
        .text("url", "the URL at which browsers reach that listener, an origin") {
            (settings, text, place) throws(ConfigurationError) in
            settings.url = try Configuration.checkedPublicURL(text, in: place.source, at: place.pointer)
        }.initially(inWords: "`publicURL`, or `console.listen` where that is of this machine").example(
            "https://console.internal.example"),
        .list(
            "administrators", of: NamedAdministrator.keys, initially: NamedAdministrator(provider: "", role: .viewer),
            "the administrators of the console; further ones come by `broker console invite`"
        ) { $0.administrators = $1 },
    ])
}

extension ConsoleSettings.NamedAdministrator {
    /// The items of `console.administrators`.
    fileprivate static let keys = DeclaredObject<ConsoleSettings.NamedAdministrator>(
        [
            .text("provider", "the id of the provider's entry") { item, id, _ in item.provider = id }.required()
                .example("github.com"),
            .text("issuer", "the issuer of the subject, as the entry has it; beside `subject`") { item, text, _ in
                item.issuer = text
            }.example("https://github.com"),
            .text("subject", "the administrator's permanent id at the provider") { item, text, _ in
                item.subject = text
            }.example("583231"),
            .text(
                "email",
                "in place of a subject: the address that this entry, with `trustEmail`, asserts as verified; the first "
                    + "subject that has it keeps it"
            ) { (item, text, place) throws(ConfigurationError) in
                guard let canonical = EmailAddress(text)?.canonical else {
                    throw place.error("is no e-mail address.", fix: #"Write "ann@example.com"."#)
                }
                item.email = canonical
            }.example("ann@example.com"),
            .choice("role", ConsoleRole.self, "what the administrator may do") { $0.role = $1 }.required(),
        ]
    ) { (item, _, place) throws(ConfigurationError) in
        let namesSubject = item.issuer != nil && item.subject != nil && item.email == nil
        let namesAddress = item.issuer == nil && item.subject == nil && item.email != nil
        guard namesSubject || namesAddress else {
            throw place.error(
                "must name issuer and subject, or an email.",
                fix: #"Write {"provider": …, "issuer": …, "subject": …, "role": …} or {"provider": …, "email": …, …}."#)
        }
    }
}

extension Configuration {
    /// The URL at which browsers reach the console, an origin.
    package var consoleURL: String {
        if let url = console.url { return url }
        guard let listen = console.listen else { return publicURL }
        return "http://\(listen.host.contains(":") ? "[\(listen.host)]" : listen.host):\(listen.port)"
    }
}
