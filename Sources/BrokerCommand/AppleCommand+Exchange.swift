import ArgumentParser
import Broker
import Foundation
import ProviderKit

extension AppleCommand {
    struct Exchange: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "exchange", abstract: "Exchange an authorization code and show what Apple answers.",
            discussion: """
                Reads the code from standard input, never from an argument. Shows the user and the claims of the ID
                token; tokens are not printed. Nothing is stored and no user signs in. With --output the refresh token,
                which broker apple revoke takes, is written to a file that only its owner can read.

                A code is valid for five minutes, once, for the client it was issued to: a device's for its bundle id,
                without a redirect URI, and a web site's for the Services ID, with the same redirect URI.

                Examples:
                  pbpaste | broker apple exchange --client com.example.app
                  pbpaste | broker apple exchange \\
                    --redirect-uri https://id.example/oauth/callback/apple.com
                """.paragraphs)

        @Option(name: .customLong("redirect-uri"), help: "The redirect URI of a web site's authorization request.")
        var redirectURI: String?

        @Option(name: .long, help: "Write the refresh token to this new file.")
        var output: String?

        @OptionGroup var entry: AppleEntryOptions
        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
        @OptionGroup var format: OutputOptions

        func run() async throws {
            try await format.reporting {
                let code = Credential.AuthorizationCode(
                    code: try AppleCommand.input("code"), redirectURI: redirectURI)
                let identity = try await options.withCore(asksProviders: true) { core in
                    let (_, provider) = try entry.entry(core, as: (any CodeExchange & SignedClientSecret).self)
                    return try await provider.exchange(code, of: try entry.clientID(at: provider))
                }
                if let output { try write(identity.grant?.refreshToken, to: output) }
                format(
                    Self.document(identity), text: TerminalText(json: Self.document(identity), indented: true))
            }
        }

        private static func document(_ identity: ExternalIdentity) -> JSONValue {
            var document: JSONObject = ["subject": .string(identity.subject), "claims": identity.profile]
            guard let grant = identity.grant else { return .object(document) }
            document["clientId"] = .string(grant.clientID)
            document["accessToken"] = .string(Secret(grant.accessToken).description)
            document["refreshToken"] = grant.refreshToken.map { .string(Secret($0).description) } ?? .null
            document["expiresAt"] = grant.expiresAt.map { .integer(Int64($0.timeIntervalSince1970)) }
            return .object(document)
        }

        private func write(_ token: String?, to path: String) throws(CommandFailure) {
            guard let token else {
                throw CommandFailure(code: "NO_REFRESH_TOKEN", "Apple's answer has no refresh token")
            }
            do {
                try PrivateFiles.create([path: token + "\n"], in: URL(filePath: path).deletingLastPathComponent().path)
            } catch {
                throw CommandFailure(
                    code: "CANNOT_WRITE", "\(path) exists or cannot be written: the code is used, and the token lost")
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Revoke a token at Apple.",
            discussion: """
                Reads the token from standard input, never from an argument. Revocation ends the user's permission for
                the app: the next sign-in is a first one again. Apple answers 200 to every token, also to one that it
                does not know or that belongs to another client. So the refresh token is tried before and afterwards:
                exits 0 when Apple accepted it before and refuses it now, otherwise 1. Rows of the broker stay as they
                are: unlink the provider or delete the user to remove them. Cannot be undone.

                Examples:
                  pbpaste | broker apple revoke --client com.example.app
                  pbpaste | broker apple revoke --access-token
                  broker apple revoke --yes < token.txt
                """.paragraphs)

        @Flag(name: .long, help: "The token is an access token, which cannot be tried.")
        var accessToken = false

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var entry: AppleEntryOptions
        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
        @OptionGroup var format: OutputOptions

        func run() async throws {
            try await format.reporting {
                try confirmation.requireAnswer()
                let token = try AppleCommand.input("token")
                try confirmation.requireIrreversible(
                    "Revoke the token at Apple and end the user's permission for the app?",
                    otherwise: "nothing was revoked")
                let clientID = try await options.withCore(asksProviders: true) { core in
                    let (_, provider) = try entry.entry(
                        core, as: (any GrantRevocation & GrantRefresh & SignedClientSecret).self)
                    let clientID = try entry.clientID(at: provider)
                    let grant = UpstreamGrant(
                        clientID: clientID, accessToken: accessToken ? token : "",
                        refreshToken: accessToken ? nil : token)
                    if !accessToken { try await Self.requireValid(grant, at: provider) }
                    try await provider.revoke(grant)
                    return clientID
                }
                format(
                    ["clientId": .string(clientID), "proven": .bool(!accessToken)],
                    text: accessToken
                        ? "Apple answered 200, which it does for every access token."
                        : "Revoked: Apple does not accept the token of client \(clientID) any more.")
            }
        }

        /// - Throws: ``CommandFailure`` when Apple does not accept the token for the client.
        private static func requireValid(_ grant: UpstreamGrant, at provider: any GrantRefresh) async throws {
            do throws(ProviderError) {
                _ = try await provider.refresh(grant)
            } catch {
                guard error.fault == .credential else { throw error }
                throw CommandFailure(
                    code: "TOKEN_NOT_VALID",
                    "Apple does not accept the token for client \(grant.clientID): it is revoked already, or it was "
                        + "issued to another client, which --client names")
            }
        }
    }

    /// A secret from standard input.
    ///
    /// - Throws: ``CommandFailure`` when there is none.
    fileprivate static func input(_ name: String) throws(CommandFailure) -> String {
        guard let text = SecretInput.text("-"), !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw CommandFailure(
                code: "INVALID_CREDENTIAL", "standard input has no \(name): pipe it in", exitCode: .validationFailure)
        }
        return text
    }
}
