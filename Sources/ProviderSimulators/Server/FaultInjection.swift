import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Carries out one fault on one request.
struct FaultInjection: Sendable {
    let fault: SimulatorFault
    let context: SimulatorContext
    let now: Date

    /// The spoilt answer; `honest` is what the endpoint would say, asked only by faults that let it do its work.
    func answer(_ request: Request, honest: () throws -> SimulatorResponse) async throws -> Response {
        switch fault {
        case .hang:
            try? await request.body.consumeWithCancellationOnInboundClose { _ in await Self.untilCancelled() }
            throw cut()
        case .closeConnection:
            throw cut()
        case .hold(let gate):
            await gate.pass()
            return try honest().honest
        case .lostAnswer:
            _ = try honest()
            throw cut()
        case .hugeBody(let bytes):
            return huge(bytes)
        case .stalledBody, .truncatedBody, .slow:
            return broken(try honest())
        case .wrongContentType(let type):
            var response = try honest()
            response.headers[.contentType] = type
            return response.honest
        case .duplicateKeys:
            return DuplicatedMembers(in: try honest()).response.honest
        case .status, .response, .emptyBody, .htmlInsteadOfJSON, .garbage, .redirect, .rateLimited:
            return fault.cannedResponse(at: now).honest
        }
    }

    /// Closes the connection at once.
    private func cut() -> ConnectionEnds {
        context.channel.close(promise: nil)
        return ConnectionEnds()
    }

    /// The honest answer, its body coming too slowly or not to its end.
    private func broken(_ honest: SimulatorResponse) -> Response {
        let (fault, body) = (fault, honest.body)
        let written = ResponseBody(contentLength: body.count) { writer in
            switch fault {
            case .slow(let chunk, let pause):
                for start in stride(from: 0, to: body.count, by: max(chunk, 1)) {
                    try await writer.write(ByteBuffer(bytes: body[start..<min(start + max(chunk, 1), body.count)]))
                    try await Task.sleep(for: pause)
                }
                try await writer.finish(nil)
            case .stalledBody:
                try await writer.write(ByteBuffer(bytes: body.prefix(body.count / 2)))
                await Self.untilCancelled()
                throw ConnectionEnds()
            default:
                try await writer.write(ByteBuffer(bytes: body.prefix(body.count / 2)))
                throw ConnectionEnds()
            }
        }
        return Response(status: honest.statusCode, headers: honest.headers, body: written)
    }

    private func huge(_ bytes: Int) -> Response {
        let chunk = ByteBuffer(repeating: UInt8(ascii: "a"), count: 64 * 1024)
        return Response(
            status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
            body: .init { writer in
                try await writer.write(ByteBuffer(string: #"{"padding":""#))
                var rest = max(bytes, 0)
                while rest > 0 {
                    let next = min(rest, chunk.readableBytes)
                    try await writer.write(chunk.getSlice(at: 0, length: next) ?? chunk)
                    rest -= next
                }
                try await writer.write(ByteBuffer(string: #""}"#))
                try await writer.finish(nil)
            })
    }

    /// Waits for the server to stop or the client to leave.
    private static func untilCancelled() async {
        let (endless, _) = AsyncStream<Never>.makeStream()
        for await _ in endless {}
    }
}
