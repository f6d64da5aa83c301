import Logging
import ServiceLifecycle

/// Keeps a running server's signing keys up with rotations by other processes on the same store.
struct SigningKeyReload: Service, CustomStringConvertible {
    let keys: SigningKeys
    let interval: Duration

    var description: String { "SigningKeyReload" }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: interval)) != nil { await reload() }
        }
    }

    /// A store that does not answer now will be asked again; until then the keys stay as they are.
    private func reload() async {
        do {
            try await keys.reload()
        } catch {
            Logger.current.error("the signing keys cannot be read", metadata: ["error": "\(error)"])
        }
    }
}
