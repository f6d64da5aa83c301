import ArgumentParser
import BrokerClient
import Foundation

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

    struct History: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List what happened to your account, newest first.")

        @OptionGroup var options: AppOptions

        func run() async throws {
            try await options.run { auth throws(BrokerAuthError) in
                for entry in try await auth.history() {
                    let about = [entry.provider?.rawValue, entry.network].compactMap { $0 }.joined(separator: " ")
                    print("\(entry.time.formatted(.iso8601)) \(entry.actor) \(entry.event) \(about)")
                }
            }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print all that the broker has stored of you, as JSON.",
            discussion: "The login must not be older than five minutes.")

        @OptionGroup var options: AppOptions

        func run() async throws {
            try await options.run { auth throws(BrokerAuthError) in
                print(String(decoding: try await auth.exportAccount(), as: UTF8.self))
            }
        }
    }

    struct Merge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Join another account of yours with this one.",
            discussion: "You log in to the other account, see what joins, and repeat the command with --keep.")

        @Option(help: "The id of the account that remains. Without it nothing is changed.")
        var keep: String?

        @OptionGroup var options: AppOptions

        func run() async throws {
            try await options.run { auth throws(BrokerAuthError) in
                let other = try await auth.signInToOtherAccount()
                guard let keep else {
                    for user in try await auth.previewMerge(with: other).users {
                        let providers = user.providers.map(\.rawValue).joined(separator: " ")
                        print("\(user.userID) \(user.email ?? "-") \(providers)")
                    }
                    return
                }
                let merge = try await auth.merge(with: other, keeping: keep)
                print("Your accounts are one: \(merge.survivor.userID)")
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete your account and everything in it.")

        @OptionGroup var options: AppOptions

        func run() async throws {
            try await options.run { auth throws(BrokerAuthError) in
                let withdrawals: [Withdrawal]
                do throws(BrokerAuthError) {
                    withdrawals = try await auth.deleteAccount()
                } catch .recentLoginRequired {
                    _ = try await auth.reauthenticate()
                    withdrawals = try await auth.deleteAccount()
                }
                print("Your account is deleted")
                for withdrawal in withdrawals where withdrawal.hasFailed {
                    print("Remove this app in your account's settings at \(withdrawal.provider)")
                }
            }
        }
    }
}
