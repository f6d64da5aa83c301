import BrokerClient
import Foundation

struct NotesClient {
    let auth: BrokerAuth
    let url: URL

    func notes() async throws -> Data {
        let request = URLRequest(url: url.appending(path: "notes"))
        return try await auth.authorized(request).data
    }
}
