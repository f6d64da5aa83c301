import ProviderKit

/// A setting of the project's configuration document (contract §7.7), declared once: its place in requests and answers, and
/// its text.
struct ProjectConfigSetting: Sendable {
    /// The names from the document's root, joined by dots.
    let path: String
    let text: String
    let schema: JSONObject
    /// The value as it is answered.
    let value: @Sendable (ProjectSettings) -> JSONValue
    /// Reads the value of a change; nil for one that the request lacks.
    fileprivate let change:
        @Sendable (RequestFields, String, inout StoredSettings, _ isReset: Bool) throws(WireError) -> Void

    static let all: [ProjectConfigSetting] = [
        ProjectConfigSetting(
            path: "authorizedDomains", text: "The domains whose pages users may be sent back to.",
            schema: ["type": "array", "items": ["type": "string"]],
            value: { .array($0.authorizedDomains.map(JSONValue.string)) }
        ) { (fields, name, settings, isReset) throws(WireError) in
            let hasDomains = try fields.hasValue(name)
            let domains = try fields.strings(name)
            settings.authorizedDomains = hasDomains ? domains : isReset ? nil : settings.authorizedDomains
        },
        flag("signIn.anonymous.enabled", "Whether users may sign up anonymously.", \.anonymousSignIn) {
            $0.allowsAnonymousSignIn
        },
        flag(
            "client.permissions.disabledUserSignup", "Whether users may not create accounts by signing in.", \.signUp,
            isNegated: true
        ) { !$0.allowsSignUp },
        flag(
            "client.permissions.disabledUserDeletion", "Whether users may not delete their accounts.", \.deletion,
            isNegated: true
        ) { !$0.allowsDeletion },
        flag(
            "emailPrivacyConfig.enableImprovedEmailPrivacy",
            "Whether `createAuthUri` conceals which providers an address signs in with.", \.hidesEmails
        ) { $0.emailEnumeration == .strict },
    ]

    private static func flag(
        _ path: String, _ text: String, _ stored: any WritableKeyPath<StoredSettings, Bool?> & Sendable,
        isNegated: Bool = false, value: @escaping @Sendable (ProjectSettings) -> Bool
    ) -> ProjectConfigSetting {
        ProjectConfigSetting(path: path, text: text, schema: ["type": "boolean"], value: { .bool(value($0)) }) {
            (fields, name, settings, isReset) throws(WireError) in
            let flag = try fields.bool(name).map { $0 != isNegated }
            settings[keyPath: stored] = flag ?? (isReset ? nil : settings[keyPath: stored])
        }
    }
}

extension StoredSettings {
    /// The setting of e-mail enumeration as Identity Platform has it.
    fileprivate var hidesEmails: Bool? {
        get { emailEnumeration.map { $0 == .strict } }
        set { emailEnumeration = newValue.map { $0 ? .strict : .firebase } }
    }
}

/// The project's configuration document.
enum ProjectConfigDocument {
    private static let nameText = "The name of the resource."

    static func of(_ settings: ProjectSettings, projectID: String) -> JSONObject {
        var document = JSONObject([("name", .string("projects/\(projectID)/config"))])
        for setting in ProjectConfigSetting.all { document.setMember(at: setting.path, to: setting.value(settings)) }
        // Features that are always off, whose absence clients of Identity Platform do not expect.
        document.setMember(at: "signIn.allowDuplicateEmails", to: false)
        document["blockingFunctions"] = [:]
        return document
    }

    /// JSON Schema of requests and answers.
    static let schema: JSONValue = {
        var schema = NestedSchema()
        schema.add("name", ["type": "string"], nameText)
        for setting in ProjectConfigSetting.all { schema.add(setting.path, setting.schema, setting.text) }
        schema.add(
            "signIn.allowDuplicateEmails", ["type": "boolean"], "Always `false`: an address belongs to one user.")
        schema.add("blockingFunctions", ["type": "object"], "Always empty: there are no blocking functions.")
        return schema.value
    }()
}

/// A change of the project's configuration (contract §7.7).
struct ProjectConfigBody: Sendable {
    private let fields: RequestFields
    private let mask: UpdateMask

    /// - Throws: ``WireError`` for a setting that this broker cannot honour.
    init(_ fields: RequestFields, _ mask: UpdateMask) throws(WireError) {
        self.fields = fields
        self.mask = mask
        for path in Self.notOffered where mask.touches(path) {
            guard try !Self.turnsOn(value(at: path)) else {
                throw .code(.operationNotAllowed, "\(path) is not offered here: this broker has no such feature.")
            }
        }
    }

    /// The features of Identity Platform that this broker does not have: off may be said, on is refused.
    private static let notOffered = [
        "signIn.email", "signIn.phoneNumber", "signIn.allowDuplicateEmails", "mfa", "multiTenant",
        "blockingFunctions", "autodeleteAnonymousUsers", "smsRegionConfig", "recaptchaConfig", "passwordPolicyConfig",
    ]

    /// The words that enumerations of Identity Platform have for off.
    private static let off: Set<String> = ["", "disabled", "off"]

    private static func turnsOn(_ value: JSONValue?) -> Bool {
        switch value {
        case .none, .null: false
        case .bool(let value): value
        case .string(let text): !off.contains(text.lowercased()) && !text.lowercased().hasSuffix("_unspecified")
        case .number(let number): number.literal != "0"
        case .array(let values): values.contains(where: turnsOn)
        case .object(let object): object.contains { turnsOn($0.value) }
        }
    }

    /// Writes the change into the stored settings. A field that the mask names and the body lacks stays; without a mask
    /// it takes its default again.
    ///
    /// - Throws: ``WireError`` for a value of the wrong type.
    func apply(to settings: inout StoredSettings) throws(WireError) {
        for setting in ProjectConfigSetting.all where mask.covers(setting.path) {
            let (fields, name) = try fields.place(of: setting.path)
            try setting.change(fields, name, &settings, mask.isEverything)
        }
    }

    private func value(at path: String) throws(WireError) -> JSONValue? {
        let (fields, name) = try fields.place(of: path)
        return try fields.value(name)
    }
}
