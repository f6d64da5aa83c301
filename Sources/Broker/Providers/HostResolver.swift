import Foundation
import NIOCore
import Synchronization

/// Resolves host names with the system's resolver (`getaddrinfo`).
enum HostResolver {
    /// The reason a name has no addresses.
    enum Failure: Error, Equatable {
        /// The name service says that the name has no address.
        case nameNotFound
        /// The name service did not answer in time, or failed.
        case unavailable
    }

    /// The longest wait for a slow name service.
    private static let limit = DispatchTimeInterval.seconds(4)

    /// The addresses of `host`, in the system's order of preference (RFC 6724).
    ///
    /// - Throws: ``Failure``.
    static func addresses(of host: String, port: Int) async throws -> [SocketAddress] {
        let result = await withCheckedContinuation { continuation in
            // The call blocks a thread and cannot be cancelled, so the caller goes on without it after the limit.
            let answer = PendingAnswer(continuation)
            DispatchQueue.global().async { answer.give(lookUp(host)) }
            DispatchQueue.global().asyncAfter(deadline: .now() + limit) { answer.give(.failure(.unavailable)) }
        }
        return try result.get().compactMap { try? SocketAddress(ipAddress: $0, port: port) }
    }

    /// EAI_NONAME and EAI_NODATA, which not every platform's headers show.
    private static let nameNotFound: Set<Int32> = [EAI_NONAME, -5]

    private static func lookUp(_ host: String) -> Result<[String], Failure> {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard status == 0 else { return .failure(nameNotFound.contains(status) ? .nameNotFound : .unavailable) }
        var addresses: [String] = []
        var next = list
        while let entry = next {
            if let text = numericText(of: entry.pointee), !addresses.contains(text) { addresses.append(text) }
            next = entry.pointee.ai_next
        }
        return addresses.isEmpty ? .failure(.nameNotFound) : .success(addresses)
    }

    private static func numericText(of entry: addrinfo) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = getnameinfo(
            entry.ai_addr, entry.ai_addrlen, &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST)
        guard status == 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// A lookup's caller, resumed by the first of two answers.
private final class PendingAnswer: Sendable {
    typealias Answer = Result<[String], HostResolver.Failure>

    private let waiting: Mutex<CheckedContinuation<Answer, Never>?>

    init(_ continuation: CheckedContinuation<Answer, Never>) {
        waiting = Mutex(continuation)
    }

    func give(_ answer: Answer) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: answer)
    }
}
