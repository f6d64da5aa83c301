import BrokerStore
import ProviderKit

/// `admin.whoami`: the broker, and the administrator as it knows them. Every valid credential may call it.
package struct WhoAmI: AdminOperation {
    package static let name = "admin.whoami"
    package static let summary = "Returns the credential of the request with its scopes, and the broker's version."
    package static let scope: AdminScope? = nil

    package struct Answer: Codable, Sendable {
        package let project: String
        package let version: String
        /// `token`, `service-account`, or `host` for the operating system's user.
        package let kind: String
        /// The credential's public id, or the operating system's user.
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
