import ProviderKit

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
        if mask.covers("authorizedDomains") {
            let hasDomains = try fields.hasValue("authorizedDomains")
            let domains = try fields.strings("authorizedDomains")
            settings.authorizedDomains = counting(hasDomains ? domains : nil, settings.authorizedDomains)
        }
        try change(&settings.anonymousSignIn, "signIn.anonymous", "enabled")
        var isProtected = settings.emailEnumeration.map { $0 == .strict }
        try change(&isProtected, "emailPrivacyConfig", "enableImprovedEmailPrivacy")
        settings.emailEnumeration = isProtected.map { $0 ? .strict : .firebase }
        try change(&settings.signUp, "client.permissions", "disabledUserSignup", isNegated: true)
        try change(&settings.deletion, "client.permissions", "disabledUserDeletion", isNegated: true)
    }

    private func change(
        _ setting: inout Bool?, _ object: String, _ name: String, isNegated: Bool = false
    ) throws(WireError) {
        guard mask.covers("\(object).\(name)") else { return }
        let value = try fields.object(at: object).bool(name).map { isNegated ? !$0 : $0 }
        setting = counting(value, setting)
    }

    private func counting<Value>(_ value: Value?, _ current: Value?) -> Value? {
        value ?? (mask.isEverything ? nil : current)
    }

    private func value(at path: String) throws(WireError) -> JSONValue? {
        guard let dot = path.lastIndex(of: ".") else { return try fields.value(path) }
        return try fields.object(at: String(path[..<dot])).value(String(path[path.index(after: dot)...]))
    }
}
