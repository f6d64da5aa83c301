/// The names of the cases, for the table, for `--only` and for the ratios between them.
struct CaseName: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    let rawValue: String

    init(rawValue: String) {
        self.rawValue = rawValue
    }

    init(stringLiteral value: String) {
        self.init(rawValue: value)
    }
}

extension CaseName {
    static let rawES256Sign: CaseName = "swift-crypto ES256 sign"
    static let rawES256Verify: CaseName = "swift-crypto ES256 verify"
    static let rawRS256Sign: CaseName = "swift-crypto RS256 sign"
    static let rawRS256Verify: CaseName = "swift-crypto RS256 verify"

    static let tokenES256: CaseName = "token ES256 (claims, JSON, signature)"
    static let tokenRS256: CaseName = "token RS256 (claims, JSON, signature)"
    static let verifyES256: CaseName = "verify our ES256 token"
    static let verifyRS256: CaseName = "verify our RS256 token"

    static let foundationJSON: CaseName = "JSONDecoder to a struct"
    static let ourJSON: CaseName = "JSONValue(parsing:)"
    static let ourJSONDecoder: CaseName = "JSONValueDecoder to a struct"
}
