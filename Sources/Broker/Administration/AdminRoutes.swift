import BrokerStore
import Hummingbird
import ProviderKit

/// `POST /v1/broker/admin/<name>`: the administrative operations, for admin credentials.
///
/// A class, because each of its handlers would have a copy of the flows otherwise.
final class AdminRoutes: Sendable {
    private let callers: CallerCheck
    private let flows: AdminFlows

    init(callers: CallerCheck, flows: AdminFlows) {
        self.callers = callers
        self.flows = flows
    }

    func add(to routes: Routes) {
        for operation in AdminOperations.all { add(operation, to: routes) }
    }

    /// Records a read in the audit. Changes have entries of their own.
    private func record(_ operation: String, by origin: Origin) async throws {
        try await flows.store.write(at: Timestamp(flows.now()), by: origin) { transaction in
            try transaction.audit("admin.read", of: nil, detail: ["operation": .string(operation)])
        }
    }

    private func add<Operation: AdminOperation>(_ operation: Operation.Type, to routes: Routes) {
        // No page has an admin token.
        routes.on(.post, operation.path, pages: .none, counting: .byProof, takesLong: true) {
            [self] request, context in
            let administrator = try await callers.administrator(request, with: operation.scope)
            let fields = try await RequestFields(request, maximumBody: operation.maximumBody).fields
            do {
                let parameters = try JSONValueDecoder(unknownNames: .refused).decode(operation, from: .object(fields))
                let origin = context.origin(administrator)
                if operation.isRead { try await record(operation.name, by: origin) }
                let answer = try await parameters.run(
                    in: AdminContext(flows, origin: origin, administrator: administrator))
                return .json(try JSONValueEncoder().encode(answer))
            } catch let error as JSONDecodingError {
                throw WireError.malformedJSON("\(error)")
            } catch {
                throw AdminFailure(error).map { WireError($0) } ?? error
            }
        }
    }
}
