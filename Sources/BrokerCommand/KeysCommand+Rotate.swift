import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension KeysCommand {
    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace the signing keys.",
            discussion: """
                The new key is published now and signs an hour later, when every verifier has had time to learn it; the old
                one stays published for an hour more, until its last token has expired. Running brokers follow within five
                seconds.

                With --now the new key signs at once: verifiers that keep key documents may refuse new tokens for up to an
                hour. When somebody else may know a key, add --revoke: every older key is withdrawn, and its tokens die.
                Apps get new ones with their refresh tokens, which live on.

                Both families of tokens have keys of their own: identity-toolkit (what Firebase's SDKs get) and oidc (what
                OpenID Connect clients get).

                Examples:
                  broker keys rotate
                  broker keys rotate --family oidc --algorithm RS256 --json
                  broker keys rotate --now --revoke
                """.paragraphs)

        @Option(name: .long, help: "ES256 or RS256; both when not given.")
        var algorithm: StoredSigningKey.Algorithm?

        @Option(name: .long, help: "identity-toolkit or oidc; both when not given.")
        var family: StoredSigningKey.Family?

        @Flag(name: .long, help: "Sign with the new key at once.")
        var now = false

        @Flag(name: .long, help: "Withdraw every older key, and its tokens with it; needs --now.")
        var revoke = false

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard now || !revoke else { throw ValidationError("--revoke needs --now.") }
        }

        func run() async throws {
            try await output.reporting {
                let lines = try await options.withCore { core in
                    try await rotate(core)
                    return core.signingKeyLines(family)
                }
                output(
                    ["keys": .array(lines.map(\.document))], text: SigningKeyLine.table.text(lines))
            }
        }

        private func rotate(_ core: BrokerCore) async throws {
            let algorithms = algorithm.map { [$0] } ?? StoredSigningKey.Algorithm.allCases
            let timing: RotateSigningKeys.Timing = revoke ? .revoking : now ? .now : .published
            let families = family.map { [$0] } ?? StoredSigningKey.Family.allCases
            let outcome = try await core.rotateSigningKeys(algorithms, of: families, timing, origin: .commandLine())
            guard case .pending(let keyID, let activatesAt) = outcome else { return }
            throw CommandFailure(
                code: "ROTATION_PENDING",
                "key \(keyID) is already waiting to sign from \(activatesAt.text): let it, or add --now")
        }
    }
}

extension StoredSigningKey.Algorithm: ExpressibleByArgument {}
extension StoredSigningKey.Family: ExpressibleByArgument {}
