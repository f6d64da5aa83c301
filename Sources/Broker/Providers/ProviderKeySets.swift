import Foundation
import JOSE
import ProviderKit

/// The public keys of one provider, as immutable snapshots.
///
/// A snapshot is valid for as long as the provider says, between five minutes and a day. An unknown `kid` loads the keys
/// once more, with one request for all callers, and at most every thirty seconds: tokens with invented names must not
/// become requests. An outage is bridged by the last snapshot, for 24 hours after it was loaded.
actor ProviderKeySets {
    private struct Snapshot {
        let keys: KeySet
        let loaded: Date
        let expires: Date
    }

    private let now: @Sendable () -> Date
    private var snapshots: [String: Snapshot] = [:]
    private var loadedAt: [String: Date] = [:]
    private var loading: [String: Task<Result<Loaded, ProviderError>, Never>] = [:]

    static let cooldown: TimeInterval = 30
    /// Seconds for which keys are used without their provider: it may have revoked one of them meanwhile.
    static let longestBridge: TimeInterval = 86_400
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
        if let known = snapshots[url], known.expires > now(), keyID.flatMap({ known.keys[$0] }) != nil {
            return known.keys
        }
        if let keys = bridge(url), let last = loadedAt[url], now().timeIntervalSince(last) < Self.cooldown,
            loading[url] == nil
        {
            return keys
        }
        switch await load(url, over: upstream) {
        case .success(let snapshot): return snapshot.keys
        case .failure(let error):
            guard let keys = bridge(url) else { throw error }
            return keys
        }
    }

    /// The last known keys, while they may be used without asking.
    private func bridge(_ url: String) -> KeySet? {
        snapshots[url].flatMap { now().timeIntervalSince($0.loaded) < Self.longestBridge ? $0.keys : nil }
    }

    private func load(_ url: String, over upstream: any Upstream) async -> Result<Snapshot, ProviderError> {
        let task =
            loading[url]
            ?? Task {
                do throws(ProviderError) {
                    return .success(try await Self.load(url, over: upstream))
                } catch {
                    return .failure(error)
                }
            }
        let isFirst = loading[url] == nil
        loading[url] = task
        let result = await task.value
        guard isFirst else { return result.map(snapshot(of:)) }
        loading[url] = nil
        loadedAt[url] = now()
        if case .success(let loaded) = result { snapshots[url] = snapshot(of: loaded) }
        return result.map(snapshot(of:))
    }

    private func snapshot(of loaded: Loaded) -> Snapshot {
        Snapshot(keys: loaded.keys, loaded: now(), expires: now().addingTimeInterval(loaded.lifetime))
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
