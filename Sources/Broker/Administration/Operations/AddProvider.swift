import BrokerStore
package import ProviderKit

/// `providers.add`: adds a provider entry to the store.
package struct AddProvider: AdminOperation {
    package static let declaration = OperationDeclaration(
        "providers.add", "Adds a provider entry to the store, disabled if its check finds a problem. Secrets are text.",
        .trustProviders, .undoable,
        [
            .option(
                "entry",
                "The entry as `plugins.json` has it, or with `from` what is to differ and the client. Secrets are text.",
                example: [
                    "id": "oidc.keycloak", "use": "oidc", "options": ["issuer": "https://keycloak.example/realms/main"],
                ]
            ).containing(.providerEntry),
            .option(
                "from",
                "The provider of the catalogue that the entry is made from: a name as `providers.catalogue` lists it."
            ).containing(.catalogueName),
            .option("variables", "The values of the provider's variables, by their names.")
                .containing(.catalogueVariables),
            .option(
                "subjects",
                "The mapping of the users of an earlier entry with the id, where their subjects were others."),
            .option(
                "takesUsers",
                "Whether the users of an earlier entry with the id may be signed in by this one: required on the broker's host."
            ),
        ], heading: "Add a provider")

    let entry: JSONObject
    let from: String?
    let variables: JSONObject?
    let subjects: SubjectDecision?
    let takesUsers: Bool?

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "provider": "The entry.", "findings": "The problems for which it was added disabled.",
            "catalogue": "The provider of the catalogue that it was made from.",
        ]

        package let provider: ListProviders.ProviderAnswer
        package let findings: [CheckProviderOperation.Finding]
        package let catalogue: CatalogueAnswer?
    }

    package init(
        entry: JSONObject, from: String? = nil, variables: JSONObject? = nil, subjects: SubjectDecision? = nil,
        takesUsers: Bool? = nil
    ) {
        self.entry = entry
        (self.from, self.variables) = (from, variables)
        self.subjects = subjects
        self.takesUsers = takesUsers
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let providers = call.admin.providers
        try await providers.storedConfiguration.reload()
        let listed = try listed()
        let values = try listed.map { try checkedVariables(of: $0) } ?? [:]
        var entry = listed?.entry(values).merging(entry) ?? entry
        let candidate = try providers.candidateProvider(entry, by: call.channel)
        // Over the network the scope says it.
        if call.administrator == nil, takesUsers != true {
            let users = try await providers.use(ofProvider: candidate.id).users
            guard users == 0 else {
                throw AdminFailure(
                    code: Self.notConfirmed,
                    "an earlier entry \(candidate.id) has users (\(users)), and the new entry would sign them in: add --yes "
                        + "to confirm")
            }
        }
        var findings: [CheckProviderOperation.Finding] = []
        if entry["enabled"] != false {
            findings = await CheckProviderOperation.findings(about: candidate, call).filter(\.isProblem)
            if !findings.isEmpty { entry["enabled"] = false }
        }
        let added = try await providers.addProvider(entry, by: call.channel, subjects: subjects, origin: call.origin)
        return Answer(
            provider: call.answer(added), findings: findings,
            catalogue: listed.map { CatalogueAnswer($0, values, publicURL: call.admin.configuration.publicURL) })
    }

    /// The provider of the catalogue that the entry is made from.
    private func listed() throws(AdminFailure) -> CatalogueProvider? {
        guard let from else {
            guard variables?.isEmpty ?? true else { throw .parameter("variables", "needs from") }
            return nil
        }
        guard let listed = ProviderCatalogue.embedded.provider(named: from) else {
            let nearest = ProviderCatalogue.embedded.nearest(to: from).map { ": did you mean \($0)?" } ?? ""
            throw .parameter("from", "names no provider of the catalogue\(nearest)")
        }
        guard entry["use"] == nil || entry["use"]?.string == listed.use else {
            throw .parameter("entry/use", "is \(listed.use) for \(listed.name)")
        }
        return listed
    }

    /// The values of all variables.
    private func checkedVariables(of listed: CatalogueProvider) throws(AdminFailure) -> [String: String] {
        var values: [String: String] = [:]
        for variable in listed.variables {
            guard let value = variables?[variable.name]?.string, variable.accepts(value) else {
                throw .parameter(
                    "variables/\(variable.name)", "takes a value such as \(variable.example): \(variable.description)")
            }
            values[variable.name] = value
        }
        if let unknown = variables?.names.first(where: { values[$0] == nil }) {
            throw .parameter("variables/\(unknown)", "is no variable of \(listed.name)")
        }
        return values
    }

    /// The code of the refusal without ``takesUsers``.
    package static let notConfirmed = "NOT_CONFIRMED"
}

/// `providers.update`: changes a provider entry of the store.
package struct UpdateProvider: AdminOperation {
    package static let declaration = OperationDeclaration(
        "providers.update",
        "Changes a provider entry of the store. All but its name, state and scopes needs the scope providers:trust as well.",
        .writeConfiguration, .undoable,
        [
            .provider,
            .option(
                "changes",
                "The members to set, as `plugins.json` has them; `null` removes one. Those of `options` are set one by one.",
                example: ["displayName": "Keycloak"]
            ).containing(.providerChanges),
            .option("subjects", "The mapping of the entry's users, where their subjects change."),
        ], heading: "Change a provider")

    let id: String
    let changes: JSONObject
    let subjects: SubjectDecision?

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["provider": "The entry."]

        package let provider: ListProviders.ProviderAnswer
    }

    package init(id: String, changes: JSONObject, subjects: SubjectDecision? = nil) {
        self.id = id
        self.changes = changes
        self.subjects = subjects
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let providers = call.admin.providers
        if let subjects, changes.isEmpty, try await !providers.listedProvider(id).isStored {
            let entry = try await providers.decideSubjects(
                ofFileEntry: id, subjects, by: call.channel, origin: call.origin)
            return Answer(provider: call.answer(entry))
        }
        let entry = try await providers.updateProvider(
            id, changes, by: call.channel, subjects: subjects, origin: call.origin)
        return Answer(provider: call.answer(entry))
    }
}

extension AdminCall {
    /// The origin of a change of provider entries.
    var channel: ProviderChangeChannel { administrator?.channel ?? .host }

    /// An entry as it was just written.
    func answer(_ entry: ProviderEntry) -> ListProviders.ProviderAnswer {
        .init(.init(id: entry.id, entry: entry, problem: nil, isStored: entry.isStored), nil, admin)
    }
}

extension DeclaredArgument {
    static let provider = positional("id", "The provider's id.", example: "oidc.keycloak").of(.provider)
}
