import BrokerStore
import Foundation
import ProviderKit

extension AdminContext {
    /// Less than this share of the disk, or than this number of bytes, is too little.
    private static let smallestShare = 0.05
    private static let fewestBytes: Int64 = 256 << 20
    /// Tokens are refused beyond it.
    private static let largestSkew = Duration.seconds(60)

    /// Looks for what keeps a configured broker from serving.
    ///
    /// - Parameter configuration: The configuration to examine; the broker's own one when nil.
    /// - Returns: All findings. A store that cannot be written is one.
    package func examineBroker(as configuration: Configuration? = nil) async -> [DoctorFinding] {
        let configuration = configuration ?? self.configuration
        return await storeFindings(configuration) + keyFindings() + configurationFindings(configuration)
            + policyFindings(configuration.policy)
    }

    private func storeFindings(_ configuration: Configuration) async -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        do {
            try await store.ping()
            // Another broker's lease that lasts longer than leases do was written by a clock that runs ahead.
            let latest = now.advanced(by: Lease.longest + Self.largestSkew)
            let lease = try await store.read { try $0.lease(named: Lease.housekeeping) }
            if let lease, lease.expiresAt > latest { findings.append(DoctorFinding(.clockDiffers, Lease.housekeeping)) }
            let moment = now
            let hasUnknownClients = try await store.read {
                try $0.hasRateCount(named: RateLimit.unknownClients.name, at: moment)
            }
            if hasUnknownClients { findings.append(DoctorFinding(.clientAddressUnknown, "X-Forwarded-For")) }
        } catch {
            findings.append(DoctorFinding(.storeUnavailable, "\(error)"))
        }
        if case .sqlite(let file) = configuration.database, let disk = Self.disk(of: file), disk.isNearlyFull {
            findings.append(DoctorFinding(.diskNearlyFull, "\(disk.free >> 20) MB free"))
        }
        return findings
    }

    private struct Disk {
        let free: Int64
        let size: Int64

        var isNearlyFull: Bool { free < fewestBytes || Double(free) < Double(size) * smallestShare }
    }

    private static func disk(of file: String) -> Disk? {
        let folder = URL(filePath: file).deletingLastPathComponent().path
        guard let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder),
            let free = attributes[.systemFreeSize] as? NSNumber, let size = attributes[.systemSize] as? NSNumber
        else { return nil }
        return Disk(free: free.int64Value, size: size.int64Value)
    }

    private func keyFindings() -> [DoctorFinding] {
        sessions.keyFamilies.filter { keys in
            let schedule = keys.schedule
            return !schedule.rows.contains { schedule.phase(of: $0, at: now) == .active }
        }.map { DoctorFinding(.signingKeyMissing, $0.family.rawValue) }
    }

    /// Nothing where the store cannot be read, which is a finding already.
    private func policyFindings(_ policy: Policy) async -> [DoctorFinding] {
        let rules = try? await policy.unattainableStepUp(
            with: providers.current.providers.map(\.id), sessions.serviceAccounts)
        return (rules ?? []).map { DoctorFinding(.stepUpUnattainable, "policy.stepUp \($0.acr)") }
    }

    private func configurationFindings(_ configuration: Configuration) -> [DoctorFinding] {
        var findings = configuration.readableFiles.map { DoctorFinding(.fileReadable, $0) }
        if providers.current.providers.isEmpty {
            findings.append(DoctorFinding(.noProvider, configuration.pluginsPath))
        }
        if Configuration.isLoopback(url: configuration.publicURL) {
            findings.append(DoctorFinding(.publicURLIsLocal, configuration.publicURL))
        }
        if configuration.hidesClients { findings.append(DoctorFinding(.clientAddressHidden, "trustedProxies")) }
        let hasApple = providers.current.providers.contains { $0.kind == "apple" }
        if hasApple, configuration.declarations.relaySenders?.isEmpty ?? true {
            findings.append(DoctorFinding(.relaySenderUnregistered, "declarations.relaySenders"))
        }
        return findings
    }
}
