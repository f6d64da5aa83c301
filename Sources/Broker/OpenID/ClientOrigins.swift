import BrokerStore
import Synchronization

/// The origins of the pages of public clients, in memory: any request can name an origin, so none of them may cost a
/// read of the store.
///
/// Another broker or command on the same store may change clients. A running server calls ``reload()`` every second, and
/// after each change of its own.
package final class ClientOrigins: StoreLayer {
    private struct State {
        var redirectURIs: [String] = []
        // Origins are compared byte by byte.
        var origins: Set<[UInt8]> = []
        // Reads of the store are numbered, so that an earlier one never replaces what a later one found.
        var started = 0
        var adopted = 0
    }

    package let stored: StoreContext
    private let state = Mutex(State())

    init(_ stored: StoreContext) {
        self.stored = stored
    }

    /// Whether a public client has a redirect URI at `origin`.
    func contain(_ origin: String) -> Bool { state.withLock { $0.origins.contains(Array(origin.utf8)) } }

    /// Reads the redirect URIs of public clients.
    ///
    /// - Throws: A store's error; everything stays as it is then.
    package func reload() async throws {
        let number = state.withLock { state in
            state.started += 1
            return state.started
        }
        let redirectURIs = try await store.read { try $0.publicRedirectURIs() }
        let known = state.withLock { $0 }
        let origins =
            known.redirectURIs == redirectURIs
            ? known.origins
            : Set(redirectURIs.compactMap { RedirectURI(registered: $0).origin.map { Array($0.utf8) } })
        state.withLock { state in
            guard number > state.adopted else { return }
            (state.redirectURIs, state.origins, state.adopted) = (redirectURIs, origins, number)
        }
    }
}
