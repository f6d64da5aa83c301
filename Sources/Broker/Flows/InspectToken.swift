import BrokerStore
import Foundation
import JOSE
package import ProviderKit

/// What an ID token says, whether this broker signed it, and whether it still counts. Decides and changes nothing.
package struct InspectToken: Sendable {
    let verifier: IDTokenVerifier
    let now: @Sendable () -> Date

    /// The findings; none of them holds the token itself.
    package struct Report: Sendable {
        package let header: JSONObject
        /// What the token claims, whoever signed it.
        package let claims: JSONValue
        package let signature: Signature
        /// What became of its session; nil if the token is not ours or the session is gone with its user.
        package let session: SessionState?
        /// Why it does not count; nil when it counts.
        package let refusal: BrokerError?
    }

    package enum Signature: String, Sendable {
        /// By a published key of this broker.
        case ours
        /// By a key this broker has revoked, or published once and no longer does.
        case withdrawnKey = "withdrawn-key"
        /// The token names no key this broker ever had.
        case unknownKey = "unknown-key"
        /// The token names a key of this broker, which did not sign it.
        case forged
    }

    /// - Returns: The findings; nil if this is no signed token at all.
    /// - Throws: A store's error.
    package func callAsFunction(_ token: String) async throws -> Report? {
        guard let parsed = try? CompactJWS(parsing: token),
            let claims = try? JSONValue(parsing: parsed.unverifiedPayload), claims.object != nil
        else { return nil }
        // First, since it may learn of new keys.
        let refusal = try await refusal(of: token)
        let signature = signature(of: parsed)
        let sessionID = signature == .ours ? claims["sid"]?.string : nil
        return Report(
            header: Self.header(parsed.header), claims: claims, signature: signature,
            session: try await state(ofSession: sessionID), refusal: refusal)
    }

    private func state(ofSession id: String?) async throws -> SessionState? {
        guard let id, let facts = try await verifier.store.read({ try $0.sessionFacts(id: id) }) else { return nil }
        return SessionState(facts.session, of: facts.user, at: Timestamp(now()))
    }

    private static func header(_ header: JWSHeader) -> JSONObject {
        var object: JSONObject = ["alg": .string(header.algorithm)]
        object["kid"] = header.keyID.map(JSONValue.string)
        object["typ"] = header.type.map(JSONValue.string)
        return object
    }

    private func signature(of token: CompactJWS) -> Signature {
        do {
            _ = try token.verified(with: verifier.keys.verification, algorithms: Set(SignatureAlgorithm.allCases))
            return .ours
        } catch {
            guard error.kind == .unknownKey else { return .forged }
            let isOld = verifier.keys.schedule.rows.contains { row in
                token.header.keyID.map { $0.utf8.elementsEqual(row.kid.utf8) } ?? false
            }
            return isOld ? .withdrawnKey : .unknownKey
        }
    }

    private func refusal(of token: String) async throws -> BrokerError? {
        do {
            _ = try await verifier.session(behind: token, at: Timestamp(now()))
            return nil
        } catch let error as BrokerError {
            return error
        }
    }
}
