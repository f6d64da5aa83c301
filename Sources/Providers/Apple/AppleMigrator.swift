import Foundation
import ProviderKit

/// The requests of a team migration (TN3159): `user.migration` tokens and `POST /auth/usermigrationinfo`.
struct AppleMigrator: SubjectMigrator {
    let source: AppleMigrationTeam
    let target: AppleMigrationTeam
    let reusesSourceToken: Bool
    let provider: AppleProvider

    var sourceInstance: String { AppleProvider.instance(of: source.id, at: provider.url) }
    var targetInstance: String { AppleProvider.instance(of: target.id, at: provider.url) }
    var sides: Set<MigrationSide> { Set(MigrationSide.allCases.filter { team($0).pair != nil }) }
    /// Sixty days.
    var window: Int { 60 * 86_400 }

    func team(_ side: MigrationSide) -> AppleMigrationTeam { side == .source ? source : target }

    func authorize(_ side: MigrationSide) async throws(ProviderError) -> MigrationAuthorization {
        let team = team(side == .target && reusesSourceToken ? .source : side)
        return try await authorize(side, try pair(of: team), of: team.id)
    }

    func transferSubject(
        of subject: String, _ authorization: MigrationAuthorization
    ) async throws(ProviderError) -> MigrationAnswer<String> {
        switch try await request([("sub", subject), ("target", target.id)], authorization) {
        case .refused(let reason): return .refused(reason: reason)
        case .unauthorized: return .unauthorized
        case .migrated(let answer):
            guard let transferSubject = answer["transfer_sub"]?.string, !transferSubject.isEmpty else {
                throw ProviderError(.upstream, at: .migrate, "Apple's answer has no transfer_sub")
            }
            return .migrated(transferSubject)
        }
    }

    func exchange(
        _ transferSubject: String, _ authorization: MigrationAuthorization
    ) async throws(ProviderError) -> MigrationAnswer<ExternalIdentity> {
        switch try await request([("transfer_sub", transferSubject)], authorization) {
        case .refused(let reason): return .refused(reason: reason)
        case .unauthorized: return .unauthorized
        case .migrated(let answer):
            guard let identity = ExternalIdentity(migrated: answer) else {
                throw ProviderError(.upstream, at: .migrate, "Apple's answer has no sub")
            }
            return .migrated(identity)
        }
    }

    /// The access token of a client, when it is signed for by the key of `teamID`.
    func authorize(
        _ side: MigrationSide, _ pair: AppleMigrationTeam.Pair, of teamID: String
    ) async throws(ProviderError) -> MigrationAuthorization {
        let form = [
            ("grant_type", "client_credentials"), ("scope", "user.migration"), ("client_id", pair.clientID),
            ("client_secret", try secret(pair, of: teamID)),
        ].map { (name: $0, value: $1) }
        let response = try await send(UpstreamRequest(.post, provider.url + "/auth/token", at: .migrate), form)
        let answer = try response.decode(Answer.self, at: .migrate)
        if let error = answer.error {
            throw ProviderError(
                Self.clientErrors.contains(error) ? .configuration : .upstream, at: .migrate,
                "Apple's token endpoint refused the migration token: \(Self.known(error))")
        }
        guard let token = answer.accessToken, !token.isEmpty else {
            throw ProviderError(.upstream, at: .migrate, "Apple's answer has no access token")
        }
        let lifetime = min(max(answer.expiresIn ?? 3600, 0), 86_400)
        return MigrationAuthorization(
            side: side, accessToken: token, expiresAt: provider.context.now().addingTimeInterval(Double(lifetime)))
    }

    private func request(
        _ members: [(String, String)], _ authorization: MigrationAuthorization
    ) async throws(ProviderError) -> MigrationAnswer<JSONObject> {
        let team = team(authorization.side)
        let pair = try pair(of: team)
        let form = (members + [("client_id", pair.clientID), ("client_secret", try secret(pair, of: team.id))])
            .map { (name: $0, value: $1) }
        let response = try await send(
            UpstreamRequest(.post, provider.url + "/auth/usermigrationinfo", at: .migrate)
                .bearer(authorization.accessToken), form)
        guard response.status != 401 else { return .unauthorized }
        let answer = try response.jsonValue(at: .migrate)
        guard let members = answer.object else {
            throw ProviderError(.upstream, at: .migrate, "Apple's answer is no JSON object")
        }
        switch members["error"]?.string {
        case nil where (200..<300).contains(response.status): return .migrated(members)
        // Users who stopped using the app, and subjects that no user has.
        case "invalid_request": return .refused(reason: "invalid-request")
        case "invalid_token": return .unauthorized
        case let error? where Self.clientErrors.contains(error):
            throw ProviderError(.configuration, at: .migrate, "Apple refused client \(pair.clientID): \(error)")
        default:
            throw ProviderError(
                .upstream, at: .migrate, "the migration endpoint answered with status \(response.status)",
                retryAfter: response.retryAfter)
        }
    }

    /// Sends a form; outages and rate limits are errors.
    private func send(
        _ request: UpstreamRequest, _ form: [(name: String, value: String)]
    ) async throws(ProviderError) -> UpstreamResponse {
        let response = try await provider.context.upstream.send(request.sending(form: form))
        guard response.status < 500, response.status != 429 else { throw response.refusal(at: .migrate) }
        return response
    }

    private func pair(of team: AppleMigrationTeam) throws(ProviderError) -> AppleMigrationTeam.Pair {
        guard let pair = team.pair else {
            throw ProviderError(.configuration, at: .migrate, "the file has no key of team \(team.id)")
        }
        return pair
    }

    private func secret(_ pair: AppleMigrationTeam.Pair, of teamID: String) throws(ProviderError) -> String {
        try provider.context.tokens.sign(
            ClientAssertion(
                key: pair.key, issuer: teamID, subject: pair.clientID, audience: provider.url, lifetime: 300))
    }

    private struct Answer: Decodable {
        let accessToken: String?
        let expiresIn: Int?
        let error: String?

        enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case expiresIn = "expires_in"
            case error
        }
    }

    private static let clientErrors: Set<String> = [
        "invalid_client", "unauthorized_client", "invalid_scope", "unsupported_grant_type",
    ]

    /// An unknown code is the provider's text and may repeat our request, so it is not included.
    private static func known(_ error: String) -> String { clientErrors.contains(error) ? error : "another error" }
}
