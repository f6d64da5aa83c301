import Foundation
import HTTPTypes
import Hummingbird

extension ConsoleVisit {
    /// A page of the console in its frame.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - status: The status of the answer.
    /// - Returns: The answer.
    /// - Throws: A store's error.
    func show(_ page: ConsolePage, _ status: HTTPResponse.Status = .ok) async throws -> Response {
        let queues = try await may(ShowStatus.self) ? ShowStatus.queues(of: access.admin) : nil
        let frame = ConsoleFrame(
            site: access.pages.siteName, name: administrator.name, role: role.rawValue.capitalized,
            signOut: try form(ConsolePaths.signOut), waiting: queues.map(Self.waiting) ?? [:])
        return page.response(in: frame, isSecure: access.isSecure, status: status)
    }

    private static func waiting(_ queues: ShowStatus.Queues) -> [ConsoleSection: Int] {
        [
            .webhooks: queues.deadDeliveries, .withdrawals: queues.parkedWithdrawals + queues.deadWithdrawals,
            .merges: queues.merges,
        ]
    }

    /// The names of the providers as they are now.
    var labels: ProviderLabels { ProviderLabels(access.admin.providers.current) }
}
