import NIOCore

@testable import Broker

extension Response {
    /// The body as text.
    var text: String { String(buffer: body) }
}

extension RequestHandler.Answer {
    /// What it comes to.
    var response: Response {
        get async {
            switch self {
            case .immediate(let response): response
            case .awaited(let response): await response()
            }
        }
    }
}
