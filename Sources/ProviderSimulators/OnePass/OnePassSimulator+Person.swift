import Crypto
import Foundation
import ProviderKit

extension OnePassSimulator {
    /// A fictitious user with an account at the simulator.
    public struct Person: Sendable, Hashable, Identifiable {
        /// The account's address.
        public struct Email: Sendable, Hashable {
            /// The address, which may be one 1Pass made up (``Person/syntheticAddress(_:of:)``).
            public var address: String
            /// The value of `email_verified`; the claim is left out when `nil`.
            public var verified: Bool?

            /// Describes an address.
            public init(_ address: String, verified: Bool? = true) {
                self.address = address
                self.verified = verified
            }
        }

        /// The account's number; as text it is the `sub` of everything issued for it.
        public var id: Int64
        /// The preferred name; the simulator's own pages and control calls find users by it.
        public var preferredName: String?
        /// The whole name.
        public var fullName: String?
        /// The address; it can change at any time.
        public var email: Email?
        /// The telephone number.
        public var phoneNumber: String?
        /// The identity level, 0 to 3.
        public var identityLevel: Int
        /// The web address of a picture; the claim is left out when absent.
        public var pictureURL: String?
        /// Whether the account is anonymous: it has only a device.
        public var isAnonymous: Bool
        /// Whether the account began anonymous.
        public var wasAnonymous: Bool

        /// Describes a user; the identifier is random unless given.
        public init(
            id: Int64? = nil, preferredName: String? = nil, fullName: String? = nil, email: Email? = nil,
            phoneNumber: String? = nil, identityLevel: Int = 0, pictureURL: String? = nil, isAnonymous: Bool = false,
            wasAnonymous: Bool? = nil
        ) {
            self.id = id ?? Int64.random(in: 100_000...2_000_000_000)
            self.preferredName = preferredName
            self.fullName = fullName
            self.email = email
            self.phoneNumber = phoneNumber
            self.identityLevel = identityLevel
            self.pictureURL = pictureURL
            self.isAnonymous = isAnonymous
            self.wasAnonymous = wasAnonymous ?? isAnonymous
        }

        /// The account's number as `sub` has it.
        public var subject: String { String(id) }

        /// An address that 1Pass makes up for accounts without one; nobody receives mail there.
        ///
        /// - Parameters:
        ///   - origin: `anon`, `apple` or `google`.
        ///   - seed: What the account is known by there, such as `ios:` and a device's UUID.
        /// - Returns: The address, below `1pass.internal`.
        public static func syntheticAddress(_ origin: String, of seed: String) -> String {
            let digest = SHA256.hash(data: Data(seed.utf8)).prefix(8)
            return "\(origin)+\(Hexadecimal.encode(digest))@1pass.internal"
        }

        /// An anonymous user with a device.
        public static func anonymous(platform: String, deviceUUID: String) -> Person {
            let address = syntheticAddress("anon", of: "\(platform):\(deviceUUID)")
            return Person(email: Email(address, verified: false), isAnonymous: true)
        }

        /// Four new users: `ada` with a verified address, `ben` who came through Apple and has only a synthetic one,
        /// `cleo` whose address is not verified, and an anonymous user without a name.
        public static func examples() -> [Person] {
            [
                Person(
                    preferredName: "ada", fullName: "Ada Example", email: .init("ada@example.com"), identityLevel: 2),
                Person(
                    preferredName: "ben", email: .init(syntheticAddress("apple", of: UUID().uuidString)),
                    identityLevel: 1),
                Person(
                    preferredName: "cleo", fullName: "Cleo Example", email: .init("cleo@example.com", verified: false)),
                .anonymous(platform: "ios", deviceUUID: UUID().uuidString),
            ]
        }
    }
}
