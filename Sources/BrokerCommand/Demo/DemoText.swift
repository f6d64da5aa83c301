import Foundation
import ProviderKit

/// What `broker demo` tells a newcomer.
enum DemoText {
    static func roundTrip(_ trip: RoundTrip, _ demo: DemoBroker) -> TerminalText {
        """

        Broker   \(demo.url)
        \(addresses(demo.providers))
        (open a simulator in a browser: people, consent page)

        \(trip.steps.map(\.line).joined(separator: "\n"))

        The one user record:
        \(json(trip.user))

        What the broker's own ID token says:
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

    /// The round trip again, to copy and paste. The token in it is the simulator's and worth nothing elsewhere.
    static func curlLines(_ demo: DemoBroker) -> TerminalText {
        let gitHub = demo.providers.gitHub
        let token = gitHub.credential(of: .ada).first?.value
        return """

            In a browser: sign in and manage the account at \(demo.accountPage)
            (choose a provider; its simulator asks whom to sign in, no password)

            With curl (a GitHub access token is in the first line already):

            curl -s '\(demo.url)/v1/accounts:signInWithIdp?key=\(demo.apiKey)' -H 'Content-Type: application/json' \\
              -d '{"requestUri":"http://localhost","returnSecureToken":true,"postBody":"access_token=\(token ?? "")&providerId=github.com"}' | tee signed-in.json

            curl -s '\(demo.url)/v1/token?key=\(demo.apiKey)' -d grant_type=refresh_token \\
              -d refresh_token="$(sed 's/.*"refreshToken":"\\([^"]*\\)".*/\\1/' signed-in.json)"

            curl -s '\(demo.url)/v1/accounts:lookup?key=\(demo.apiKey)' -H 'Content-Type: application/json' \\
              -d "{\\"idToken\\":\\"$(sed 's/.*"idToken":"\\([^"]*\\)".*/\\1/' signed-in.json)\\"}"

            curl -s \(demo.url)/demo/.well-known/jwks.json

            Another token:  curl -s \(gitHub.url)/_simulator/access-tokens -H 'Content-Type: application/json' -d '{"login":"\(DemoPerson.ben.rawValue)"}'

            Ctrl-C ends the demo.
            """
    }
}
