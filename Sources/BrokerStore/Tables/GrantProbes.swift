/// The result of asking a provider whether a grant is valid.
package enum GrantProbeResult: String, Sendable, Hashable, CaseIterable {
    case valid
    /// The provider refused the grant. The effects wait until it is known that this is no refusal of many.
    case refused
    /// The provider refused our client, or the entry no longer has the grant's client.
    case clientRefused = "client-refused"
    /// The provider gave no answer about the grant.
    case unavailable
}

/// The probes of one provider entry since some moment.
package struct GrantProbeCounts: Sendable, Hashable {
    /// Probes with an answer about the grant.
    package let probes: Int
    /// Those of them that the provider refused, for the grant or for our client.
    package let failures: Int

    package init(probes: Int, failures: Int) {
        self.probes = probes
        self.failures = failures
    }
}

/// A provider entry whose probes are paused until an operator resumes them.
package struct ProbePause: Sendable, Hashable {
    package let provider: String
    package let at: Timestamp
    /// The probes that led to the pause.
    package let counts: GrantProbeCounts

    package init(provider: String, at: Timestamp, counts: GrantProbeCounts) {
        self.provider = provider
        self.at = at
        self.counts = counts
    }
}

extension ProviderGrant {
    /// SQL: when the provider last confirmed a grant or was asked to. An index has the same expression.
    static let confirmedAt = "CASE WHEN probed_at > obtained_at THEN probed_at ELSE obtained_at END"
    /// SQL: whether the present version is not marked as refused.
    static let isNotMarked = "(refused_version IS NULL OR refused_version <> version)"
}

extension Transaction {
    /// The grants of an entry with a refresh token that the provider confirmed last at `moment` or before, the earliest
    /// first.
    package func grantsDueForProbe(
        of provider: String, confirmedBy moment: Timestamp, limit: Int
    ) throws(StoreError) -> [ProviderGrant] {
        try all(
            "grants_due_for_probe",
            """
            SELECT \(ProviderGrant.columns) FROM provider_grants
            WHERE provider = $1 AND (\(ProviderGrant.confirmedAt)) <= $2 AND sealed_refresh_token IS NOT NULL
                AND \(ProviderGrant.isNotMarked)
            ORDER BY \(ProviderGrant.confirmedAt), key LIMIT $3
            """, .text(provider), .time(moment), .limit(limit))
    }

    /// Records the result of a probe of this version of a grant.
    ///
    /// - Returns: false if the grant was replaced or removed meanwhile.
    @discardableResult
    package func recordProbe(
        of grant: ProviderGrant, _ result: GrantProbeResult, at now: Timestamp
    ) throws(StoreError) -> Bool {
        try run(
            "record_probe_of_grant",
            """
            UPDATE provider_grants SET probed_at = $3, probed_version = $2, probe_result = $4
            WHERE key = $1 AND version = $2
            """, .integer(grant.key), .integer(grant.version), .time(now), .text(result.rawValue)) > 0
    }

    /// The latest probes of an entry's grants after `moment`.
    package func probeCounts(of provider: String, since moment: Timestamp) throws(StoreError) -> GrantProbeCounts {
        let counts = try value(
            "probe_counts",
            """
            SELECT count(*), coalesce(sum(CASE WHEN probe_result = 'valid' THEN 0 ELSE 1 END), 0) FROM provider_grants
            WHERE provider = $1 AND (\(ProviderGrant.confirmedAt)) > $2 AND probed_at > $2
                AND probe_result IN ('valid', 'refused', 'client-refused')
            """, .text(provider), .time(moment)
        ) { row throws(StoreError) in
            GrantProbeCounts(probes: Int(try row.integer()), failures: Int(try row.integer()))
        }
        return counts ?? GrantProbeCounts(probes: 0, failures: 0)
    }

    /// The grants of an entry whose last probe was refused at `moment` or before and had no effect yet, the earliest
    /// first.
    package func grantsRefusedByProbe(
        of provider: String, by moment: Timestamp, limit: Int
    ) throws(StoreError) -> [ProviderGrant] {
        try all(
            "grants_refused_by_probe",
            """
            SELECT \(ProviderGrant.columns) FROM provider_grants
            WHERE provider = $1 AND probe_result = 'refused' AND probed_at <= $2 AND probed_version = version
                AND \(ProviderGrant.isNotMarked)
            ORDER BY probed_at, key LIMIT $3
            """, .text(provider), .time(moment), .limit(limit))
    }

    /// Pauses the probes of an entry.
    ///
    /// - Returns: false if they are paused already.
    package func pauseProbes(_ pause: ProbePause) throws(StoreError) -> Bool {
        try run(
            "pause_probes",
            """
            INSERT INTO probe_pauses (provider, paused_at, probes, failures) VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING
            """, .text(pause.provider), .time(pause.at), .integer(Int64(pause.counts.probes)),
            .integer(Int64(pause.counts.failures))) > 0
    }

    /// The entries whose probes are paused.
    package func probePauses() throws(StoreError) -> [ProbePause] {
        try rows(
            "probe_pauses", "SELECT provider, paused_at, probes, failures FROM probe_pauses ORDER BY provider"
        ) { row throws(StoreError) in
            ProbePause(
                provider: try row.text(), at: try row.time(),
                counts: GrantProbeCounts(probes: Int(try row.integer()), failures: Int(try row.integer())))
        }
    }

    /// Resumes the probes of an entry and forgets the failures, which then have no effect.
    ///
    /// - Returns: false if they are not paused.
    package func resumeProbes(of provider: String) throws(StoreError) -> Bool {
        let resumed = try run(
            "resume_probes", "DELETE FROM probe_pauses WHERE provider = $1", .text(provider))
        guard resumed > 0 else { return false }
        try run(
            "forget_failed_probes",
            """
            UPDATE provider_grants SET probe_result = NULL
            WHERE provider = $1 AND probe_result IN ('refused', 'client-refused')
            """, .text(provider))
        return true
    }
}
