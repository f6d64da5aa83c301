import BrokerStore
import Hummingbird
import ProviderKit

/// `GET /v1/broker/withdrawals/{receipt}`: the outcome of a withdrawal, also after the deletion of its user. The receipt, 96
/// random bits that the user's app was told, is the only credential: the answer names no user and no token.
struct WithdrawalRoutes: Sendable {
    let openID: OpenIDContext

    func add(to routes: Routes) {
        routes.on(.get, OAuthPaths.withdrawals + "/{receipt}", pages: .ofClients) { _, context in
            let receipt = context.parameters[PathParameter.receipt.name] ?? ""
            guard let found = try await openID.outbox.withdrawals.row(receipt), found.id.hasSameBytes(as: receipt)
            else {
                throw WireError.notFound
            }
            return .json([
                "kind": "broker#Withdrawal", "providerId": .string(found.provider),
                "state": .string(found.progress.state.rawValue), "receipt": .string(found.id),
            ])
        }
    }
}
