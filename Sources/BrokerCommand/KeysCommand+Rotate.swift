import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension KeysCommand {
    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate", abstract: "Rotate the signing keys.",
            discussion: """
                The new key is published now and signs an hour later, when every verifier has fetched it. The old key
                stays published until its last token has expired: an hour, two weeks for session cookies. Running
                brokers follow within five seconds.

                With --now the new key signs at once: verifiers that cache key documents may refuse new tokens for up to
                an hour. If a key may have leaked, add --revoke: every older key is revoked, and its tokens become
                invalid. Refresh tokens stay valid, and apps get new tokens with them. That cannot be undone.

                Each token family has its own keys: identity-toolkit (for Firebase's SDKs) and oidc (for OpenID Connect
                clients).

                Examples:
                  broker keys rotate
                  broker keys rotate --family oidc --algorithm RS256 --json
                  broker keys rotate --now --revoke --yes
                """.paragraphs)

        @Option(name: .long, help: "ES256 or RS256 (default: both).")
        var algorithm: StoredSigningKey.Algorithm?

        @Option(name: .long, help: "identity-toolkit or oidc (default: both).")
        var family: StoredSigningKey.Family?

        @Flag(name: .long, help: "Sign with the new key at once.")
        var now = false

        @Flag(name: .long, help: "Revoke every older key, which invalidates its tokens; needs --now.")
        var revoke = false

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard now || !revoke else { throw ValidationError("--revoke needs --now.") }
        }

        func run() async throws {
            try await output.reporting {
                if revoke {
                    try confirmation.requireIrreversible(
                        "Revoke every older key\(scope)? Tokens that they signed become invalid.",
                        otherwise: "no key was rotated")
                }
                let answer = try await options.run(
                    RotateSigningKeysOperation(algorithm: algorithm, family: family, now: now, revoke: revoke))
                try output(answer) { Table<SigningKeyAnswer>.keys.text($0.keys) }
            }
        }

        /// The chosen keys, for the question.
        private var scope: String {
            let names = [family?.rawValue, algorithm?.rawValue].compactMap(\.self)
            return names.isEmpty ? "" : " of \(names.joined(separator: ", "))"
        }
    }
}

extension StoredSigningKey.Algorithm: ExpressibleByArgument {}
extension StoredSigningKey.Family: ExpressibleByArgument {}
