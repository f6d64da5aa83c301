import ArgumentParser
import BrokerClient
import Foundation

extension CommandLineApp {
    struct SignIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in",
            abstract: "Sign in with a browser, or with a code and the browser of another device.")

        @Option(help: "The provider's id, such as github.com. Without it you choose on the broker's page.")
        var provider: String?

        @Flag(help: "Show a code to enter in the browser of another device.")
        var device = false

        @Flag(help: "Begin without an account of a provider. Link one to keep what you make.")
        var anonymous = false

        @OptionGroup var options: AppOptions

        func validate() throws {
            guard [device, anonymous, provider != nil].count(where: \.self) <= 1 else {
                throw ValidationError(
                    "name one of --provider, --device and --anonymous: the others choose no provider here")
            }
        }

        func run() async throws {
            try await options.run { auth throws(BrokerAuthError) in
                let result: SignInResult
                if anonymous {
                    result = try await auth.signInAnonymously()
                } else if device {
                    let authorization = try await auth.beginDeviceSignIn()
                    print("Open \(authorization.verificationURL.absoluteString) and enter \(authorization.userCode)")
                    fflush(nil)
                    result = try await auth.signIn(approvedOn: authorization)
                } else if let provider {
                    result = try await auth.signIn(with: ProviderID(rawValue: provider))
                } else {
                    result = try await auth.signIn()
                }
                print("Signed in as \(result.session.name ?? result.session.userID)")
            }
        }
    }

    struct Link: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Link an account of another provider to yours.")

        @Argument(help: "The provider's id, such as gitlab.com.")
        var provider: String

        @OptionGroup var options: AppOptions

        func run() async throws {
            try await options.run { auth throws(BrokerAuthError) in
                let provider = ProviderID(rawValue: provider)
                do throws(BrokerAuthError) {
                    _ = try await auth.link(provider)
                } catch .recentLoginRequired {
                    _ = try await auth.reauthenticate()
                    _ = try await auth.link(provider)
                }
                print("Linked \(provider)")
            }
        }
    }

    struct Reauthenticate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Confirm who you are, which linking and deletion need.")

        @OptionGroup var options: AppOptions

        func run() async throws {
            try await options.run { auth throws(BrokerAuthError) in
                let result = try await auth.reauthenticate()
                print("Confirmed \(result.session.name ?? result.session.userID)")
            }
        }
    }

    struct SignOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "sign-out", abstract: "End the session.")

        @Flag(help: "End your sessions on all devices.")
        var everywhere = false

        @OptionGroup var options: AppOptions

        func run() async throws {
            try await options.run { auth throws(BrokerAuthError) in
                if everywhere { try await auth.signOutEverywhere() } else { try await auth.signOut() }
                print("Signed out")
            }
        }
    }
}
