import BrokerClient
import Foundation

struct Payments {
    let auth: BrokerAuth
    let url: URL

    @MainActor func pay(_ order: Data, over window: PresentationWindow) async throws -> Data {
        let token = try await auth.highAssuranceToken(reason: "Pay your order", in: window)
        var request = URLRequest(url: url.appending(path: "payments"))
        request.httpMethod = "POST"
        request.httpBody = order
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        return try await URLSession.shared.data(for: request).0
    }
}
