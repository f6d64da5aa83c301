import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension ClientsCommand {
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Register an app.",
            discussion: """
                Types: confidential (runs on a server and has a secret), public (runs in browsers), native (installed on
                devices). The secret of a confidential client is printed once.

                Redirect URIs are compared byte by byte. They use https; http is accepted for this machine only.

                A native app that opens the provider's app and is opened by it again registers a private-use scheme: the
                reverse of a domain name, such as com.example.app:/callback (RFC 8252 §7.1). Where the app owns a domain, an
                https address that it has claimed is stronger: no other app can receive its codes. Its host is one of the
                app's own, never an identity provider's. Any other scheme, such as myapp://callback, is registered with a
                warning: every app on the device may claim it. Programs of the command line register
                http://127.0.0.1/path or http://[::1]/path, which match any port.

                Every client uses PKCE. Register a confidential client whose library has no PKCE with --pkce optional;
                its requests then need the scope openid and a nonce.

                --provider-tokens client adds the access token of the user's provider to the answers of the token
                endpoint, as provider_token. Other clients get none.

                --first-party registers an app of your own: its tokens have the users' custom claims, and its users stay
                signed in when a provider merges two of them. Another app gets custom claims where it asks for the scope
                claims and the user consents.

                --logo shows the app's logo where users sign in and allow it. The file is checked and stored: it is never
                fetched. --home-url is where error pages lead.

                Examples:
                  broker clients add --type confidential --name Shop \\
                    --redirect-uri https://shop.example/callback
                  broker clients add --type public --name Notes \\
                    --redirect-uri https://notes.example/ --json
                  broker clients add --type native --name Photos --first-party \\
                    --redirect-uri com.example.photos:/callback
                  broker clients add --type public --name Notes --logo notes.svg \\
                    --redirect-uri https://notes.example/ --home-url https://notes.example/
                  broker clients add --type native --name CLI \\
                    --redirect-uri http://127.0.0.1/callback
                """.paragraphs)

        @Option(name: .long, help: AddClient.help("type"))
        var type: Client.Kind

        @Option(name: .long, help: AddClient.help("name"))
        var name: String

        @Option(name: .customLong("redirect-uri"), help: AddClient.help("redirectUris"))
        var redirectURI: [String] = []

        @Option(
            name: .customLong("post-logout-redirect-uri"),
            help: AddClient.help("postLogoutRedirectUris"))
        var postLogoutRedirectURI: [String] = []

        @Option(name: .long, help: AddClient.help("idTokenSigningAlg"))
        var idTokenAlg: StoredSigningKey.Algorithm = .es256

        @Option(name: .long, help: AddClient.help("pkce"))
        var pkce: Client.PKCE = .required

        @Option(name: .long, help: "Who gets the providers' tokens: server (backends only), or client.")
        var providerTokens: Policy.ProviderTokenAudience = .server

        @Flag(name: .long, help: AddClient.help("isFirstParty"))
        var firstParty = false

        @Option(
            name: .customLong("backchannel-logout-uri"),
            help: AddClient.help("backchannelLogoutUri"))
        var backChannelLogoutURI: String?

        @Flag(
            name: .customLong("backchannel-logout-session-required"),
            help: AddClient.help("backchannelLogoutSessionRequired"))
        var backChannelLogoutSessionRequired = false

        @OptionGroup var presentation: ClientPresentationOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let presentation = try presentation.changes()
                let answer = try await options.run(
                    AddClient(
                        type: type, name: name, redirectURIs: redirectURI,
                        postLogoutRedirectURIs: postLogoutRedirectURI, algorithm: idTokenAlg, pkce: pkce,
                        receivesProviderTokens: providerTokens == .client,
                        backChannelLogout: backChannelLogoutURI.map {
                            .init(uri: $0, requiresSession: backChannelLogoutSessionRequired)
                        }, isFirstParty: firstParty, presentation: presentation))
                answer.warn()
                try output(answer) { $0.text }
            }
        }
    }
}

extension Client.Kind: ExpressibleByArgument {}
extension Client.PKCE: ExpressibleByArgument {}
extension StoredSigningKey.Algorithm: ExpressibleByArgument {}
extension Policy.ProviderTokenAudience: ExpressibleByArgument {}
