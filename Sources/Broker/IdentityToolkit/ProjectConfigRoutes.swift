import BrokerStore
import Hummingbird
import ProviderKit

/// `/v2/projects/{project}/config`: the project's settings, for administrators (contract §7.7).
struct ProjectConfigRoutes: Sendable {
    let toolkit: IdentityToolkitContext

    func add(to routes: Routes) {
        for path in ["/v2/projects/{project}/config", "/admin/v2/projects/{project}/config"] {
            routes.identityToolkit(.get, path, read)
            routes.identityToolkit(.patch, path, takesLong: true, update)
        }
    }

    @Sendable
    func read(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        _ = try await toolkit.administrator(request, with: .readConfiguration)
        try context.checkProject(toolkit.projectID)
        return .json(.object(document(toolkit.providers.settings.current)))
    }

    @Sendable
    func update(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let administrator = try await toolkit.administrator(request, with: .writeConfiguration)
        try context.checkProject(toolkit.projectID)
        let body = try ProjectConfigBody(try await RequestFields(request), try UpdateMask(request))
        let effective = try await toolkit.providers.updateSettings(origin: context.origin(administrator)) {
            try body.apply(to: &$0)
        }
        return .json(.object(document(effective)))
    }

    private func document(_ settings: ProjectSettings) -> JSONObject {
        ProjectConfigDocument.of(settings, projectID: toolkit.projectID)
    }
}

extension BrokerRequestContext {
    /// Refuses a path that names another project than this broker's.
    ///
    /// - Throws: ``BrokerError/insufficientPermission``.
    func checkProject(_ projectID: String) throws {
        guard parameters[PathParameter.project.name]?.hasSameBytes(as: projectID) == true else {
            throw BrokerError.insufficientPermission
        }
    }
}
