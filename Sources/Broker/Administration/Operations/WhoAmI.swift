import BrokerStore
import ProviderKit

/// `admin.whoami`: the broker, and the administrator as it knows them. Every valid credential may call it.
package struct WhoAmI: AdminOperation {
    package static let declaration = OperationDeclaration(
        "admin.whoami", "Returns the credential of the request with its scopes, and the broker's version.", nil, .reads,
        heading: "Show who you are")

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "project": "The id of the project.",
            "version": "The broker's version.",
            "kind": "`token`, `service-account`, or `host` for the operating system's user.",
            "id": "The credential's public id, or the operating system's user.",
            "name": "The credential's name.",
            "scopes": "What it may do.",
        ]

        package let project: String
        package let version: String
        package let kind: String
        package let id: String
        package let name: String
        package let scopes: [String]
    }

    package init() {}

    package func run(for call: AdminCall) -> Answer {
        let administrator = call.administrator
        let scopes = administrator?.scopes ?? [.admin]
        return Answer(
            project: call.admin.configuration.project.id, version: BrokerVersion.current,
            kind: administrator?.kind.rawValue ?? "host", id: administrator?.id ?? call.origin.actor ?? "",
            name: administrator?.name ?? call.origin.actor ?? "", scopes: scopes.map(\.rawValue).sorted())
    }
}
