import ProviderKit

/// A resource that Identity Toolkit has for provider entries (contract §7.8). Secrets are write-only: no answer has one.
enum ProviderConfigKind: String, Sendable, CaseIterable {
    /// Entries of `oidc` whose id begins with `oidc.`.
    case openID = "oauthIdpConfigs"
    /// Entries with the id that their plugin has for the public service, such as `github.com`.
    case builtIn = "defaultSupportedIdpConfigs"

    /// The query parameter that names a new entry.
    var idParameter: DeclaredParameter {
        switch self {
        case .openID:
            DeclaredParameter("oauthIdpConfigId", "The id of the new entry, `oidc.<name>`.").required
                .example("oidc.example")
        case .builtIn:
            DeclaredParameter("idpId", "The id that the provider's plugin has for the public service.").required
                .example("gitlab.com")
        }
    }

    /// The plugin of an entry with this id; nil for an id that the resource does not have.
    func use(_ id: String, among plugins: [ProviderPlugin]) -> ProviderKind? {
        switch self {
        case .openID: id.hasPrefix("oidc.") ? "oidc" : nil
        case .builtIn: plugins.first { $0.publicInstance?.id.hasSameBytes(as: id) ?? false }?.kind
        }
    }

    func contains(_ entry: ProviderEntry, among plugins: [ProviderPlugin]) -> Bool {
        use(entry.id, among: plugins) == entry.use
    }
}

/// A member of a provider's configuration that is an option of its entry, declared once: its place in requests and answers,
/// and its text.
struct ProviderConfigField: Sendable {
    /// The names from the document's root, joined by dots.
    let path: String
    /// The option of the entry.
    let option: String
    let text: String
    var isList = false
    /// Whether no answer has it.
    var isSecret = false

    /// The fields of an entry.
    static func of(_ kind: ProviderConfigKind, _ use: ProviderKind?) -> [ProviderConfigField] {
        switch kind {
        case .builtIn: use == "apple" ? apple : client
        case .openID: client + [issuer]
        }
    }

    private static let client = [
        ProviderConfigField(path: "clientId", option: "clientId", text: "The client's id at the provider."),
        ProviderConfigField(
            path: "clientSecret", option: "clientSecret", text: "The client's secret. No answer has it.",
            isSecret: true),
    ]

    private static let issuer = ProviderConfigField(
        path: "issuer", option: "issuer", text: "The issuer of the provider's ID tokens.")

    private static let apple = [
        ProviderConfigField(path: "clientId", option: "servicesId", text: "The id of Apple's Services ID."),
        ProviderConfigField(
            path: "appleSignInConfig.bundleIds", option: "clientIds", text: "The bundle ids of the project's apps.",
            isList: true),
        codeFlow("teamId", "The id of the Apple developer team."),
        codeFlow("keyId", "The id of the private key."),
        codeFlow("privateKey", "The private key, in PEM. No answer has it.", isSecret: true),
    ]

    private static func codeFlow(_ name: String, _ text: String, isSecret: Bool = false) -> ProviderConfigField {
        ProviderConfigField(
            path: "appleSignInConfig.codeFlowConfig.\(name)", option: name, text: text, isSecret: isSecret)
    }

    /// Reads the value of a change: null for one that removes the option, nil for none.
    fileprivate func change(_ fields: RequestFields) throws(WireError) -> JSONValue? {
        let (fields, name) = try fields.place(of: path)
        guard try fields.value(name) != nil else { return nil }
        if isList { return .array(try fields.strings(name).map(JSONValue.string)) }
        return try fields.nonEmpty(name).map(JSONValue.string) ?? .null
    }
}

extension ProviderConfigKind {
    /// The answer for an entry.
    func document(_ entry: ProviderEntry, isEnabled: Bool, projectID: String) -> JSONObject {
        var document: JSONObject = [
            "name": .string("projects/\(projectID)/\(rawValue)/\(entry.id)"), "enabled": .bool(isEnabled),
            "broker": ["source": entry.isStored ? "store" : "file"],
        ]
        document["displayName"] = entry.displayName.map(JSONValue.string)
        if self == .openID { document["responseType"] = ["code": true] }
        if self == .builtIn, entry.use == "apple" { document["appleSignInConfig"] = ["codeFlowConfig": [:]] }
        for field in ProviderConfigField.of(self, entry.use) where !field.isSecret {
            document.setMember(at: field.path, to: entry.options.object?[field.option])
        }
        return document
    }

    /// JSON Schema of requests and answers.
    var schema: JSONValue {
        var schema = NestedSchema()
        schema.add("name", ["type": "string"], "The name of the resource.")
        schema.add("displayName", ["type": "string"], "The name on the broker's pages.")
        schema.add("enabled", ["type": "boolean"], "Whether users may sign in with the provider.")
        // Where both have a member, its text is that of OAuth.
        let apple = self == .builtIn ? ProviderConfigField.of(self, "apple") : []
        for field in apple + ProviderConfigField.of(self, nil) {
            schema.add(
                field.path, field.isList ? ["type": "array", "items": ["type": "string"]] : ["type": "string"],
                field.text)
        }
        if self == .openID {
            schema.add("responseType.code", ["type": "boolean"], "`true`: the broker uses the authorization code flow.")
            schema.add("responseType.idToken", ["type": "boolean"], "`true` is refused.")
        }
        schema.add(
            "broker.source", ["enum": ["file", "store"]],
            "Whether the entry stands in `plugins.json`, where it is read-only, or in the store.")
        return schema.value
    }

    /// The changes of an entry's document that a request's fields ask for; null removes a member.
    ///
    /// - Throws: ``WireError`` for a value of the wrong type, or one that this broker cannot honour.
    func changes(_ fields: RequestFields, _ mask: UpdateMask, use: ProviderKind?) throws(WireError) -> JSONObject {
        var changes = JSONObject()
        var options = JSONObject()
        if mask.covers("displayName"), try fields.value("displayName") != nil {
            changes["displayName"] = try fields.nonEmpty("displayName").map(JSONValue.string) ?? .null
        }
        if mask.covers("enabled"), let isEnabled = try fields.bool("enabled") {
            changes["enabled"] = .bool(isEnabled)
        }
        for field in ProviderConfigField.of(self, use) where mask.covers(field.path) {
            if let value = try field.change(fields) { options[field.option] = value }
        }
        if self == .openID, mask.touches("responseType") {
            try Self.checkResponseType(try fields.object(at: "responseType"))
        }
        if !options.isEmpty { changes["options"] = .object(options) }
        return changes
    }

    /// The broker uses the authorization code flow, whatever the entry: another choice would have no effect.
    private static func checkResponseType(_ fields: RequestFields) throws(WireError) {
        guard try fields.bool("idToken") != true, try fields.bool("code") != false else {
            throw .code(
                .operationNotAllowed,
                "The broker signs users in with the authorization code flow: send responseType.code.")
        }
    }
}
