import HTTPTypes
import ProviderKit

/// The configuration that administrators read and write (contract §7.7, §7.8).
extension OpenAPIDocument {
    static let configuration = projectConfig + ProviderConfigKind.allCases.flatMap(providerConfigs)

    private static let projectConfig: [OpenAPIOperation] = {
        let path = "/v2/projects/{project}/config"
        let answer = ProjectConfigDocument.schema
        return [
            administrator(
                .get, path, "projectConfig", "Returns the project's settings.", .readConfiguration, answer: answer),
            administrator(
                .patch, path, "updateProjectConfig", "Changes the project's settings.", .writeConfiguration,
                answer: answer
            ).with {
                $0.query = UpdateMask.parameters
                ($0.body, $0.example) = (.json(answer), ["signIn": ["anonymous": ["enabled": true]]])
            },
        ]
    }()

    private static func providerConfigs(_ kind: ProviderConfigKind) -> [OpenAPIOperation] {
        let collection = "/v2/projects/{project}/\(kind.rawValue)"
        let name = kind == .openID ? "OAuthIdpConfig" : "DefaultSupportedIdpConfig"
        let resource = kind.schema
        return [
            administrator(
                .post, collection, "create\(name)", "Adds a provider.", .trustProviders, answer: resource
            ).with { ($0.query, $0.body, $0.example) = ([kind.idParameter], .json(resource), kind.example) },
            administrator(
                .get, collection, "list\(name)s", "Lists providers, by id.", .readConfiguration,
                answer: Schema.answer(
                    [.list(kind.rawValue, of: resource, "The providers.")], optional: [.nextPageToken])
            ).with { $0.query = [PageParameter.size, PageParameter.token] },
            administrator(
                .get, collection + "/{id}", "get\(name)", "Returns a provider.", .readConfiguration, answer: resource),
            administrator(
                .patch, collection + "/{id}", "update\(name)", "Changes a provider.", .writeConfiguration,
                answer: resource
            ).with {
                ($0.query, $0.body, $0.example) = (
                    [UpdateMask.parameters[0]], .json(resource), ["displayName": "Example"]
                )
            },
            administrator(
                .delete, collection + "/{id}", "delete\(name)", "Removes a provider.", .trustProviders,
                answer: Schema.answer()),
        ]
    }
}

extension ProviderConfigKind {
    /// A new entry.
    fileprivate var example: JSONValue {
        switch self {
        case .openID:
            [
                "displayName": "Example", "enabled": true, "issuer": "https://login.example", "clientId": "my-app",
                "clientSecret": "<secret>",
            ]
        case .builtIn: ["enabled": true, "clientId": "my-app", "clientSecret": "<secret>"]
        }
    }
}
