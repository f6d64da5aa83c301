import Foundation
import ProviderKit

extension StudyProvider: SubjectMigration {
    struct MigrationOptions: Decodable, Sendable {}

    var formerInstances: [String] { [] }

    func migrator(_ options: MigrationOptions) throws(ProviderError) -> any SubjectMigrator {
        StudyMigrator(provider: self)
    }
}

private struct StudyMigrator: SubjectMigrator {
    let provider: StudyProvider

    var sourceInstance: String { provider.instance + "/former" }
    var targetInstance: String { provider.instance }
    let sides: Set<MigrationSide> = [.source, .target]
    let window = 60

    func check(_ side: MigrationSide) async -> [ConfigurationFinding] { [] }

    func authorize(_ side: MigrationSide) async throws(ProviderError) -> MigrationAuthorization {
        let answer = try await send([("grant_type", "client_credentials")], to: "/token").jsonValue(at: .migrate)
        guard answer["error"]?.string != "invalid_client" else {
            let fault: ProviderError.Fault =
                provider.breaks("migration-names-a-refused-client") ? .upstream : .configuration
            throw ProviderError(fault, at: .migrate, "the client is refused")
        }
        return MigrationAuthorization(
            side: side, accessToken: answer["access_token"]?.string ?? "", expiresAt: .distantFuture)
    }

    func transferSubject(
        of subject: String, _ authorization: MigrationAuthorization
    ) async throws(ProviderError) -> MigrationAnswer<String> {
        try await ask([("sub", subject)])
    }

    func exchange(
        _ transferSubject: String, _ authorization: MigrationAuthorization
    ) async throws(ProviderError) -> MigrationAnswer<ExternalIdentity> {
        switch try await ask([("transfer_sub", transferSubject)]) {
        case .migrated(let subject): .migrated(ExternalIdentity(subject: subject))
        case .refused(let reason): .refused(reason: reason)
        case .unauthorized: .unauthorized
        }
    }

    private func ask(_ form: [(name: String, value: String)]) async throws(ProviderError) -> MigrationAnswer<String> {
        let response = try await send(form, to: "/migrate")
        guard response.status != 401 else {
            return provider.breaks("migration-renews-refused-tokens") ? .refused(reason: "refused") : .unauthorized
        }
        let subject = try response.jsonValue(at: .migrate)["subject"]?.string ?? ""
        return .migrated(provider.breaks("migration-translates-subjects") ? subject + "-other" : subject)
    }

    private func send(
        _ form: [(name: String, value: String)], to path: String
    ) async throws(ProviderError) -> UpstreamResponse {
        try await provider.upstream.send(
            UpstreamRequest(.post, provider.instance + path, at: .migrate)
                .basic(provider.clientID, provider.clientSecret).sending(form: form))
    }
}
