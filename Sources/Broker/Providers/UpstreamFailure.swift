import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import ProviderKit

/// The reason an exchange with a provider failed, derived from the network library's errors.
struct UpstreamFailure: Equatable {
    /// For the operator's log: the kind of failure, never the URL's query or a body.
    let reason: String
    /// The obstacle; absent when the provider answered, or the broker itself abandoned the request.
    let obstacle: ProviderError.Obstacle?
    /// The responsible party: the credential, when the request was never sent because of what it carries.
    var fault = ProviderError.Fault.upstream

    private init(_ reason: String, _ obstacle: ProviderError.Obstacle? = nil) {
        self.reason = reason
        self.obstacle = obstacle
    }

    /// The outcome for the circuit breaker: a request that was never sent says nothing about the provider.
    var outcome: UpstreamGate.Outcome { self == Self.abandoned || fault != .upstream ? .abandoned : .failed }

    init(_ error: any Error) {
        self =
            switch error {
            case is AddressNotAllowed:
                .init(
                    "the host resolves to an address that is not allowed (privateNetworks)", .addressNotAllowed)
            case HostResolver.Failure.nameNotFound: .init("the host's name has no address", .nameNotFound)
            case is HostResolver.Failure: .init("the name service does not answer", .nameNotFound)
            case is UnsendableRequest: Self.unsendable
            case is DeadlineExceeded: .init("no whole answer in time", .timedOut)
            case is NIOTooManyBytesError: .init("the answer is larger than 1 MiB")
            case is CancellationError: Self.abandoned
            case let error as HTTPClientError: Self.client(error)
            case let error as NIOSSLError: Self.security(error)
            case is NIOSSLExtraError: .init("the certificate is for another name", .certificateRefused)
            case let error as NIOConnectionError: Self.connection(error)
            case ChannelError.connectTimeout: Self.noConnectionInTime
            case is IOError, is ChannelError: Self.noConnection
            default: .init("no connection: \(type(of: error))", .connectionFailed)
            }
    }

    /// The reason an address that an operator registered did not answer: never the URL's path or query, nor what was
    /// answered.
    ///
    /// - Parameters:
    ///   - error: The error of the exchange, for which 5 s were given.
    ///   - withoutAddress: One text for a host without an address that may be asked: an administrator of the network does
    ///     not learn which names the broker's network knows.
    /// - Returns: The reason, for the operator.
    static func reason(_ error: any Error, withoutAddress: String) -> String {
        if error is DeadlineExceeded { return "no answer within 5 s" }
        return switch UpstreamFailure(error).obstacle {
        case .nameNotFound, .addressNotAllowed: withoutAddress
        case .timedOut: "no answer within 5 s"
        case .certificateRefused: "the certificate of the host cannot be verified"
        case .connectionFailed: "no connection to the host"
        default: "the HTTP exchange broke"
        }
    }

    /// Whether no connection was made, so that the request cannot have reached the provider.
    static func isNotConnected(_ error: any Error) -> Bool {
        switch error {
        case is NIOConnectionError, ChannelError.connectTimeout: true
        case let error as HTTPClientError: [.connectTimeout, .getConnectionFromPoolTimeout].contains(error)
        case let error as IOError:
            [ECONNREFUSED, ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL, EAFNOSUPPORT].contains(error.errnoCode)
        default: false
        }
    }

    private static let abandoned = UpstreamFailure("the request was abandoned")
    private static var unsendable: UpstreamFailure {
        var failure = UpstreamFailure("the request cannot be sent: the credential does not fit into a header field")
        failure.fault = .credential
        return failure
    }
    private static let noConnection = UpstreamFailure(
        "nothing takes connections at the provider's address", .connectionFailed)
    private static let noConnectionInTime = UpstreamFailure("no connection in time", .timedOut)

    /// The errors by which the library refuses a request's head, which have no other name.
    private static let refusedBeforeSending: Set<String> = [
        "Invalid header field values", "Invalid header field names",
    ]

    private static func client(_ error: HTTPClientError) -> UpstreamFailure {
        switch error {
        case .deadlineExceeded: .init("no answer in time", .timedOut)
        case .getConnectionFromPoolTimeout: .init("no free connection in time", .timedOut)
        case .readTimeout: .init("no answer in time", .timedOut)
        case .connectTimeout: noConnectionInTime
        case .tlsHandshakeTimeout: .init("no secure connection in time", .timedOut)
        case .cancelled: abandoned
        case _ where refusedBeforeSending.contains(error.shortDescription): unsendable
        default: .init("the HTTP exchange broke")
        }
    }

    /// The certificate, or no TLS at all: a port that speaks plain HTTP fails the handshake too.
    private static func security(_ error: NIOSSLError) -> UpstreamFailure {
        switch error {
        case .unableToValidateCertificate, .noCertificateToValidate:
            return .init("the certificate cannot be verified", .certificateRefused)
        case .handshakeFailed(.sslError(let stack)) where stack.contains(where: \.isAboutTheCertificate):
            return .init(
                "the certificate is not valid now, or no authority this host knows has issued it", .certificateRefused)
        case .handshakeFailed: return .init("no secure connection: is that a port for https?", .connectionFailed)
        default: return .init("the secure connection broke", .connectionFailed)
        }
    }

    private static func connection(_ error: NIOConnectionError) -> UpstreamFailure {
        guard !error.connectionErrors.isEmpty else { return .init("the host's name has no address", .nameNotFound) }
        let ranOutOfTime = error.connectionErrors.allSatisfy { failure in
            if case ChannelError.connectTimeout = failure.error { true } else { false }
        }
        return ranOutOfTime ? noConnectionInTime : noConnection
    }
}

/// A header value that cannot be sent (RFC 9110 §5.5).
struct UnsendableRequest: Error {}

extension BoringSSLInternalError {
    /// The library tells its errors apart by text only.
    fileprivate var isAboutTheCertificate: Bool { description.contains("CERTIFICATE_VERIFY_FAILED") }
}
