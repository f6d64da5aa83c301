import ArgumentParser
import Broker
import ProviderKit

extension UsersCommand {
    struct Claims: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "claims", abstract: "Show or replace the custom claims of a user's ID tokens.",
            discussion: """
                Without --set and --clear it shows the claims. New claims take effect with the user's next ID token: a
                refresh, or within an hour. They have at most 1000 characters.

                Examples:
                  broker users claims ann@example.com
                  broker users claims ann@example.com --set '{"role":"editor"}'
                  broker users claims kX3… --clear --json
                """.paragraphs)

        @Argument(help: SetUserClaims.help("user"))
        var user: String

        @Option(name: .long, help: SetUserClaims.help("claims"))
        var set: String?

        @Flag(name: .long, help: "Remove all claims.")
        var clear = false

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard set == nil || !clear else { throw ValidationError("Use --set or --clear, not both.") }
        }

        func run() async throws {
            try await output.reporting {
                let user =
                    if let claims = try newClaims() {
                        try await options.run(SetUserClaims(user: user, claims: claims))
                    } else {
                        try await options.run(ShowUser(user: user))
                    }
                let text = user["customAttributes"]?.string
                let claims = text.flatMap { try? JSONValue(parsing: $0.utf8) } ?? [:]
                output(
                    ["localId": user["localId"] ?? .null, "claims": claims],
                    text: TerminalText(json: claims, indented: true))
            }
        }

        private func newClaims() throws -> JSONObject? {
            if clear { return [:] }
            guard let set else { return nil }
            guard let claims = try? JSONValue(parsing: set.utf8).object else {
                throw CommandFailure(
                    code: "INVALID_CLAIMS", "--set takes a JSON object, such as {\"role\":\"editor\"}",
                    exitCode: .validationFailure)
            }
            return claims
        }
    }
}
