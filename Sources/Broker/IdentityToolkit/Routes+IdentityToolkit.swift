import HTTPTypes

extension Routes {
    /// An Identity Toolkit path, bare and under the production host's name as unmodified SDKs send it. Its handler begins
    /// with ``IdentityToolkitContext``, which counts the request.
    func identityToolkit(
        _ method: HTTPRequest.Method, _ path: String, pages: CrossOrigin.Pages = .ofAPIKeys, takesLong: Bool = false,
        _ handler: @escaping Handler
    ) {
        for path in [path, "/identitytoolkit.googleapis.com" + path] {
            on(method, path, pages: pages, counting: .byProof, takesLong: takesLong, handler)
        }
    }

    /// A method below the project (`accounts:lookup`, or empty for the project's accounts): backends call it with an admin
    /// credential, which no page has.
    func project(
        _ method: HTTPRequest.Method, accounts name: String, takesLong: Bool = false, _ handler: @escaping Handler
    ) {
        identityToolkit(
            method, "/v1/projects/{project}/accounts" + name, pages: .none, takesLong: takesLong, handler)
    }

    /// An `accounts:` method with the name the legacy v3 API has for it.
    func account(_ name: String, legacy: String?, _ handler: @escaping Handler) {
        identityToolkit(.post, "/v1/accounts:\(name)", handler)
        guard let legacy else { return }
        on(.post, "/identitytoolkit/v3/relyingparty/\(legacy)", counting: .byProof, handler)
        on(.post, "/www.googleapis.com/identitytoolkit/v3/relyingparty/\(legacy)", counting: .byProof, handler)
    }
}
