import HTTPTypes
import ProviderKit

/// The configuration that administrators read and write (contract §7.7, §7.8).
extension OpenAPIDocument {
    static let configuration = projectConfig + ProviderConfigKind.allCases.flatMap(providerConfigs)

    private static let projectConfig = ["", "/admin"].flatMap { prefix in
        let path = "\(prefix)/v2/projects/{project}/config"
        let id = prefix.isEmpty ? "" : "Admin"
        return [
            OpenAPIOperation(.get, path, "projectConfig\(id)", "Returns the project's settings.", answer: project).with
            {
                $0.access = .administrator(.readConfiguration)
            },
            OpenAPIOperation(
                .patch, path, "updateProjectConfig\(id)", "Changes the project's settings.", answer: project
            ).with {
                $0.access = .administrator(.writeConfiguration)
                ($0.query, $0.body) = ([mask, Schema.query("update_mask")], .json(project))
            },
        ]
    }

    private static func providerConfigs(_ kind: ProviderConfigKind) -> [OpenAPIOperation] {
        let collection = "/v2/projects/{project}/\(kind.rawValue)"
        let name = kind == .openID ? "OAuthIdpConfig" : "DefaultSupportedIdpConfig"
        let resource = Schema.anyObject
        let write: (inout OpenAPIOperation) -> Void = { $0.access = .administrator(.writeConfiguration) }
        let trust: (inout OpenAPIOperation) -> Void = { $0.access = .administrator(.trustProviders) }
        let read: (inout OpenAPIOperation) -> Void = { $0.access = .administrator(.readConfiguration) }
        return [
            OpenAPIOperation(.post, collection, "create\(name)", "Adds a provider.", answer: resource).with(trust).with
            {
                ($0.query, $0.body) = ([Schema.query(kind.idParameter, required: true)], .json(resource))
            },
            OpenAPIOperation(.get, collection, "list\(name)s", "Lists providers, by id.", answer: Schema.anyObject)
                .with(read).with {
                    $0.query = [Schema.query("pageSize"), Schema.query("pageToken")]
                },
            OpenAPIOperation(.get, collection + "/{id}", "get\(name)", "Returns a provider.", answer: resource)
                .with(read),
            OpenAPIOperation(.patch, collection + "/{id}", "update\(name)", "Changes a provider.", answer: resource)
                .with(write).with { ($0.query, $0.body) = ([mask], .json(resource)) },
            OpenAPIOperation(
                .delete, collection + "/{id}", "delete\(name)", "Removes a provider.", answer: Schema.anyObject
            ).with(trust),
        ]
    }

    private static let project: JSONValue = Schema.anyObject

    private static let mask = Schema.query("updateMask")
}
