package import BrokerStore
import ProviderKit

/// A signing key; it contains no secret.
package struct SigningKeyAnswer: DescribedObject {
    package static let texts: [String: MemberText] = [
        "keyId": "The `kid` of tokens.",
        "family": "`identity-toolkit` or `oidc`.",
        "algorithm": "The signature algorithm.",
        "state": "What the key does now.",
        "createdAt": "When it was made.",
        "activatesAt": "From when it signs.",
        "retiresAt": "Until when it signs, or when it was revoked.",
        "publishedUntil": "Until when it is in the key documents.",
    ]

    package let keyId: String
    package let family: String
    package let algorithm: String
    package let state: SigningKeySchedule.Phase
    package let createdAt: Timestamp
    package let activatesAt: Timestamp
    package let retiresAt: Timestamp?
    package let publishedUntil: Timestamp?
}

extension SigningKeySchedule.Phase: Codable {}
extension StoredSigningKey.Family: Codable {}

/// `keys.list`: the signing keys, by activation time.
package struct ListSigningKeys: AdminOperation {
    package static let declaration = OperationDeclaration(
        "keys.list", "Lists the signing keys, by activation time.", .admin, .reads,
        [
            .option("family", "identity-toolkit or oidc (default: both).")
        ],
        command: DeclaredCommand(
            "list", "List the signing keys, by activation time.",
            """
            States: next (published, will sign), active (signs), retired (published for the tokens it has signed),
            ended and revoked (no longer published).

            Examples:
              broker keys list
              broker keys list --family oidc --json
            """))

    let family: StoredSigningKey.Family?

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["keys": "The keys, by activation time."]

        package let keys: [SigningKeyAnswer]
    }

    package func run(for call: AdminCall) -> Answer {
        let now = call.admin.now
        let families = call.admin.sessions.keyFamilies.filter {
            family == nil || $0.family == family
        }
        return Answer(
            keys: families.flatMap { keys in
                let schedule = keys.schedule
                return schedule.rows.map { SigningKeyAnswer($0, schedule, at: now) }
            })
    }

    package func text(of answer: Answer) -> TerminalText { answer.text }
}

extension SigningKeyAnswer {
    fileprivate init(_ row: StoredSigningKey, _ schedule: SigningKeySchedule, at now: Timestamp) {
        self.init(
            keyId: row.kid, family: row.family.rawValue, algorithm: row.algorithm.rawValue,
            state: schedule.phase(of: row, at: now), createdAt: row.createdAt, activatesAt: row.activatesAt,
            retiresAt: row.retiresAt,
            publishedUntil: row.state == .revoked ? nil : schedule.publicationEnd(of: row))
    }
}

/// `keys.rotate`: rotates the signing keys.
package struct RotateSigningKeysOperation: AdminOperation {
    package static let declaration = OperationDeclaration(
        "keys.rotate", "Rotates the signing keys and returns all keys.", .admin, .irreversibleWith("revoke"),
        [
            .option("algorithm", "ES256 or RS256 (default: both)."),
            .option("family", "identity-toolkit or oidc (default: both)."),
            .option("now", "Sign with the new key at once."),
            .option("revoke", "Revoke every older key, which invalidates its tokens; needs --now."),
        ],
        command: DeclaredCommand(
            "rotate", "Rotate the signing keys.",
            """
            The new key is published now and signs an hour later, when every verifier has fetched it. The old key
            stays published until its last token has expired: an hour, two weeks for session cookies. Running
            brokers follow within five seconds.

            With --now the new key signs at once: verifiers that cache key documents may refuse new tokens for up to
            an hour. If a key may have leaked, add --revoke: every older key is revoked, and its tokens become
            invalid. Refresh tokens stay valid, and apps get new tokens with them. That cannot be undone.

            Each token family has its own keys: identity-toolkit (for Firebase's SDKs) and oidc (for OpenID Connect
            clients).

            Examples:
              broker keys rotate
              broker keys rotate --family oidc --algorithm RS256 --json
              broker keys rotate --now --revoke --yes
            """))
    package typealias Answer = ListSigningKeys.Answer

    let algorithm: StoredSigningKey.Algorithm?
    let family: StoredSigningKey.Family?
    let now: Bool?
    let revoke: Bool?

    package func run(for call: AdminCall) async throws -> Answer {
        let (now, revoke) = (now ?? false, revoke ?? false)
        guard now || !revoke else { throw AdminFailure.parameter("revoke", "needs now") }
        let outcome = try await call.admin.sessions.rotateSigningKeys(
            algorithm.map { [$0] } ?? StoredSigningKey.Algorithm.allCases,
            of: family.map { [$0] } ?? StoredSigningKey.Family.allCases,
            revoke ? .revoking : now ? .now : .published, origin: call.origin)
        if case .pending(let keyID, let activatesAt) = outcome {
            throw AdminFailure(
                code: "ROTATION_PENDING",
                "key \(keyID) is already published and signs from \(activatesAt.text): wait, or add --now")
        }
        return ListSigningKeys(family: family).run(for: call)
    }

    package func text(of answer: Answer) -> TerminalText { answer.text }

    package var misuse: String? { revoke == true && now != true ? "--revoke needs --now." : nil }

    package func question(_ runner: some OperationRunner) async throws -> OperationQuestion? {
        let names = [family?.rawValue, algorithm?.rawValue].compactMap(\.self)
        let chosen = names.isEmpty ? "" : " of \(names.joined(separator: ", "))"
        return .irreversible(
            "Revoke every older key\(chosen)? Tokens that they signed become invalid.",
            otherwise: "no key was rotated")
    }
}

extension ListSigningKeys.Answer {
    fileprivate var text: TerminalText {
        let table = Table<SigningKeyAnswer>(
            .init("KEY ID") { $0.keyId }, .init("FAMILY") { $0.family }, .init("ALGORITHM") { $0.algorithm },
            .init("STATE") { $0.state.rawValue }, .init("TIME") { $0.remark ?? "" })
        return table.text(keys)
    }
}

extension SigningKeyAnswer {
    fileprivate var remark: String? {
        switch state {
        case .next: "signs from \(activatesAt.text)"
        case .active: retiresAt.map { "signs until \($0.text)" } ?? "signs since \(activatesAt.text)"
        case .retired, .ended: publishedUntil.map { "published until \($0.text)" }
        case .revoked: retiresAt.map { "revoked \($0.text)" }
        }
    }
}
