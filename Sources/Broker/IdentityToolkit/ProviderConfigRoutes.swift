import BrokerStore
import Hummingbird
import JOSE
import ProviderKit

/// `/v2/projects/{project}/oauthIdpConfigs` and `/defaultSupportedIdpConfigs`: provider entries, for administrators
/// (contract §7.8). Entries of `plugins.json` are read-only.
struct ProviderConfigRoutes: Sendable {
    let kind: ProviderConfigKind
    let toolkit: IdentityToolkitContext

    private var providers: ProvidersContext { toolkit.providers }
    private var plugins: [ProviderPlugin] { toolkit.providers.configured.plugins }
    private var projectID: String { toolkit.projectID }

    private static let largestPage = 100

    func add(to routes: Routes) {
        let collection = "/v2/projects/{project}/\(kind.rawValue)"
        routes.identityToolkit(.post, collection, takesLong: true, create)
        routes.identityToolkit(.get, collection, list)
        routes.identityToolkit(.get, collection + "/{id}", read)
        routes.identityToolkit(.patch, collection + "/{id}", takesLong: true, update)
        routes.identityToolkit(.delete, collection + "/{id}", takesLong: true, delete)
    }

    @Sendable
    func create(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let administrator = try await administrator(request, .trustProviders, context)
        let fields = try await RequestFields(request)
        let id = try QueryParameters.of(request)[kind.idParameter] ?? ""
        guard let use = kind.use(id, among: plugins) else {
            throw BrokerError.configuration(.invalid("\(kind.idParameter.name) must be \(known)."))
        }
        let document: JSONObject = [
            "id": .string(id), "use": .string(use.rawValue), "enabled": false, "options": [:],
        ]
        let changes = try kind.changes(fields, .everything, use: use)
        return answer(
            try await providers.addProvider(
                document.merging(changes), by: administrator.channel, origin: context.origin(administrator)))
    }

    @Sendable
    func list(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        _ = try await administrator(request, .readConfiguration, context)
        let query = try QueryParameters.of(request)
        let size = try Self.pageSize(query[PageParameter.size])
        let start = try Self.lastID(query[PageParameter.token])
        let entries = try await providers.listProviders().filter {
            $0.entry.map { kind.contains($0, among: plugins) } ?? false
        }
        // An id of the store that the file has as well counts as the file's.
        var byID: [String: ListedProvider] = [:]
        for entry in entries.reversed() { byID[entry.id] = entry }
        let following = byID.values.sorted { $0.id < $1.id }.filter { $0.id > start }
        let page = following.prefix(size)
        var body: JSONObject = [
            kind.rawValue: .array(page.compactMap { document(of: $0).map(JSONValue.object) })
        ]
        if following.count > page.count, let last = page.last {
            body["nextPageToken"] = .string(Base64URL.encode(Array(last.id.utf8)))
        }
        return .json(.object(body))
    }

    @Sendable
    func read(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        _ = try await administrator(request, .readConfiguration, context)
        let listed = try await providers.listedProvider(try self.id(context))
        guard let document = document(of: listed) else {
            throw BrokerError.configuration(.invalid(listed.problem?.description ?? ""))
        }
        return .json(.object(document))
    }

    @Sendable
    func update(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let administrator = try await administrator(request, .writeConfiguration, context)
        let fields = try await RequestFields(request)
        let mask = try UpdateMask(request)
        let id = try id(context)
        return answer(
            try await providers.updateProvider(
                id, try kind.changes(fields, mask, use: kind.use(id, among: plugins)), by: administrator.channel,
                origin: context.origin(administrator)))
    }

    @Sendable
    func delete(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let administrator = try await administrator(request, .trustProviders, context)
        try await providers.removeProvider(try id(context), origin: context.origin(administrator))
        return .json([:])
    }

    private func administrator(
        _ request: Request, _ scope: AdminScope, _ context: BrokerRequestContext
    ) async throws -> Administrator {
        let administrator = try await toolkit.administrator(request, with: scope)
        try context.checkProject(projectID)
        return administrator
    }

    /// The id of the path; one that this resource cannot have belongs to no entry of it.
    private func id(_ context: BrokerRequestContext) throws -> String {
        let id = context.parameters[PathParameter.id.name] ?? ""
        guard kind.use(id, among: plugins) != nil else { throw BrokerError.configuration(.providerNotFound(id)) }
        return id
    }

    private func answer(_ entry: ProviderEntry) -> Response {
        .json(.object(kind.document(entry, isEnabled: entry.isEnabled, projectID: projectID)))
    }

    private func document(of listed: ListedProvider) -> JSONObject? {
        listed.entry.map { kind.document($0, isEnabled: listed.isEnabled, projectID: projectID) }
    }

    private var known: String {
        switch kind {
        case .openID: "oidc.<name>"
        case .builtIn: "one of " + plugins.compactMap(\.publicInstance?.id).sorted().joined(separator: ", ")
        }
    }

    private static func pageSize(_ text: String?) throws(WireError) -> Int {
        guard let text, text != "0" else { return largestPage }
        guard let size = Int(text), size > 0 else { throw .badRequest("pageSize must be a number.") }
        return min(size, largestPage)
    }

    /// The last id of the previous page, from its token.
    private static func lastID(_ token: String?) throws(WireError) -> String {
        guard let token else { return "" }
        guard let bytes = Base64URL.decode(token), let id = String(utf8: bytes) else {
            throw .badRequest("pageToken is not one of this broker.")
        }
        return id
    }
}

extension Administrator {
    /// The origin of an administrator's change of provider entries over the network.
    package var channel: ProviderChangeChannel { .network(mayTrust: has(.trustProviders)) }
}
