import HTTPTypes

extension Routes {
    /// An Identity Toolkit path, bare and under the production host's name as unmodified SDKs send it. Its handler begins
    /// with ``CallerCheck``, which counts the request.
    func identityToolkit(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) {
        on(method, path, counting: .byProof, handler)
        on(method, "/identitytoolkit.googleapis.com" + path, counting: .byProof, handler)
    }

    /// An `accounts:` method with the name the legacy v3 API has for it.
    func account(_ name: String, legacy: String?, _ handler: @escaping Handler) {
        identityToolkit(.post, "/v1/accounts:\(name)", handler)
        guard let legacy else { return }
        on(.post, "/identitytoolkit/v3/relyingparty/\(legacy)", counting: .byProof, handler)
        on(.post, "/www.googleapis.com/identitytoolkit/v3/relyingparty/\(legacy)", counting: .byProof, handler)
    }
}
