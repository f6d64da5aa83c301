/// `"strict"`, `"firebase"`, or an object that names a preset and overrides single settings.
extension Policy: Decodable {
    private enum CodingKeys: String, CodingKey {
        case preset, tokens, emailCollision, autoLinkProfile, linkEmail, emailChange, lastSignInMethod, recentLogin
        case emailEnumeration, refreshTokens
    }

    package init(from decoder: any Decoder) throws {
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            guard let preset = Preset(rawValue: name) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: #"expected "strict" or "firebase""#))
            }
            self.init(preset)
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func setting(_ key: CodingKeys) throws -> Preset? { try container.decodeIfPresent(Preset.self, forKey: key) }
        self.init(try setting(.preset) ?? .strict)
        tokens = try setting(.tokens) ?? tokens
        emailCollision = try setting(.emailCollision) ?? emailCollision
        autoLinkProfile = try setting(.autoLinkProfile) ?? autoLinkProfile
        linkEmail = try setting(.linkEmail) ?? linkEmail
        emailChange = try setting(.emailChange) ?? emailChange
        lastSignInMethod = try setting(.lastSignInMethod) ?? lastSignInMethod
        recentLogin = try setting(.recentLogin) ?? recentLogin
        emailEnumeration = try setting(.emailEnumeration) ?? emailEnumeration
        refreshTokens = try container.decodeIfPresent(RefreshTokens.self, forKey: .refreshTokens) ?? refreshTokens
    }
}
