import BrokerStore
import Hummingbird
import ProviderKit

/// `POST /v1/broker/admin/<name>`: the administrative operations, for admin credentials.
struct AdminRoutes: Sendable {
    let toolkit: IdentityToolkitContext
    let admin: AdminContext

    func add(to routes: Routes) {
        for operation in AdminOperations.all { add(operation, to: routes) }
    }

    private func add<Operation: AdminOperation>(_ operation: Operation.Type, to routes: Routes) {
        // No page has an admin token.
        routes.on(.post, operation.path, pages: .none, counting: .byProof, takesLong: true) { request, context in
            let administrator = try await toolkit.administrator(request, with: operation.declaration.scope)
            let fields = try await RequestFields(request, maximumBody: operation.declaration.maximumBody).fields
            do {
                let parameters = try JSONValueDecoder(unknownNames: .refused).decode(operation, from: .object(fields))
                let call = AdminCall(admin, origin: context.origin(administrator), administrator: administrator)
                let answer = try await call.run(parameters)
                return .json(try JSONValueEncoder().encode(answer))
            } catch let error as JSONDecodingError {
                throw WireError.malformedJSON("\(error)")
            } catch {
                throw AdminFailure(error).map { WireError($0) } ?? error
            }
        }
    }
}
