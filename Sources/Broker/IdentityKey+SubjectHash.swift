import BrokerStore
import Crypto
import JOSE
import ProviderKit

extension IdentityKey {
    /// SHA-256 of the provider's subject, base64url. Decision records and audit entries hold it instead of the subject.
    var subjectHash: String { Base64URL.encode(SHA256.hash(data: subject.utf8Bytes).byteArray) }
}
