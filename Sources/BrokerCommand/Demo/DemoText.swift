import Broker
import Foundation
import ProviderKit

/// The output of `broker demo`.
enum DemoText {
    static func roundTrip(_ trip: RoundTrip, _ demo: DemoBroker) -> TerminalText {
        """

        Broker   \(demo.url)
        \(addresses(demo.providers))
        (open a simulator in a browser: its accounts and consent page)

        \(trip.steps.map(\.line).joined(separator: "\n"))

        The user record:
        \(json(trip.user))

        The claims of the broker's ID token:
        \(json(trip.claims))
        """
    }

    private static func json(_ value: JSONValue?) -> TerminalText {
        value.map { TerminalText(json: $0, indented: true) } ?? "none"
    }

    private static func addresses(_ providers: DemoProviders) -> TerminalText {
        providers.all.map { provider in
            "\(type(of: provider).name.padding(toLength: 9, withPad: " ", startingAt: 0))\(provider.url)"
        }.joined(separator: "\n")
    }

    /// The round trip as curl commands to copy and paste. The token is the simulator's and valid nowhere else.
    static func curlLines(_ demo: DemoBroker) -> TerminalText {
        let gitHub = demo.providers.gitHub
        let token = gitHub.credential(of: .ada).first?.value
        return """

            In a browser: sign in and manage the account at \(demo.accountPage)
            (choose a provider, then one of its simulator's accounts; there is no password)

            With curl (a GitHub access token is in the first line already):

            curl -s '\(demo.url)/v1/accounts:signInWithIdp?key=\(demo.apiKey)' -H 'Content-Type: application/json' \\
              -d '{"requestUri":"http://localhost","returnSecureToken":true,"postBody":"access_token=\(token ??
              "")&providerId=github.com"}' | tee signed-in.json

            curl -s '\(demo.url)/v1/token?key=\(demo.apiKey)' -d grant_type=refresh_token \\
              -d refresh_token="$(sed 's/.*"refreshToken":"\\([^"]*\\)".*/\\1/' signed-in.json)"

            curl -s '\(demo.url)/v1/accounts:lookup?key=\(demo.apiKey)' -H 'Content-Type: application/json' \\
              -d "{\\"idToken\\":\\"$(sed 's/.*"idToken":"\\([^"]*\\)".*/\\1/' signed-in.json)\\"}"

            curl -s \(demo.url)/demo/.well-known/jwks.json

            Another token:  curl -s \(gitHub.url)/_simulator/access-tokens -H 'Content-Type: application/json' -d '{"login":"\(DemoUser.ben.rawValue)"}'

            Ctrl-C ends the demo.
            """
    }
}
