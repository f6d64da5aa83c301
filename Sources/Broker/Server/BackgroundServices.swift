import BrokerStore
import Logging
import ServiceLifecycle

/// How often a running server does its background work.
package struct BackgroundIntervals: Sendable {
    /// Between two looks for rotations of another process.
    package var signingKeys = SigningKeys.reloadInterval
    /// Between two looks for a rotation of the master key; nil looks for none.
    package var masterKey: Duration? = MasterKeyWatch.interval
    /// Between two looks at `plugins.json`, the secrets it names, and the texts of the pages.
    package var providers = ProviderConfiguration.reloadInterval
    /// Between two looks at the TLS certificate and its key.
    package var certificate = Duration.seconds(5)
    /// Between two probes of the store, whose result `/readyz` answers; shorter while it takes no writes.
    package var readiness = Duration.seconds(5)
    /// Between two looks for due withdrawals; nil leaves them to other brokers.
    package var withdrawals: Duration? = WithdrawalWorker.interval
    /// Between two looks for due events; nil leaves them to other brokers.
    package var events: Duration? = EventWorker.interval
    /// Between two looks for subject migrations whose time ends.
    package var migrations = Duration.seconds(3600)
    /// Between two looks for event feeds that are due; nil leaves them to other brokers.
    package var providerEvents: Duration? = ProviderEventPoll.interval
    /// Between two turns of grant probes; nil leaves them to other brokers.
    package var grantProbes: Duration? = GrantProbes.interval
    /// Between two looks for audit entries to seal; nil leaves them to other brokers.
    package var auditSealing: Duration? = AuditSealing.interval
    /// Between two looks for deleted users that the list of erasures does not have; nil leaves them to other brokers.
    package var erasures: Duration? = ErasureList.interval
    /// Between two looks whether words of users are to be repaired; nil leaves them to other brokers.
    package var userWords: Duration? = UserWordRepair.interval
    /// Between two exchanges of the counts of rate limits, and two writings of what requests came to; nil does neither.
    package var rateLimits: Duration? = .seconds(5)
    /// Between two turns of housekeeping; nil leaves it to other brokers.
    package var housekeeping: Duration? = Housekeeping.interval

    package init() {}
}

/// The background work of a server.
enum BackgroundServices {
    /// Adopts rotations of the master key. The server stops when the store is sealed under a key it does not have.
    static func follow(_ watch: MasterKeyWatch, every interval: Duration) -> any Service {
        PeriodicService(
            description: "MasterKeyWatch", interval: interval, startsAtOnce: true, state: watch,
            work: { watch in
                do {
                    try await watch.turn()
                } catch let error as ConfigurationError {
                    Logger.current.critical(
                        "the store is sealed under another master key; stopping", metadata: ["error": "\(error)"])
                    throw error
                } catch {
                    // The keys stay as they are until the store answers again.
                    WorkerMetrics.failed()
                    Logger.current.error(
                        "master key reload failed; keeping the previous one", metadata: ["error": "\(error)"])
                }
            }, end: { try? await $0.end() })
    }

    /// Adopts rotations of signing keys by other processes on the same store.
    static func reload(_ keys: SigningKeys, every interval: Duration) -> any Service {
        PeriodicService("SigningKeyReload", every: interval) {
            // The keys stay as they are until the store answers again.
            do {
                try await keys.reload()
            } catch {
                WorkerMetrics.failed()
                Logger.current.error(
                    "signing key reload failed; keeping the previous ones", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Adopts a renewed certificate.
    static func reload(
        _ certificate: ServerCertificate, recordingIn stored: StoreContext, every interval: Duration
    ) -> any Service {
        PeriodicService("CertificateReload", every: interval, startsAtOnce: true) {
            switch certificate.reload() {
            case .adopted:
                Logger.current.notice("TLS certificate reloaded")
                await stored.recordReloadOfCertificate()
            case .refused(let error):
                WorkerMetrics.failed()
                Logger.current.error(
                    "TLS certificate reload failed; keeping the previous one", metadata: ["error": "\(error)"])
            case .expired:
                Logger.current.error("TLS certificate expired; clients refuse it until it is renewed")
            case nil: break
            }
        }
    }

    /// Warns 14, 7 and 1 days before subjects can no longer be migrated, once for all brokers.
    static func watch(_ migrations: SubjectMigrations, every interval: Duration) -> any Service {
        PeriodicService("MigrationWatch", every: interval, startsAtOnce: true) {
            do {
                for warning in try await migrations.dueWarnings() { log(warning) }
            } catch {
                WorkerMetrics.failed()
                Logger.current.error("subject migrations cannot be read", metadata: ["error": "\(error)"])
            }
        }
    }

    private static func log(_ warning: MigrationWarning) {
        let metadata: Logger.Metadata = [
            "provider": "\(warning.job.provider)", "from": "\(warning.job.sourceIssuer)",
            "to": "\(warning.job.targetIssuer)", "users": .stringConvertible(warning.remaining),
            "daysLeft": .stringConvertible(warning.daysLeft),
        ]
        if warning.daysLeft > 0 {
            Logger.current.warning("the time for migrating users to the app's new owner ends", metadata: metadata)
        } else {
            Logger.current.error(
                "the time for migrating users to the app's new owner is over", metadata: metadata)
        }
    }

    /// Probes whether the store takes writes.
    static func probe(_ readiness: Readiness) -> any Service {
        PeriodicService(
            description: "Readiness", interval: readiness.interval, nextInterval: { readiness.nextInterval },
            state: (), work: { _ in await readiness.probe() })
    }

    /// Attempts the due rows of a queue.
    static func work<Work>(_ worker: QueueWorker<Work>, every interval: Duration) -> any Service {
        PeriodicService(Work.service, every: interval, startsAtOnce: true, failure: Work.failure) {
            try await worker.turn()
        }
    }

    /// Puts audit entries into the hash chain, unless another broker does.
    static func seal(_ sealing: AuditSealing, every interval: Duration) -> any Service {
        // Takes the lease over until it has sealed once: the holder may have been killed.
        PeriodicService(
            "AuditSealing", every: interval, startsAtOnce: true, failure: "audit sealing failed", from: true,
            { takesOver in
                let sealed = try await sealing.turn(takingOver: takesOver)
                takesOver = takesOver && sealed == 0
            },
            // Other brokers need not wait for the lease of one that has stopped.
            end: { try? await sealing.release() })
    }

    /// Lists erasures.
    static func list(_ erasures: ErasureList, every interval: Duration) -> any Service {
        PeriodicService(
            "ErasureList", every: interval, startsAtOnce: true, failure: "erasures are not listed", from: erasures
        ) { try await $0.turn() }
    }

    /// Writes the words by which users are found where they are missing, unless another broker does.
    static func repair(_ words: UserWordRepair, every interval: Duration) -> any Service {
        PeriodicService(
            "UserWords", every: interval, startsAtOnce: true, failure: "words of users are not repaired", from: words,
            { words in
                let count = try await words.turn()
                guard count > 0 else { return }
                Logger.current.info("words of users written", metadata: ["users": .stringConvertible(count)])
            },
            // Other brokers need not wait for the lease of one that has stopped.
            end: { try? await words.release() })
    }

    /// Exchanges the counts of rate limits with the other brokers; they hold in this process meanwhile.
    static func exchange(_ exchange: RateLimitExchange, every interval: Duration) -> any Service {
        PeriodicService("RateLimits", every: interval, failure: "rate limit exchange failed") {
            try await exchange.turn()
        }
    }

    /// Writes what requests came to, also when the server stops.
    static func write(_ outcomes: OutcomeRecorder, every interval: Duration) -> any Service {
        PeriodicService(
            "Outcomes", every: interval, failure: "counts and causes of requests not written", from: (),
            { _ in try await outcomes.turn() }, end: { try? await outcomes.turn() })
    }

    /// Requests the event feeds of providers that are due.
    static func poll(_ feeds: ProviderEventPoll, every interval: Duration) -> any Service {
        PeriodicService(
            description: "ProviderEventPoll", interval: interval, startsAtOnce: true, state: feeds,
            work: { await $0.turn() })
    }

    /// Asks providers whether users still allow the app, unless another broker does.
    static func probe(_ probes: GrantProbes, every interval: Duration) -> any Service {
        PeriodicService(
            description: "GrantProbes", interval: interval, state: probes,
            work: { probes in
                do {
                    _ = try await probes.turn()
                } catch {
                    WorkerMetrics.failed()
                    Logger.current.error("grant probes failed", metadata: ["error": "\(error)"])
                }
            },
            // Other brokers need not wait for the lease of one that has stopped.
            end: { try? await $0.release() })
    }

    /// Removes expired rows from the store, at the start and then at the interval, unless another broker does.
    static func keep(_ housekeeping: Housekeeping, every interval: Duration) -> any Service {
        PeriodicService(
            description: "Housekeeping", interval: interval, startsAtOnce: true, state: housekeeping,
            work: { await turn(&$0) },
            // Other brokers need not wait for the lease of one that has stopped.
            end: { try? await $0.release() })
    }

    private static func turn(_ housekeeping: inout Housekeeping) async {
        do {
            switch try await housekeeping.turn() {
            case .done(let removed): log(removed)
            case .lost(let removed):
                log(removed)
                Logger.current.info("housekeeping lease lost to another broker")
            case .clockInDoubt:
                Logger.current.warning("clock differs from the store; housekeeping removes nothing")
            case .leftToAnother: break
            }
        } catch {
            WorkerMetrics.failed()
            Logger.current.error("housekeeping failed", metadata: ["error": "\(error)"])
        }
    }

    private static func log(_ removed: Housekeeping.Removed) {
        guard removed != .init() else { return }
        Logger.current.info(
            "housekeeping removed expired rows",
            metadata: [
                "pendingTokens": .stringConvertible(removed.pendingTokens),
                "usedIDTokens": .stringConvertible(removed.usedIDTokens),
                "sessions": .stringConvertible(removed.sessions),
                "withdrawals": .stringConvertible(removed.withdrawals),
                "signInAttempts": .stringConvertible(removed.signInAttempts),
                "authorizationCodes": .stringConvertible(removed.authorizationCodes),
                "deviceAuthorizations": .stringConvertible(removed.deviceAuthorizations),
                "addresses": .stringConvertible(removed.addresses),
                "replacedKeys": .stringConvertible(removed.replacedKeys),
                "auditEntries": .stringConvertible(removed.auditEntries),
                "decisions": .stringConvertible(removed.decisions),
                "outcomeCounts": .stringConvertible(removed.outcomeCounts),
                "notices": .stringConvertible(removed.notices),
                "events": .stringConvertible(removed.events),
                "mergeSnapshots": .stringConvertible(removed.mergeSnapshots),
                "providerEvents": .stringConvertible(removed.providerEvents),
                "deletedAccounts": .stringConvertible(removed.deletedAccounts),
            ])
    }
}

extension Logger {
    func warnOfReadableFile(_ path: String) {
        warning("a file with secrets can be read by others on this host", metadata: ["path": "\(path)"])
    }
}
