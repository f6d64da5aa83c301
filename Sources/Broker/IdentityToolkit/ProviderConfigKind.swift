import ProviderKit

/// A resource that Identity Toolkit has for provider entries (contract §7.8). Secrets are write-only: no answer has one.
enum ProviderConfigKind: String, Sendable, CaseIterable {
    /// Entries of `oidc` whose id begins with `oidc.`.
    case openID = "oauthIdpConfigs"
    /// Entries with the id that their plugin has for the public service, such as `github.com`.
    case builtIn = "defaultSupportedIdpConfigs"

    /// The query parameter that names a new entry.
    var idParameter: String {
        switch self {
        case .openID: "oauthIdpConfigId"
        case .builtIn: "idpId"
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

extension ProviderConfigKind {
    /// The answer for an entry.
    func document(_ entry: ProviderEntry, isEnabled: Bool, projectID: String) -> JSONObject {
        var document: JSONObject = [
            "name": .string("projects/\(projectID)/\(rawValue)/\(entry.id)"), "enabled": .bool(isEnabled),
            "broker": ["source": entry.isStored ? "store" : "file"],
        ]
        let options = entry.options.object ?? [:]
        document["displayName"] = entry.displayName.map(JSONValue.string)
        switch (self, entry.use.rawValue) {
        case (.openID, _):
            document["clientId"] = options["clientId"]
            document["issuer"] = options["issuer"]
            document["responseType"] = ["code": true]
        case (.builtIn, "apple"):
            document["clientId"] = options["servicesId"]
            var apple: JSONObject = [:]
            apple["bundleIds"] = options["clientIds"]
            var flow: JSONObject = [:]
            flow["teamId"] = options["teamId"]
            flow["keyId"] = options["keyId"]
            apple["codeFlowConfig"] = .object(flow)
            document["appleSignInConfig"] = .object(apple)
        case (.builtIn, _): document["clientId"] = options["clientId"]
        }
        return document
    }

    /// The changes of an entry's document that a request's fields ask for; null removes a member.
    ///
    /// - Throws: ``WireError`` for a value of the wrong type, or one that this broker cannot honour.
    func changes(_ fields: RequestFields, _ mask: UpdateMask, use: ProviderKind?) throws(WireError) -> JSONObject {
        var changes = JSONObject()
        var options = JSONObject()
        /// An empty text or null removes a member.
        func set(_ fields: RequestFields, _ path: String, _ target: String) throws(WireError) {
            let name = String(path.split(separator: ".").last ?? "")
            guard mask.covers(path), try fields.value(name) != nil else { return }
            options[target] = try fields.nonEmpty(name).map(JSONValue.string) ?? .null
        }
        if mask.covers("displayName"), try fields.value("displayName") != nil {
            changes["displayName"] = try fields.nonEmpty("displayName").map(JSONValue.string) ?? .null
        }
        if mask.covers("enabled"), let isEnabled = try fields.bool("enabled") {
            changes["enabled"] = .bool(isEnabled)
        }
        if use == "apple" {
            try set(fields, "clientId", "servicesId")
            let apple = try fields.object(at: "appleSignInConfig")
            if mask.covers("appleSignInConfig.bundleIds"), try apple.value("bundleIds") != nil {
                options["clientIds"] = .array(try apple.strings("bundleIds").map(JSONValue.string))
            }
            let flow = try apple.object(at: "codeFlowConfig")
            for name in ["teamId", "keyId", "privateKey"] {
                try set(flow, "appleSignInConfig.codeFlowConfig.\(name)", name)
            }
        } else {
            try set(fields, "clientId", "clientId")
            try set(fields, "clientSecret", "clientSecret")
        }
        if self == .openID {
            try set(fields, "issuer", "issuer")
            if mask.touches("responseType") { try Self.checkResponseType(try fields.object(at: "responseType")) }
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
