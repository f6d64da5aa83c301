import BrokerClient
import Foundation

struct NotesClient {
    let auth: BrokerAuth
    let url: URL

    func notes() async throws -> Data {
        var request = URLRequest(url: url.appending(path: "notes"))
        let token = try await auth.accessToken()
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        return try await URLSession.shared.data(for: request).0
    }
}
