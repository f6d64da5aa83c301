import Foundation
import JOSE
import OAuth
import ProviderKit
import Synchronization

/// The public keys of one provider, as immutable snapshots.
///
/// A snapshot is valid for as long as the provider says, between five minutes and a day. An unknown `kid` loads the keys
/// once more, with one request for all callers, and at most once in each cooldown. An outage is bridged by the last
/// snapshot, for 24 hours after it was loaded: the provider may have revoked one of its keys meanwhile.
final class ProviderKeySets: Sendable {
    private typealias Document = RemoteDocument<KeySet, ProviderError>

    private let now: @Sendable () -> Date
    private let documents = Mutex<[String: Document]>([:])

    static let maximumBytes = 256 * 1024

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// The provider's keys, loaded again when they are stale or `keyID` is not among them. A token without a key id counts
    /// as one whose key is missing.
    ///
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/upstream`` when there are none at all.
    func keys(
        at url: String, including keyID: String?, over upstream: any Upstream
    ) async throws(ProviderError) -> KeySet {
        let answer = await document(url).answer(where: { keys in keyID.flatMap { keys[$0] } != nil }) {
            _ async throws(ProviderError) in
            let loaded = try await Self.load(url, over: upstream)
            return (loaded.keys, loaded.lifetime)
        }
        switch answer {
        case .current(let keys), .stale(let keys, _): return keys
        case .absent(let error, _): throw error ?? ProviderError(.upstream, at: .verifyIDToken, "there are no keys")
        }
    }

    private func document(_ url: String) -> Document {
        documents.withLock { documents in
            if let known = documents[url] { return known }
            let document = Document(now: now)
            documents[url] = document
            return document
        }
    }

    /// A loaded key set, with the seconds it may be cached.
    struct Loaded: Sendable {
        let keys: KeySet
        let lifetime: TimeInterval
    }

    /// Asks for the keys now.
    static func load(_ url: String, over upstream: any Upstream) async throws(ProviderError) -> Loaded {
        let response = try await upstream.send(UpstreamRequest(.get, url, at: .verifyIDToken))
        guard response.status == 200 else {
            throw ProviderError(
                .upstream, at: .verifyIDToken, "the keys' URL answered with status \(response.status)",
                retryAfter: response.retryAfter)
        }
        guard response.body.count <= maximumBytes else {
            throw ProviderError(.upstream, at: .verifyIDToken, "the key set is larger than 256 KiB")
        }
        let document = try response.jsonValue(at: .verifyIDToken)
        do {
            return Loaded(keys: try KeySet(importing: document), lifetime: lifetime(response))
        } catch {
            throw ProviderError(error)
        }
    }

    /// RFC 9111 §5.2.2.1; an hour when the provider says nothing.
    private static func lifetime(_ response: UpstreamResponse) -> TimeInterval {
        let match = (response.header("Cache-Control") ?? "").firstMatch(of: /max-age=([0-9]{1,9})/)
        return min(max(match.flatMap { TimeInterval($0.1) } ?? 3600, 300), 86_400)
    }
}
