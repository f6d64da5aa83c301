public import ProviderKit

extension OpenIDSimulator {
    /// A fictitious user with an account at the simulator.
    public struct Person: Sendable, Identifiable {
        /// The subject, which stays when everything else changes.
        public var subject: String
        /// Further claims of ID tokens and userinfo (OpenID Connect Core §5.1).
        public var claims: JSONObject
        /// The answer of userinfo instead of subject and claims: any JSON.
        public var userinfo: JSONValue?

        /// The subject.
        public var id: String { subject }
        /// The name, or the subject where there is none.
        public var name: String { claims["name"]?.string ?? subject }

        /// Describes a user; the subject is random unless given.
        public init(subject: String? = nil, claims: JSONObject = [:], userinfo: JSONValue? = nil) {
            self.subject = subject ?? RandomText.hex(24)
            self.claims = claims
            self.userinfo = userinfo
        }

        /// Two new users: Ada with a verified address, Ben with an unverified one.
        public static func examples() -> [Person] {
            [
                Person(claims: [
                    "email": "ada@example.com", "email_verified": true, "name": "Ada Example", "given_name": "Ada",
                    "family_name": "Example", "preferred_username": "ada", "picture": "https://example.com/ada.png",
                ]),
                Person(claims: ["email": "ben@example.com", "email_verified": false, "name": "Ben Example"]),
            ]
        }
    }
}
