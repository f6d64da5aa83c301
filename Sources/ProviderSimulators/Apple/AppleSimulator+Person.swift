extension AppleSimulator {
    /// A fictitious user with an Apple Account at the simulator.
    public struct Person: Sendable, Hashable, Identifiable {
        /// A device's assessment of the user (`real_user_status`).
        public enum RealUserStatus: Int64, Sendable, Hashable {
            case unsupported = 0
            case unknown = 1
            case likelyReal = 2
        }

        /// The account's id inside the simulator. Apps never see it: each team sees a subject of its own.
        public var id: String
        /// The given name, told only at the first sign-in.
        public var givenName: String?
        /// The family name, told only at the first sign-in.
        public var familyName: String?
        /// The user's own address; `nil` for managed accounts without one.
        public var email: String?
        /// Whether Apple has verified the address; accounts of schools and companies may have one that it has not.
        public var isEmailVerified: Bool
        /// Whether the user gives apps a relay address instead of the own one, unless the page says otherwise.
        public var hidesEmail: Bool
        /// The organisation a managed account belongs to (`org_id`).
        public var organizationID: String?
        /// The `real_user_status` of a native app's first token.
        public var realUserStatus: RealUserStatus

        /// Describes a user; the identifier is random unless given.
        public init(
            id: String? = nil, givenName: String? = nil, familyName: String? = nil, email: String? = nil,
            isEmailVerified: Bool = true, hidesEmail: Bool = false, organizationID: String? = nil,
            realUserStatus: RealUserStatus = .likelyReal
        ) {
            self.id = id ?? RandomText.hex(32)
            self.givenName = givenName
            self.familyName = familyName
            self.email = email
            self.isEmailVerified = isEmailVerified
            self.hidesEmail = hidesEmail
            self.organizationID = organizationID
            self.realUserStatus = realUserStatus
        }

        /// Given and family name, or another name where both are missing.
        public var name: String {
            let names = [givenName, familyName].compactMap(\.self).joined(separator: " ")
            return names.isEmpty ? email ?? "Somebody" : names
        }

        /// Three new users: Ada, who shares her address; Ben, who hides his; Cleo, whose managed account has none.
        public static func examples() -> [Person] {
            [
                Person(givenName: "Ada", familyName: "Example", email: "ada@example.com"),
                Person(givenName: "Ben", familyName: "Example", email: "ben@example.com", hidesEmail: true),
                Person(
                    givenName: "Cleo", familyName: "Example", isEmailVerified: false,
                    organizationID: "org-" + RandomText.hex(8), realUserStatus: .unknown),
            ]
        }
    }
}
