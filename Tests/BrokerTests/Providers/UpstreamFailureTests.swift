import AsyncHTTPClient
import Foundation
import NIOCore
import NIOSSL
import ProviderKit
import Testing

@testable import Broker

@Suite("upstream failures")
struct UpstreamFailureTests {
    @Test(arguments: [
        (AddressNotAllowed() as any Error, ProviderError.Obstacle?.some(.addressNotAllowed)),
        (DeadlineExceeded(), .timedOut), (HTTPClientError.readTimeout, .timedOut),
        (HTTPClientError.connectTimeout, .timedOut), (HTTPClientError.tlsHandshakeTimeout, .timedOut),
        (HTTPClientError.deadlineExceeded, .timedOut), (ChannelError.connectTimeout(.seconds(3)), .timedOut),
        (IOError(errnoCode: 111, reason: "connect"), .connectionFailed),
        (NIOSSLError.unableToValidateCertificate, .certificateRefused),
        (NIOSSLExtraError.failedToValidateHostname, .certificateRefused),
        (NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])), .connectionFailed),
        // The server answered, or we gave up ourselves.
        (HTTPClientError.remoteConnectionClosed, nil), (NIOTooManyBytesError(maxBytes: 1), nil),
        (CancellationError(), nil), (UnsendableRequest(), nil),
        (HostResolver.Failure.nameNotFound, .nameNotFound), (HostResolver.Failure.unavailable, .nameNotFound),
    ])
    func `the obstacle is derived from the library's error`(
        error: any Error, obstacle: ProviderError.Obstacle?
    ) {
        #expect(UpstreamFailure(error).obstacle == obstacle)
    }

    @Test(arguments: [
        (UnsendableRequest() as any Error, ProviderError.Fault.credential),
        (HTTPClientError.invalidHeaderFieldValues(["x"]), .credential),
        (HTTPClientError.invalidHeaderFieldNames(["x"]), .credential), (HTTPClientError.readTimeout, .upstream),
        (CancellationError(), .upstream), (AddressNotAllowed(), .upstream),
    ])
    func `what the HTTP client refuses to send is the credential's fault`(error: any Error, fault: ProviderError.Fault)
    {
        let failure = UpstreamFailure(error)

        #expect(failure.fault == fault)
        if fault == .credential || error is CancellationError { #expect(failure.outcome == .abandoned) }
    }

    @Test(arguments: [
        (IOError(errnoCode: ECONNREFUSED, reason: "connect") as any Error, true),
        (ChannelError.connectTimeout(.seconds(3)), true), (HTTPClientError.getConnectionFromPoolTimeout, true),
        (IOError(errnoCode: ECONNRESET, reason: "read"), false), (HTTPClientError.remoteConnectionClosed, false),
        (HTTPClientError.readTimeout, false), (DeadlineExceeded(), false),
        (NIOSSLError.unableToValidateCertificate, false),
    ])
    func `only a request that cannot have arrived is sent to another address`(error: any Error, isRepeated: Bool) {
        #expect(UpstreamFailure.isNotConnected(error) == isRepeated)
    }

    @Test func `an unknown host name is not a refused connection`() async throws {
        let clients = EgressClients()
        let upstream = HTTPUpstream(clients, allowsInsecureLoopback: false)

        let error = await #expect(throws: ProviderError.self) {
            try await upstream.send(UpstreamRequest(.get, "https://id.invalid/", at: .discover))
        }

        #expect(error?.obstacle == .nameNotFound)
        await clients.shutdown()
    }
}

@Suite("clocks of providers")
struct UpstreamObservationTests {
    /// Fri, 15 Jan 2027 08:00:00 GMT.
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(
        arguments: [
            ("Fri, 15 Jan 2027 08:00:00 GMT", 0), ("Fri, 15 Jan 2027 07:59:59 GMT", 0),
            // The answer took four seconds and may have been written at any moment of them.
            ("Fri, 15 Jan 2027 08:00:04 GMT", 0), ("Fri, 15 Jan 2027 08:01:44 GMT", 100),
            ("Fri, 15 Jan 2027 07:58:19 GMT", -100), ("yesterday", nil),
        ] as [(String, TimeInterval?)])
    func `an answer tells how far a provider's clock is off`(date: String, skew: TimeInterval?) async {
        #expect(await Self.skew([[("date", date)]]) == skew)
    }

    @Test func `a cached response is ignored, and the closest of several responses counts`() async {
        let (early, right) = ("Fri, 15 Jan 2027 07:00:00 GMT", "Fri, 15 Jan 2027 08:00:10 GMT")

        #expect(await Self.skew([[("Date", early), ("Age", "3600")]]) == nil)
        #expect(await Self.skew([[("Date", early)], [("Date", right)], [("Date", early)]]) == 6)
        #expect(await Self.skew([]) == nil)
    }

    private static func skew(_ answers: [[(name: String, value: String)]]) async -> TimeInterval? {
        let observation = UpstreamObservation()
        await observation.watching {
            for headers in answers {
                UpstreamObservation.answered(
                    UpstreamRequest(.get, "https://id.example", at: .discover),
                    UpstreamResponse(status: 200, headers: headers), sent: now, received: now.addingTimeInterval(4))
            }
        }
        return observation.skew
    }
}
