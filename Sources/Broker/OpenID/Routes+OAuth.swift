import HTTPTypes
import Hummingbird

extension Routes {
    /// A path for OAuth clients: what a flow refuses is answered in the words of RFC 6749.
    ///
    /// An outage of the store is not: it is no judgement on the request and stays plain text (503).
    func oauth(
        _ method: HTTPRequest.Method, _ path: String, pages: CrossOrigin.Pages = .ofAPIKeys,
        _ handler: @escaping Handler
    ) {
        on(method, path, in: .oauth, pages: pages, counting: .byProof) { request, context in
            do {
                return try await handler(request, context)
            } catch {
                switch RequestAdmission.judge(error) {
                case let error as OAuthError: return error.response()
                case let error as ParameterError: return error.oauthResponse()
                case let error: throw error
                }
            }
        }
    }
}
