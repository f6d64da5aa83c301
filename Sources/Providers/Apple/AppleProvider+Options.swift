import ProviderKit

extension AppleProvider {
    /// The entry's `options` in `plugins.json`.
    public struct Options: Decodable, Sendable {
        /// The developer team: ten capital letters and digits.
        let teamId: String
        /// The key id at Apple: ten capital letters and digits.
        let keyId: String
        /// The text of the `.p8` file, usually `{"file": …}`.
        let privateKey: Secret
        /// The apps' bundle ids.
        let clientIds: [String]?
        /// The web sites' Services ID, required for sign-ins in a browser.
        let servicesId: String?
        /// Whether devices have to send the authorization code with the ID token; `false` when absent.
        let requireCode: Bool?
        /// The teams that owned the app before, whose users may replace their identity by signing in again.
        let formerTeamIds: [String]?
        /// Apple's base URL; `https://appleid.apple.com` when absent.
        let url: String?
    }
}

extension AppleProvider.Options {
    /// All our client ids, the Services ID first.
    func clients() throws(ProviderError) -> [String] {
        let all = [servicesId].compactMap(\.self) + (clientIds ?? []).filter { $0 != servicesId }
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
