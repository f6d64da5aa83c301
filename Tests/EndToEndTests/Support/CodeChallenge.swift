import Crypto
import JOSE

/// A client's PKCE pair (RFC 7636 §4.1 and §4.2, S256).
struct CodeChallenge {
    let verifier = randomText(64)

    var value: String { Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8)))) }
}
