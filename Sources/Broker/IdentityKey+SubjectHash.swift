import BrokerStore
import Crypto
import Foundation
import JOSE

extension IdentityKey {
    /// SHA-256 of the provider's subject, base64url. Decision records and audit entries hold it instead of the subject.
    var subjectHash: String { Base64URL.encode(Array(SHA256.hash(data: Data(subject.utf8)))) }
}
