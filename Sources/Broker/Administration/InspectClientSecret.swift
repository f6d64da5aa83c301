import Foundation
import JOSE
package import ProviderKit

/// A client secret, decoded without its signature, and every cause found.
package struct ClientSecretReport: Sendable {
    package let clientID: String
    package let header: JSONObject
    package let claims: JSONObject
    package var findings: [ConfigurationFinding]
    /// Whether the provider accepts it; absent when it was not asked or gave no answer.
    package var isAccepted: Bool?
}

/// Explains why a provider refuses a client secret that a key of ours signs. The provider itself gives no reason.
extension AdminContext {
    /// Makes the client secret that the broker would send now.
    ///
    /// - Throws: ``ProviderError`` when the key cannot be used.
    package func clientSecret(
        of clientID: String, at provider: any SignedClientSecret
    ) throws(ProviderError) -> Secret {
        try signed(provider.clientSecret(of: clientID))
    }

    /// Inspects a client secret.
    ///
    /// - Parameters:
    ///   - secret: The token.
    ///   - clientID: The client it is sent with; the one of its `sub` when absent, if the entry has that client.
    ///   - provider: The entry whose key and ids it is compared with.
    ///   - asksProvider: Whether the provider is asked too. It finds what no claim shows: a revoked or ungrouped key, and
    ///     the clock of this host.
    /// - Returns: The report.
    /// - Throws: ``ConfigurationFinding`` when the text is not a signed token.
    package func inspectClientSecret(
        _ secret: Secret, of clientID: String?, at provider: any SignedClientSecret, asksProvider: Bool
    ) async throws(ConfigurationFinding) -> ClientSecretReport {
        let decoded = try ClientSecretClaims(secret)
        let subject = decoded.claims["sub"]?.string ?? ""
        let clientID =
            clientID ?? provider.clientIDs.first { $0.hasSameBytes(as: subject) } ?? provider.clientID
        let expected = provider.clientSecret(of: clientID)
        var report = ClientSecretReport(
            clientID: clientID, header: decoded.header, claims: decoded.claims,
            findings: decoded.findings(
                comparedWith: expected, maximumLifetime: provider.maximumSecretLifetime,
                now: Int64(min(max(clock().timeIntervalSince1970, 0), 4_102_444_800))))
        guard asksProvider else { return report }
        let observation = UpstreamObservation()
        await observation.watching { await ask(provider, about: secret, expected, &report) }
        if let skew = observation.skew, abs(skew) > ProviderCheckOutcome.largestSkew {
            // Whatever else the provider refuses, it may be for the clock.
            report.findings.removeAll { Self.guesses.contains($0.code) }
            report.findings.append(.clockSkew(seconds: Int(min(max(skew.rounded(), -1e12), 1e12))))
        }
        return report
    }

    /// The findings that are concluded from refusals alone.
    private static let guesses: Set<String> = ["client-not-grouped", "key-refused"]

    private func ask(
        _ provider: any SignedClientSecret, about secret: Secret, _ expected: ClientAssertion,
        _ report: inout ClientSecretReport
    ) async {
        do throws(ProviderError) {
            let isAccepted = try await provider.accepts(secret, of: report.clientID)
            report.isAccepted = isAccepted
            guard !isAccepted, report.findings.isEmpty else { return }
            report.findings.append(try await cause(provider, expected))
        } catch {
            report.findings.append(.unanswered(error, asking: provider.instance))
        }
    }

    /// The cause of a refusal that the token does not show, by asking with other values.
    private func cause(
        _ provider: any SignedClientSecret, _ refused: ClientAssertion
    ) async throws(ProviderError) -> ConfigurationFinding {
        let swapped = ClientAssertion(
            key: .init(pem: refused.key.pem, keyID: refused.issuer, algorithm: refused.key.algorithm),
            issuer: refused.key.keyID ?? "", subject: refused.subject, audience: refused.audience,
            lifetime: refused.lifetime)
        if try await provider.accepts(try signed(swapped), of: refused.subject) {
            return .idsSwapped(in: "the entry")
        }
        for clientID in provider.clientIDs where !clientID.hasSameBytes(as: refused.subject) {
            let other = try signed(provider.clientSecret(of: clientID))
            guard try await provider.accepts(other, of: clientID) else { continue }
            return .init(
                code: "client-not-grouped",
                text: "the provider accepts this key for \(clientID), and not for \(refused.subject)",
                fix: "\(refused.subject) is misspelt, lacks Sign in with Apple, belongs to another team, or is not "
                    + "grouped with the key's primary App ID. Compare it on the developer site under Identifiers.")
        }
        let thumbprint = (try? ClientSigningKey(refused.key))?.thumbprint ?? "unknown"
        return .init(
            code: "key-refused",
            text: "key \(refused.key.keyID ?? "") of team \(refused.issuer) is refused, although the token is right",
            fix: "Compare on the developer site under Keys: (1) the key is not revoked; (2) it has Sign in with Apple "
                + "with the primary App ID of \(refused.subject); (3) key and team are those of the .p8 file "
                + "(public key thumbprint \(thumbprint)). Else make a new key and import it.")
    }

    private func signed(_ assertion: ClientAssertion) throws(ProviderError) -> Secret {
        do {
            return Secret(try assertion.signed(now: clock()))
        } catch {
            throw ProviderError(error)
        }
    }
}
