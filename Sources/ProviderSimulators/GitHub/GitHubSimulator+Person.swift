public import Foundation

extension GitHubSimulator {
    /// A fictitious user with an account at the simulator.
    public struct Person: Sendable, Hashable, Identifiable {
        /// An address as `/user/emails` lists it.
        public struct Email: Sendable, Hashable {
            /// The audience of an address on the profile.
            public enum Visibility: String, Sendable, Hashable, Codable {
                case `public`, `private`
            }

            /// The address.
            public var address: String
            /// Whether it is the account's main address.
            public var primary: Bool
            /// Whether the address is verified.
            public var verified: Bool
            /// The audience; `nil` for addresses that are not the primary one.
            public var visibility: Visibility?

            /// Describes an address.
            public init(
                address: String, primary: Bool = true, verified: Bool = true, visibility: Visibility? = nil
            ) {
                self.address = address
                self.primary = primary
                self.verified = verified
                self.visibility = visibility
            }
        }

        /// The number that stays when everything else changes.
        public var id: Int64
        /// The user name; it can change.
        public var login: String
        /// The display name; often absent.
        public var name: String?
        /// The addresses in the order they are listed, which need not start with the primary one.
        public var emails: [Email]
        /// The address on the public profile; usually absent.
        public var publicEmail: String?
        /// The picture; the simulator draws one when absent.
        public var avatarURL: String?
        /// Whether the user administers the site.
        public var siteAdmin: Bool
        /// When the account was opened.
        public var createdAt: Date

        /// Describes a user; the identifier is random unless given.
        public init(
            id: Int64? = nil, login: String, name: String? = nil, emails: [Email] = [], publicEmail: String? = nil,
            avatarURL: String? = nil, siteAdmin: Bool = false,
            createdAt: Date = Date(timeIntervalSince1970: 1_500_000_000)
        ) {
            self.id = id ?? Int64.random(in: 100_000_000...2_000_000_000)
            self.login = login
            self.name = name
            self.emails = emails
            self.publicEmail = publicEmail
            self.avatarURL = avatarURL
            self.siteAdmin = siteAdmin
            self.createdAt = createdAt
        }

        /// Whether the primary address is verified.
        public var hasVerifiedPrimaryEmail: Bool { emails.contains { $0.primary && $0.verified } }

        /// Three new users: `ada` with name, public and verified primary address; `ben` with neither name nor public
        /// address; `cleo` whose primary address is not verified.
        public static func examples() -> [Person] {
            [
                Person(
                    login: "ada", name: "Ada Example", emails: [.init(address: "ada@example.com", visibility: .public)],
                    publicEmail: "ada@example.com"),
                Person(
                    login: "ben",
                    emails: [
                        .init(address: "ben.old@example.test", primary: false),
                        .init(address: "ben@example.com", visibility: .private),
                    ]),
                Person(
                    login: "cleo", name: "Cleo Example",
                    emails: [.init(address: "cleo@example.com", verified: false, visibility: .private)]),
            ]
        }
    }
}
