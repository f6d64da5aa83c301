import Logging
import ServiceLifecycle

/// Lets a running server follow what the operator writes into `plugins.json` and the files of its secrets.
struct ProviderReload: Service, CustomStringConvertible {
    let providers: ProviderConfiguration
    let interval: Duration

    var description: String { "ProviderReload" }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: interval)) != nil { reload() }
        }
    }

    private func reload() {
        switch providers.reload() {
        case .adopted(let change):
            Logger.current.notice(
                "the providers are those of the changed configuration",
                metadata: [
                    "added": "\(list(change.added))", "removed": "\(list(change.removed))",
                    "changed": "\(list(change.changed))",
                ])
            providers.warn()
        case .refused(let error):
            Logger.current.error(
                "the changed provider configuration is of no use, the earlier one stays",
                metadata: ["error": "\(error)"])
        case nil: break
        }
    }

    private func list(_ ids: [String]) -> String { ids.isEmpty ? "none" : ids.joined(separator: ", ") }
}

extension ProviderConfiguration {
    /// Logs what does not keep a broker from serving and is likely a mistake all the same.
    func warn() {
        if current.providers.isEmpty {
            Logger.current.warning("no provider is enabled; enable an entry of plugins.json")
        }
        for path in readableSecretFiles { Logger.current.warnOfReadableFile(path) }
    }
}

extension Logger {
    func warnOfReadableFile(_ path: String) {
        warning("a file with secrets can be read by others on this host", metadata: ["path": "\(path)"])
    }
}
