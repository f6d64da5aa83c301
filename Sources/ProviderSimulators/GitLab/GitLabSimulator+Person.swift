public import Foundation

extension GitLabSimulator {
    /// A fictitious user with an account at the installation.
    public struct Person: Sendable, Hashable, Identifiable {
        /// A further address, as `/user/emails` lists it; the primary one is not there.
        public struct Email: Sendable, Hashable, Identifiable {
            /// The entry's number.
            public var id: Int64
            /// The address.
            public var address: String
            /// When the address was confirmed; `nil` before.
            public var confirmedAt: Date?

            /// Describes an address; the number is random unless given.
            public init(id: Int64? = nil, address: String, confirmedAt: Date? = nil) {
                self.id = id ?? Int64.random(in: 1...1_000_000)
                self.address = address
                self.confirmedAt = confirmedAt
            }
        }

        /// Whether an account may be used.
        public enum State: String, Sendable, Hashable, Codable, CaseIterable {
            case active, blocked, deactivated, banned
            case ldapBlocked = "ldap_blocked"
        }

        /// The number that stays when everything else changes; two installations may give it to two users.
        public var id: Int64
        /// The user name; it can change.
        public var username: String
        /// The display name.
        public var name: String
        /// The primary address.
        public var email: String
        /// When the primary address was confirmed; `nil` while it is not.
        public var confirmedAt: Date?
        /// The address on the public profile; usually absent.
        public var publicEmail: String?
        /// Further addresses.
        public var emails: [Email]
        /// Whether the account may be used.
        public var state: State
        /// Whether too many wrong passwords have locked the account for now.
        public var isLocked: Bool
        /// The user's groups, by full path.
        public var groups: [String]
        /// The picture; the simulator draws one when absent.
        public var avatarURL: String?
        /// When the account was opened.
        public var createdAt: Date

        /// Describes a user; the identifier is random unless given, the address confirmed when the account was
        /// opened.
        public init(
            id: Int64? = nil, username: String, name: String? = nil, email: String,
            confirmedAt: Date? = Date(timeIntervalSince1970: 1_500_000_000), publicEmail: String? = nil,
            emails: [Email] = [], state: State = .active, isLocked: Bool = false, groups: [String] = [],
            avatarURL: String? = nil, createdAt: Date = Date(timeIntervalSince1970: 1_500_000_000)
        ) {
            self.id = id ?? Int64.random(in: 1_000_000...40_000_000)
            self.username = username
            self.name = name ?? username
            self.email = email
            self.confirmedAt = confirmedAt
            self.publicEmail = publicEmail
            self.emails = emails
            self.state = state
            self.isLocked = isLocked
            self.groups = groups
            self.avatarURL = avatarURL
            self.createdAt = createdAt
        }

        /// Three new users: `ada` with a public address and a group; `ben` with a further, unconfirmed address;
        /// `cleo` whose primary address the installation confirmed without proof, as administrators can have it.
        public static func examples() -> [Person] {
            [
                Person(
                    username: "ada", name: "Ada Example", email: "ada@example.com", publicEmail: "ada@example.com",
                    groups: ["examples/analytical-engines"]),
                Person(
                    username: "ben", name: "Ben Example", email: "ben@example.com",
                    emails: [.init(address: "ben.old@example.test")]),
                Person(username: "cleo", name: "Cleo Example", email: "cleo@example.com"),
            ]
        }
    }
}
