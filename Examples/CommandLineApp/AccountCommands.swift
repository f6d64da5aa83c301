import ArgumentParser
import BrokerClient

extension CommandLineApp {
    struct WhoAmI: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "whoami", abstract: "Show your account and the accounts of providers linked to it.")

        @OptionGroup var options: AppOptions

        func run() async throws {
            try await options.run { auth throws(BrokerAuthError) in
                let account = try await auth.account()
                print("User      \(account.userID)")
                if let name = account.displayName { print("Name      \(name)") }
                if let email = account.email {
                    print("E-mail    \(email)\(account.isEmailVerified ? "" : " (not verified)")")
                }
                for identity in account.identities {
                    print("Provider  \(identity.provider) \(identity.screenName ?? identity.email ?? identity.subject)")
                }
            }
        }
    }

    struct Unlink: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove a provider's account from yours.")

        @Argument(help: "The provider's id, such as gitlab.com.")
        var provider: String

        @OptionGroup var options: AppOptions

        func run() async throws {
            try await options.run { auth throws(BrokerAuthError) in
                try await auth.unlink(ProviderID(rawValue: provider))
                print("Unlinked \(provider)")
            }
        }
    }

    struct Sessions: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List your sessions on all devices.")

        @OptionGroup var options: AppOptions

        func run() async throws {
            try await options.run { auth throws(BrokerAuthError) in
                for session in try await auth.sessions() {
                    let provider = session.signInProvider?.rawValue ?? "-"
                    print("\(session.isCurrent ? "*" : " ") \(session.id) \(provider) \(session.userAgent ?? "-")")
                }
            }
        }
    }
}
