public import ProviderKit

extension AppleProvider {
    /// The entry's `options` in `plugins.json`.
    public struct Options: DeclaredOptions {
        var teamId = ""
        var keyId = ""
        var privateKey = Secret("")
        var clientIds: [String] = []
        var servicesId: String?
        var requireCode = false
        var formerTeamIds: [String] = []
        var url = ""

        public init() {}

        public static let declaration = DeclaredObject<Options>(
            "A team's apps and Services ID, with one key of the team.",
            [
                .key("teamId", \.teamId, "the team's ID: ten capital letters and digits").required()
                    .narrowed(by: identifier).example("ABCDE12345"),
                .key("keyId", \.keyId, "the key's ID: ten capital letters and digits").required()
                    .narrowed(by: identifier).example("FGHIJ67890"),
                .key("privateKey", \.privateKey, "the text of the `.p8` file").required()
                    .example(["file": "secrets/AuthKey_FGHIJ67890.p8"]),
                .key("clientIds", \.clientIds, "the bundle IDs of the apps")
                    .narrowed(by: ["items": ["type": "string", "minLength": 1]])
                    .initially(inWords: "one of `clientIds` and `servicesId` is required").example(["com.example.app"]),
                .key("servicesId", \.servicesId, "the Services ID, for sign-ins in a browser")
                    .narrowed(by: ["minLength": 1]).example("com.example.web"),
                .key(
                    "requireCode", \.requireCode,
                    """
                    whether apps on devices have to send the authorization code with the ID token, so that every user's \
                    grant can be revoked
                    """
                ).initially(false),
                .key(
                    "formerTeamIds", \.formerTeamIds,
                    """
                    the teams that owned the app before ([team transfer](Apple.md#team-transfer)): a signed-in user whose \
                    identity is of one of them replaces it by linking Apple again
                    """
                ).initially([]).narrowed(by: ["items": .object(identifier)]),
                .key("url", \.url, "Apple's base URL").initially(.string(AppleProvider.publicURL))
                    .narrowed(by: ProviderContext.baseURLs),
            ], narrowedBy: ["anyOf": [["required": ["clientIds"]], ["required": ["servicesId"]]]])

        private static let identifier: JSONObject = ["type": "string", "pattern": "^[A-Z0-9]{10}$"]
    }
}

extension AppleProvider.Options {
    /// All our client ids, the Services ID first.
    func clients() throws(ProviderError) -> [String] {
        let all = [servicesId].compactMap(\.self) + clientIds.filter { $0 != servicesId }
        guard !all.isEmpty, !all.contains(where: \.isEmpty) else {
            throw refusal("clientIds must name your apps' bundle ids, or servicesId your Services ID")
        }
        return all
    }

    /// The key of the `.p8` file.
    func key(in context: ProviderContext) throws(ProviderError) -> ClientAssertion.Key {
        let key = ClientAssertion.Key(pem: privateKey, keyID: try identifier(keyId, "keyId"), algorithm: .es256)
        guard (try? context.tokens.publicKey(of: key)) != nil else {
            throw refusal("privateKey must be the text of the .p8 file, from its BEGIN to its END PRIVATE KEY line")
        }
        return key
    }

    /// Checks the format of a team id or key id.
    func identifier(_ text: String, _ option: String) throws(ProviderError) -> String {
        guard Self.isIdentifier(text) else {
            throw refusal("\(option) must be the ten capital letters and digits Apple shows")
        }
        return text
    }

    /// Whether a text has the format of a team id or key id.
    static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == 10 && text.utf8.allSatisfy("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8.contains)
    }

    private func refusal(_ reason: String) -> ProviderError {
        ProviderError(.configuration, at: .configure, "options.\(reason)")
    }
}
