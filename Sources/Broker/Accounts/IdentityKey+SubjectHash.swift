import BrokerStore
import Crypto
import Foundation
import JOSE

extension IdentityKey {
    /// Stands for the provider's subject where the subject itself is not kept: SHA-256, base64url.
    var subjectHash: String { Base64URL.encode(Array(SHA256.hash(data: Data(subject.utf8)))) }
}
