import Broker
import BrokerStore
import JOSE
import ProviderKit

/// Our own tokens, from the session's facts to the signed text and back.
struct TokenCases {
    let core: BrokerCore
    let person: SessionFacts

    func all() throws -> [BenchmarkCase] {
        let now = person.session.createdAt
        let tokens = core.sessions.tokens
        let person = person
        return try [
            .loop("claims of a session", in: .tokens) { tokens.payload(person, at: now).count },
            signing(.tokenES256, .es256), signing(.tokenRS256, .rs256),
            verifying(.verifyES256, .es256), verifying(.verifyRS256, .rs256),
            .callers(1, "issue ES256 and refresh token", in: .tokens) { _ = try await tokens.issue(person, at: now) },
            refusedRefreshToken(),
        ]
    }

    private func signing(_ name: CaseName, _ algorithm: SignatureAlgorithm) throws -> BenchmarkCase {
        let signer = try signer(algorithm)
        let (tokens, person, now) = (core.sessions.tokens, person, person.session.createdAt)
        return .loop(name, in: .tokens) { try signer.token(payload: tokens.payload(person, at: now)).utf8.count }
    }

    private func verifying(_ name: CaseName, _ algorithm: SignatureAlgorithm) throws -> BenchmarkCase {
        let token = try signer(algorithm).token(
            payload: core.sessions.tokens.payload(person, at: person.session.createdAt))
        let keys = core.sessions.signingKeys.verification
        return .loop(name, in: .tokens) {
            let payload = try CompactJWS(parsing: token).verified(with: keys, algorithms: [algorithm])
            guard payload["sub"]?.string != nil else { throw BenchmarkFailure("a verified token without subject") }
            return 1
        }
    }

    /// All of reading a refresh token: the parts, base64url and the HMAC, which is wrong.
    private func refusedRefreshToken() -> BenchmarkCase {
        let sessions = core.sessions
        let mac = Base64URL.encode([UInt8](repeating: 7, count: 32))
        let token = "rt1_00000000.\(person.session.id).1.\(mac)"
        let origin = Origin(.client, requestID: "benchmark")
        return .callers(1, "refresh token refused (HMAC)", in: .tokens) {
            do {
                _ = try await sessions.refresh(token, origin: origin)
                throw BenchmarkFailure("a forged refresh token was taken")
            } catch BrokerError.invalidRefreshToken {}
        }
    }

    private func signer(_ algorithm: SignatureAlgorithm) throws(BenchmarkFailure) -> TokenSigner {
        let keys = core.sessions.signingKeys.published
        guard let key = keys.first(where: { $0.algorithm.rawValue == algorithm.rawValue }) else {
            throw BenchmarkFailure("no \(algorithm.rawValue) key is published")
        }
        return key.signer
    }
}
