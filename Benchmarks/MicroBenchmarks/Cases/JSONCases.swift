import Foundation
import ProviderKit

/// Reading the payload of an ID token, beside Foundation.
struct JSONCases {
    /// The payload as text.
    let payload: String

    func all() -> [BenchmarkCase] {
        let bytes = Array(payload.utf8)
        let data = Data(bytes)
        return [
            .loop(.foundationJSON, in: .json) { try JSONDecoder().decode(Payload.self, from: data).checksum },
            .loop(.ourJSON, in: .json) {
                guard let object = try JSONValue(parsing: bytes).object else {
                    throw BenchmarkFailure("the payload is no object")
                }
                return object.count
            },
            .loop(.ourJSONDecoder, in: .json) {
                try JSONValueDecoder().decode(Payload.self, from: JSONValue(parsing: bytes)).checksum
            },
        ]
    }
}

/// The payload as a type.
private struct Payload: Decodable {
    let name: String?
    let picture: String?
    let issuer: String
    let audience: String
    let authenticationTime: Int64
    let userID: String
    let subject: String
    let issuedAt: Int64
    let expiration: Int64
    let email: String?
    let isEmailVerified: Bool?
    let sessionID: String
    let epoch: Int64
    let firebase: Firebase

    struct Firebase: Decodable {
        let identities: [String: [String]]
        let signInProvider: String

        enum CodingKeys: String, CodingKey {
            case identities
            case signInProvider = "sign_in_provider"
        }
    }

    enum CodingKeys: String, CodingKey {
        case name, picture, email, epoch, firebase
        case issuer = "iss"
        case audience = "aud"
        case authenticationTime = "auth_time"
        case userID = "user_id"
        case subject = "sub"
        case issuedAt = "iat"
        case expiration = "exp"
        case isEmailVerified = "email_verified"
        case sessionID = "sid"
    }

    var checksum: Int { subject.utf8.count + firebase.identities.count }
}
