import Logging
import ServiceLifecycle

extension BackgroundServices {
    /// Adopts changes of `plugins.json` and of the files of its secrets.
    static func reload(
        _ providers: ProvidersContext, every interval: Duration
    ) -> any Service {
        PeriodicService("ProviderReload", every: interval) {
            switch providers.configured.reload() {
            case .adopted(let change):
                log(change)
                providers.configured.warn()
                await providers.stored.recordReload(of: change)
            case .refused(let error):
                WorkerMetrics.failed()
                Logger.current.error(
                    "provider configuration reload failed; keeping the previous one",
                    metadata: ["error": "\(error)"])
            case nil: break
            }
        }
    }

    /// Adopts changes of the folder with the operator's texts.
    static func reload(
        _ languages: PageLanguages, recordingIn stored: StoreContext, every interval: Duration
    ) -> any Service {
        PeriodicService("PageTextReload", every: interval) {
            switch languages.reload() {
            case .adopted:
                Logger.current.notice("texts of the pages reloaded")
                await stored.recordReloadOfPageTexts()
            case .refused(let error):
                WorkerMetrics.failed()
                Logger.current.error(
                    "reload of the pages' texts failed; keeping the previous ones", metadata: ["error": "\(error)"])
            case nil: break
            }
        }
    }

    /// Adopts what administrators write to the store, at this broker or another one: provider entries, settings and the
    /// origins of public clients.
    static func follow(_ core: BrokerCore, every interval: Duration) -> any Service {
        PeriodicService(
            description: "StoredConfiguration", interval: interval, state: false,
            work: { hasFailed in
                do {
                    let change = try await core.providers.storedConfiguration.reload()
                    try await core.openID.clients.origins.reload()
                    hasFailed = false
                    if let providers = change?.providers {
                        log(providers)
                        for entry in providers.unusable { Logger.current.warn(of: entry) }
                    }
                    if change?.settings != nil { Logger.current.notice("project settings reloaded") }
                } catch {
                    // An outage of the store is logged once; the configuration stays as it is.
                    if !hasFailed {
                        WorkerMetrics.failed()
                        Logger.current.error("stored configuration cannot be read", metadata: ["error": "\(error)"])
                    }
                    hasFailed = true
                }
            })
    }

    private static func log(_ change: ProviderChange) {
        Logger.current.notice(
            "provider configuration reloaded",
            metadata: [
                "added": "\(list(change.added))", "removed": "\(list(change.removed))",
                "changed": "\(list(change.changed))",
            ])
    }

    private static func list(_ ids: [String]) -> String { ids.isEmpty ? "none" : ids.joined(separator: ", ") }
}

extension ProviderConfiguration {
    /// Logs what does not keep a broker from serving and is likely a mistake all the same.
    func warn() {
        if current.providers.isEmpty {
            Logger.current.warning(
                "no provider is enabled; add one with broker providers add, or enable an entry of plugins.json")
        }
        for path in readableSecretFiles { Logger.current.warnOfReadableFile(path) }
        for entry in current.unusable { Logger.current.warn(of: entry) }
    }
}

extension BrokerCore {
    /// Logs the step-up rules that some users can never satisfy. A store that cannot be read is reported elsewhere.
    func warnOfUnattainableStepUp() async {
        let rules = try? await configuration.policy.unattainableStepUp(
            with: providers.current.providers.map(\.id), sessions.serviceAccounts)
        for rule in rules ?? [] {
            Logger.current.warning("some users can never satisfy a step-up rule", metadata: ["acr": "\(rule.acr)"])
        }
    }
}

extension Logger {
    /// Logs a stored entry that is left out.
    fileprivate func warn(of entry: ProviderDirectory.UnusableEntry) {
        error(
            "stored provider entry is left out",
            metadata: ["provider": "\(entry.id)", "reason": "\(entry.reason)"])
    }
}
