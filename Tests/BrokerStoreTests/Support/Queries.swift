// Generated from the methods of Sources/BrokerStore by scripts/generate. Do not edit.

// swift-format-ignore-file

import StoreSchema

@testable import BrokerStore

extension Statement {
    /// Every query that stands in a method.
    static let queries: [Statement] = [
        Statement(
            "account_has_notices",
            "SELECT key FROM account_notices WHERE user_key = $1 LIMIT 1", .integer),
        Statement(
            "acquire_lease",
            """
            INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, $3)
            ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
                WHERE leases.holder = excluded.holder OR leases.expires_at <= $4 OR leases.expires_at > $5
            """, .text, .text, .integer, .integer, .integer),
        Statement(
            "add_identity_alias",
            """
                INSERT INTO identity_aliases (provider, issuer, subject, identity_key, created_at)
                SELECT $1, $2, $3, $4, $5 WHERE NOT EXISTS (
                    SELECT 1 FROM identities WHERE provider = $1 AND issuer = $2 AND subject = $3)
                ON CONFLICT DO NOTHING RETURNING \(IdentityKey.userOfAlias)
                """, .text, .text, .text, .integer, .integer),
        Statement(
            "add_user_alias",
            """
            INSERT INTO user_aliases (local_id, user_key, created_at) SELECT $1, $2, $3
            WHERE NOT EXISTS (SELECT 1 FROM users WHERE local_id = $1)
            ON CONFLICT DO NOTHING
            """, .text, .integer, .integer),
        Statement(
            "add_words_of_user",
            """
        WITH added (word) AS (VALUES \(UserWordStatements.parameters.map { "(\($0))" }.joined(separator: ", ")))
        INSERT INTO user_words (word, user_key) SELECT word, $1 FROM added WHERE word IS NOT NULL
        ON CONFLICT DO NOTHING
        """, parameters: UserWordStatements.types),
        Statement(
            "admin_credential",
            "SELECT \(AdminCredential.columns) FROM admin_credentials WHERE token_hash = $1", .blob),
        Statement(
            "admin_credentials",
            "SELECT \(AdminCredential.columns) FROM admin_credentials ORDER BY key"),
        Statement(
            "aliases_of_identity",
            """
            SELECT provider, issuer, subject FROM identity_aliases WHERE identity_key = $1 ORDER BY created_at, subject
            """, .integer),
        Statement(
            "aliases_of_user",
            "SELECT local_id FROM user_aliases WHERE user_key = $1 ORDER BY created_at, local_id", .integer),
        Statement(
            "aliases_of_user_page",
            """
            SELECT alias.user_key, alias.local_id FROM user_aliases AS alias
            WHERE alias.user_key IN (SELECT users.key FROM users WHERE \(UserPage.range))
            ORDER BY alias.created_at, alias.local_id
            """, .text, .text),
        Statement(
            "anonymous_users_page",
            """
            SELECT \(User.columns) FROM users WHERE local_id > $1 AND \(User.isAnonymousInSQL)
            ORDER BY local_id LIMIT $2
            """, .text, .integer),
        Statement(
            "answer_device_authorization",
            """
            UPDATE device_authorizations SET decision = 'approved', sealed_outcome = $3
            WHERE user_code_hash = $1 AND expires_at > $2 AND purpose = 'terminal' AND decision IS NULL
            """, .blob, .integer, .blob),
        Statement(
            "approve_device_authorization",
            """
            UPDATE device_authorizations SET decision = 'approved', user_key = $3, epoch = $4, provider = $5,
                auth_time = $6, amr = $7, parent_id = $8
            WHERE user_code_hash = $1 AND expires_at > $2 AND purpose = 'client' AND decision IS NULL
            RETURNING \(DeviceAuthorizationRow.columns)
            """, .blob, .integer, .integer, .integer, .text, .integer, .text, .text),
        Statement(
            "audit",
            """
                SELECT \(AuditEntry.columns) FROM audit WHERE \(AuditFilter.conditions) ORDER BY key DESC LIMIT $8
                """, .integer, .integer, .integer, .text, .text, .text, .integer, .integer),
        Statement(
            "audit_anchors",
            "SELECT \(AuditAnchor.columns) FROM audit_anchors"),
        Statement(
            "audit_chain",
            """
            SELECT \(SealedAuditEntry.columns) FROM audit WHERE sequence IS NOT NULL AND (sequence, key) > ($1, $2)
            ORDER BY sequence, key LIMIT $3
            """, .integer, .integer, .integer),
        Statement(
            "audit_list_of_user",
            """
            SELECT \(AuditEntry.columns) FROM audit WHERE local_id = $9 AND \(AuditFilter.conditions)
            ORDER BY key DESC LIMIT $8
            """, .integer, .integer, .integer, .text, .text, .text, .integer, .integer, .text),
        Statement(
            "audit_of_user",
            "SELECT \(AuditEntry.columns) FROM audit WHERE local_id = $1 ORDER BY key DESC LIMIT $2", .text, .integer),
        Statement(
            "audit_of_user_before",
            """
            SELECT \(AuditEntry.columns) FROM audit WHERE local_id = $1 AND key < $2 AND ($3 IS NULL OR actor_kind = $3)
            ORDER BY key DESC LIMIT $4
            """, .text, .integer, .text, .integer),
        Statement(
            "audited_decisions_of_request",
            """
            SELECT \(Decision.columns) FROM decisions
            WHERE key BETWEEN $2 AND $3 AND request_id = $1 AND audited = 1 ORDER BY key DESC LIMIT $4
            """, .text, .integer, .integer, .integer),
        Statement(
            "audited_decisions_of_user",
            """
            SELECT \(Decision.columns) FROM audit JOIN decisions ON decisions.key = audit.key
            WHERE audit.local_id = $1 AND decisions.local_id = $1 AND decisions.audited = 1
            ORDER BY audit.key DESC LIMIT $2
            """, .text, .integer),
        Statement(
            "begin_subject_migration",
            """
            INSERT INTO subject_migrations
                (key, provider, source_issuer, target_issuer, phase, window_seconds, started_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (provider, source_issuer, target_issuer) DO UPDATE SET
                phase = excluded.phase, paused_at = NULL, pause_code = NULL, pause_reason = NULL
            RETURNING \(SubjectMigrationJob.columns)
            """, .integer, .text, .text, .text, .text, .integer, .integer),
        Statement(
            "bump_epoch",
            "UPDATE users SET epoch = epoch + 1, valid_since = $2 WHERE key = $1 RETURNING epoch", .integer, .integer),
        Statement(
            "cancel_identity_removals",
            "UPDATE identities SET removal_at = NULL WHERE user_key = $1 AND removal_at IS NOT NULL", .integer),
        Statement(
            "cause_sums",
            """
            SELECT code, provider, client_id, CAST(sum(count) AS bigint) FROM outcome_counts
            WHERE hour >= $1 AND code <> '' GROUP BY code, provider, client_id
            ORDER BY 4 DESC, code, provider, client_id LIMIT $2
            """, .integer, .integer),
        Statement(
            "client_by_id",
            "SELECT \(Client.columns) FROM clients WHERE id = $1", .text),
        Statement(
            "client_logo",
            "SELECT content FROM client_logos WHERE client_key = $1 AND name = $2", .integer, .text),
        Statement(
            "clients",
            "SELECT \(Client.columns) FROM clients ORDER BY key"),
        Statement(
            "confirm_provider_device",
            """
            UPDATE provider_devices SET secret_hash = $3, sealed_secret = $4, identity_key = $5, used_at = $6,
                claim = NULL, claimed_until = NULL
            WHERE key = $1 AND claim = $2
            """, .integer, .text, .blob, .blob, .integer, .integer),
        Statement(
            "console_administrator",
            "SELECT \(ConsoleAdministrator.columns) FROM console_administrators WHERE key = $1", .integer),
        Statement(
            "console_administrator_by_email",
            """
            SELECT \(ConsoleAdministrator.columns) FROM console_administrators WHERE provider = $1 AND email = $2
            """, .text, .text),
        Statement(
            "console_administrator_by_id",
            "SELECT \(ConsoleAdministrator.columns) FROM console_administrators WHERE id = $1", .text),
        Statement(
            "console_administrator_by_subject",
            """
            SELECT \(ConsoleAdministrator.columns) FROM console_administrators
            WHERE provider = $1 AND issuer = $2 AND subject = $3
            """, .text, .text, .text),
        Statement(
            "console_administrators",
            "SELECT \(ConsoleAdministrator.columns) FROM console_administrators ORDER BY key"),
        Statement(
            "console_session",
            "SELECT \(ConsoleSession.columns) FROM console_sessions WHERE token_hash = $1", .blob),
        Statement(
            "consumed_authorization_code",
            """
            SELECT \(AuthorizationCode.columns) FROM authorization_codes
            WHERE code_hash = $1 AND consumed_at IS NOT NULL
            """, .blob),
        Statement(
            "count_anonymous_users",
            "SELECT count(*) FROM users WHERE \(User.isAnonymousInSQL)"),
        Statement(
            "count_identities_of_issuer",
            "SELECT count(*) FROM identities WHERE provider = $1 AND issuer = $2", .text, .text),
        Statement(
            "count_live_sessions_of_user",
            "SELECT count(*) FROM sessions WHERE user_key = $1 AND revoked_at IS NULL", .integer),
        Statement(
            "count_migrating_subjects",
            "SELECT state, count(*) FROM migrating_subjects WHERE migration_key = $1 GROUP BY state", .integer),
        Statement(
            "count_migration_failures",
            """
            SELECT coalesce(reason, ''), count(*) FROM migrating_subjects
            WHERE migration_key = $1 AND state = 'failed' GROUP BY coalesce(reason, '') ORDER BY 1 LIMIT 20
            """, .integer),
        Statement(
            "count_provider_events",
            """
            SELECT count(*) FROM (
                SELECT key FROM provider_events WHERE provider = $1 AND expires_at > $2 LIMIT $3) AS unexpired
            """, .text, .integer, .integer),
        Statement(
            "count_unsealed_audit",
            "SELECT count(*), min(at) FROM audit WHERE sequence IS NULL"),
        Statement(
            "count_users",
            "SELECT count(*) FROM users"),
        Statement(
            "delete_identity",
            "DELETE FROM identities WHERE key = $1 RETURNING user_key", .integer),
        Statement(
            "delete_transfer",
            "DELETE FROM transfers WHERE role = $1 AND id = $2 AND revision = $3", .text, .text, .integer),
        Statement(
            "delete_user",
            "DELETE FROM users WHERE key = $1", .integer),
        Statement(
            "deliver_account_notices",
            """
            INSERT INTO notice_deliveries (session_key, notice_key, generation, delivered_at)
            SELECT $1, account_notices.key, $3, $4
            FROM account_notices WHERE account_notices.user_key = $2
            ON CONFLICT DO NOTHING
            """, .integer, .integer, .integer, .integer),
        Statement(
            "delivered_account_notices",
            """
            SELECT \(AccountNotice.columns) FROM account_notices
            JOIN notice_deliveries ON notice_deliveries.notice_key = account_notices.key
            WHERE notice_deliveries.session_key = $1 AND notice_deliveries.generation = $2
                AND account_notices.user_key = $3 ORDER BY account_notices.key
            """, .integer, .integer, .integer),
        Statement(
            "deny_device_authorization",
            """
            UPDATE device_authorizations SET decision = 'denied'
            WHERE user_code_hash = $1 AND expires_at > $2 AND decision IS NULL
            """, .blob, .integer),
        Statement(
            "device_authorization_by_device_code",
            "SELECT \(DeviceAuthorizationRow.columns) FROM device_authorizations WHERE device_code_hash = $1", .blob),
        Statement(
            "device_authorization_by_user_code",
            "SELECT \(DeviceAuthorizationRow.columns) FROM device_authorizations WHERE user_code_hash = $1", .blob),
        Statement(
            "disable_webhook",
            """
            UPDATE webhooks SET disabled_at = $2, disabled_reason = $3
            WHERE id = $1 AND disabled_at IS NULL RETURNING \(Webhook.columns)
            """, .text, .integer, .text),
        Statement(
            "dismiss_pending_merge",
            "UPDATE pending_merges SET dismissed_at = $2 WHERE id = $1 AND dismissed_at IS NULL", .text, .integer),
        Statement(
            "dismissed_merge_between",
            """
            SELECT key FROM pending_merges WHERE dismissed_at IS NOT NULL
                AND (survivor_key = $1 AND absorbed_key = $2 OR survivor_key = $2 AND absorbed_key = $1)
            """, .integer, .integer),
        Statement(
            "due_identity_removals",
            """
            SELECT \(Identity.columns) FROM identities WHERE removal_at IS NOT NULL AND removal_at <= $1
            ORDER BY removal_at LIMIT $2
            """, .integer, .integer),
        Statement(
            "enable_webhook",
            """
            UPDATE webhooks SET disabled_at = NULL, disabled_reason = NULL
            WHERE id = $1 AND disabled_at IS NOT NULL RETURNING \(Webhook.columns)
            """, .text),
        Statement(
            "enlist_migrating_subjects",
            """
            INSERT INTO migrating_subjects (migration_key, identity_key, subject, state, changed_at)
            SELECT $1, identities.key, identities.subject, 'pending', $2 FROM identities
            WHERE identities.provider = $3 AND identities.issuer = $4 AND identities.key > $5 AND identities.key <= $6
                AND NOT EXISTS (
                    SELECT 1 FROM migrating_subjects AS listed
                    WHERE listed.migration_key = $1 AND listed.identity_key = identities.key)
            ON CONFLICT DO NOTHING
            """, .integer, .integer, .text, .text, .integer, .integer),
        Statement(
            "erasures",
            """
            SELECT key, local_id, at FROM audit WHERE event = 'user.deleted' AND key > $1 AND local_id IS NOT NULL
            ORDER BY key LIMIT $2
            """, .integer, .integer),
        Statement(
            "event_subscriptions",
            """
            SELECT id, events FROM webhooks WHERE disabled_at IS NULL
            UNION ALL SELECT '', '' WHERE EXISTS (SELECT 1 FROM clients WHERE backchannel_logout_uri IS NOT NULL)
            """),
        Statement(
            "every_pending_merge",
            "SELECT \(PendingMerge.columns) FROM pending_merges ORDER BY key LIMIT $1", .integer),
        Statement(
            "expire_grants_of_identity",
            """
            UPDATE provider_grants SET expires_at = $2
            WHERE identity_key = $1 AND obtained_at <= $2 AND (expires_at IS NULL OR expires_at > $2)
            """, .integer, .integer),
        Statement(
            "expire_service_account_keys",
            """
            UPDATE service_account_keys SET expires_at = $2
            WHERE account_key = $1 AND coalesce(expires_at, $2 + 1) > $2
            """, .integer, .integer),
        Statement(
            "first_audit_of_identity",
            """
            SELECT \(AuditEntry.columns) FROM audit WHERE local_id = $1 AND key >= $2 AND subject_hash = $3
            ORDER BY key LIMIT 1
            """, .text, .integer, .text),
        Statement(
            "first_identity_of_issuer",
            "SELECT \(Identity.columns) FROM identities WHERE provider = $1 AND issuer = $2 ORDER BY key LIMIT 1", .text, .text),
        Statement(
            "first_session",
            "SELECT created_at FROM sessions ORDER BY key LIMIT 1"),
        Statement(
            "first_time_profile",
            """
            SELECT \(FirstTimeProfile.columns)
            FROM first_time_profiles WHERE provider = $1 AND issuer = $2 AND subject = $3
            """, .text, .text, .text),
        Statement(
            "forget_addresses_of_sessions",
            """
            UPDATE sessions SET address = NULL
            WHERE key > $1 AND key <= $2 AND address IS NOT NULL AND \(Session.latestUse) <= $3
            """, .integer, .integer, .integer),
        Statement(
            "forget_failed_probes",
            """
            UPDATE provider_grants SET probe_result = NULL
            WHERE provider = $1 AND probe_result IN ('refused', 'client-refused')
            """, .text),
        Statement(
            "forget_identity_of_sessions",
            "UPDATE sessions SET identity_key = NULL WHERE user_key = $1 AND identity_key = $2", .integer, .integer),
        Statement(
            "forget_provider_device",
            "DELETE FROM provider_devices WHERE key = $1 AND secret_hash = $2", .integer, .blob),
        Statement(
            "grant_of_client",
            "SELECT \(ProviderGrant.columns) FROM provider_grants WHERE identity_key = $1 AND client_id = $2", .integer, .text),
        Statement(
            "grants_due_for_probe",
            """
            SELECT \(ProviderGrant.columns) FROM provider_grants
            WHERE provider = $1 AND (\(ProviderGrant.confirmedAt)) <= $2 AND sealed_refresh_token IS NOT NULL
                AND \(ProviderGrant.isNotMarked)
            ORDER BY \(ProviderGrant.confirmedAt), key LIMIT $3
            """, .text, .integer, .integer),
        Statement(
            "grants_of_user",
            """
            SELECT \(ProviderGrant.columns) FROM provider_grants
            JOIN identities ON identities.key = provider_grants.identity_key
            WHERE identities.user_key = $1 ORDER BY provider_grants.key
            """, .integer),
        Statement(
            "grants_refused_by_probe",
            """
            SELECT \(ProviderGrant.columns) FROM provider_grants
            WHERE provider = $1 AND probe_result = 'refused' AND probed_at <= $2 AND probed_version = version
                AND \(ProviderGrant.isNotMarked)
            ORDER BY probed_at, key LIMIT $3
            """, .text, .integer, .integer),
        Statement(
            "holder_of_identity_key",
            """
            SELECT \(User.columns), \(Identity.columns), (
                SELECT count(*) FROM identities AS others WHERE others.user_key = identities.user_key)
            FROM identities JOIN users ON users.key = identities.user_key
            WHERE identities.key = \(IdentityKey.lookup)
            """, .text, .text, .text),
        Statement(
            "identities_of_user",
            "SELECT \(Identity.columns) FROM identities WHERE user_key = $1 ORDER BY key", .integer),
        Statement(
            "identities_of_user_page",
            """
            SELECT \(Identity.columns) FROM identities
            WHERE user_key IN (SELECT users.key FROM users WHERE \(UserPage.range)) ORDER BY key
            """, .text, .text),
        Statement(
            "identity_by_identity_key",
            "SELECT \(Identity.columns) FROM identities WHERE identities.key = \(IdentityKey.lookup)", .text, .text, .text),
        Statement(
            "identity_by_key",
            "SELECT \(Identity.columns) FROM identities WHERE key = $1", .integer),
        Statement(
            "insert_client_logo",
            """
                INSERT INTO client_logos (client_key, name, content) VALUES ($1, $2, $3)
                ON CONFLICT (client_key, name) DO NOTHING
                """, .integer, .text, .blob),
        Statement(
            "insert_identity",
            """
        INSERT INTO identities (\(Identity.columnNames))
        SELECT \(Identity.parameters) WHERE NOT EXISTS (
            SELECT 1 FROM identity_aliases WHERE provider = $3 AND issuer = $4 AND subject = $5)
        ON CONFLICT DO NOTHING
        """, parameters: RecordStatements(Identity.table).insertion.parameters),
        Statement(
            "insert_pending_merge",
            """
        INSERT INTO pending_merges (\(PendingMerge.columnNames)) SELECT \(PendingMerge.parameters) WHERE NOT EXISTS (
            SELECT 1 FROM pending_merges AS other WHERE other.survivor_key = $4 AND other.absorbed_key = $3)
        ON CONFLICT DO NOTHING
        """, parameters: RecordStatements(PendingMerge.table).insertion.parameters),
        Statement(
            "insert_setting",
            "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING", .text, .blob),
        Statement(
            "insert_transfer",
            """
            INSERT INTO transfers (role, id, phase, other, table_name, row_key, revision, changed_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING
            """, .text, .text, .text, .text, .text, .text, .integer, .integer),
        Statement(
            "insert_used_id_token",
            """
        INSERT INTO used_id_tokens (\(UsedIDToken.columnNames)) VALUES (\(UsedIDToken.parameters))
        ON CONFLICT (token_hash) DO NOTHING
        """, parameters: RecordStatements(UsedIDToken.table).insertion.parameters),
        Statement(
            "keep_first_time_profile",
            """
            INSERT INTO first_time_profiles (\(FirstTimeProfile.columnNames)) VALUES (\(FirstTimeProfile.parameters))
            ON CONFLICT (provider, issuer, subject) DO UPDATE SET
                given_name = coalesce(excluded.given_name, first_time_profiles.given_name),
                family_name = coalesce(excluded.family_name, first_time_profiles.family_name),
                email_verified = CASE WHEN excluded.email IS NULL THEN first_time_profiles.email_verified
                    ELSE excluded.email_verified END,
                email = coalesce(excluded.email, first_time_profiles.email),
                captured_at = excluded.captured_at
            """, .integer, .text, .text, .text, .text, .text, .text, .integer, .integer),
        Statement(
            "keep_sign_in_response",
            """
            UPDATE sign_in_attempts SET handle_hash = $3, sealed_response = $4
            WHERE state_hash = $1 AND provider = $5 AND consumed_at IS NULL AND expires_at > $2
            """, .blob, .integer, .blob, .blob, .text),
        Statement(
            "key_holders",
            "SELECT holder, key_ids, sealing, seen_at, version, host FROM key_holders WHERE seen_at > $1 ORDER BY holder", .integer),
        Statement(
            "last_erasure",
            "SELECT max(at) FROM audit WHERE local_id = $1 AND event = 'user.deleted'", .text),
        Statement(
            "last_identity_to_enlist",
            """
            SELECT max(page.key) FROM (
                SELECT identities.key FROM identities WHERE provider = $1 AND issuer = $2 AND key > $3 AND NOT EXISTS (
                    SELECT 1 FROM migrating_subjects AS listed
                    WHERE listed.migration_key = $5 AND listed.identity_key = identities.key)
                ORDER BY identities.key LIMIT $4
            ) AS page
            """, .text, .text, .integer, .integer, .integer),
        Statement(
            "last_refresh_of_user",
            """
            SELECT coalesce(max(coalesce(last_used_at, rotated_at)), 0) FROM sessions
            WHERE user_key = $1 AND coalesce(family, '') <> 'web'
            """, .integer),
        Statement(
            "last_refreshes_of_user_page",
            """
            SELECT user_key, max(coalesce(last_used_at, rotated_at)) FROM sessions
            WHERE coalesce(last_used_at, rotated_at) IS NOT NULL AND coalesce(family, '') <> 'web'
                AND user_key IN (SELECT users.key FROM users WHERE \(UserPage.range))
            GROUP BY user_key
            """, .text, .text),
        Statement(
            "last_sealed_audit",
            """
            SELECT \(SealedAuditEntry.columns) FROM audit WHERE sequence IS NOT NULL
            ORDER BY sequence DESC, key DESC LIMIT 1
            """),
        Statement(
            "latest_withdrawal_of_subject",
            """
            SELECT \(Withdrawal.columns) FROM withdrawals
            WHERE subject_hash = $1 AND provider = $2 AND issuer = $3 AND created_at >= $4 AND state <> 'dropped'
            ORDER BY key DESC LIMIT 1
            """, .text, .text, .text, .integer),
        Statement(
            "lease",
            "SELECT holder, expires_at, position FROM leases WHERE name = $1", .text),
        Statement(
            "lease_grant",
            """
            UPDATE provider_grants SET lease_holder = $3, lease_until = $4, attempted_version = $2
            WHERE key = $1 AND version = $2 AND (lease_holder IS NULL OR lease_until <= $5 OR lease_until > $6)
            """, .integer, .integer, .text, .integer, .integer, .integer),
        Statement(
            "limit_sessions_of_user",
            """
                UPDATE sessions SET revoked_at = $3, revoked_reason = $4 WHERE key IN (
                    SELECT key FROM sessions WHERE user_key = $1 AND revoked_at IS NULL AND id <> $5
                    ORDER BY \(Session.latestUse) DESC, key DESC LIMIT 1000 OFFSET $2)
                RETURNING \(EndedSession.columns)
                """, .integer, .integer, .integer, .text, .text),
        Statement(
            "live_sessions_of_user",
            """
            SELECT count(*) FROM sessions WHERE user_key = $1 AND revoked_at IS NULL
                AND \(Session.isWaitingOrLive(inEpoch: "$2"))
            """, .integer, .integer),
        Statement(
            "live_sessions_to_end",
            """
            SELECT \(EndedSession.columns) FROM sessions WHERE user_key = $1 AND revoked_at IS NULL
                AND epoch = (SELECT users.epoch FROM users WHERE users.key = sessions.user_key) ORDER BY key
            """, .integer),
        Statement(
            "logout_client",
            "SELECT id FROM clients WHERE id = $1 AND backchannel_logout_uri IS NOT NULL", .text),
        Statement(
            "mark_identity_consent",
            "UPDATE identities SET consent_revoked_at = $2 WHERE key = $1", .integer, .integer),
        Statement(
            "master_keys",
            "SELECT \(MasterKeyRow.columns) FROM master_keys ORDER BY key"),
        Statement(
            "merge_snapshot",
            "SELECT \(MergeSnapshot.columns) FROM merge_snapshots WHERE id = $1 AND expires_at > $2", .text, .integer),
        Statement(
            "merge_snapshots",
            "SELECT \(MergeSnapshot.columns) FROM merge_snapshots WHERE expires_at > $1 ORDER BY key LIMIT $2", .integer, .integer),
        Statement(
            "merge_snapshots_of_user",
            """
            SELECT \(MergeSnapshot.columns) FROM merge_snapshots
            WHERE survivor_key = $1 AND provider = $2 AND expires_at > $3 ORDER BY key LIMIT $4
            """, .integer, .text, .integer, .integer),
        Statement(
            "migrating_subject_by_transfer_subject",
            """
            SELECT \(MigratingSubject.columns), \(SubjectMigrationJob.columns) FROM migrating_subjects
            JOIN subject_migrations ON subject_migrations.key = migrating_subjects.migration_key
            WHERE migrating_subjects.transfer_subject = $1 AND subject_migrations.provider = $2
                AND (subject_migrations.target_issuer = $3 OR subject_migrations.source_issuer = $3)
            ORDER BY subject_migrations.key LIMIT 1
            """, .text, .text, .text),
        Statement(
            "migrating_subject_of_identity",
            """
            SELECT \(MigratingSubject.columns) FROM migrating_subjects WHERE migration_key = $1 AND identity_key = $2
            """, .integer, .integer),
        Statement(
            "migrating_subjects",
            """
                SELECT \(MigratingSubject.columns) FROM migrating_subjects
                WHERE migration_key = $1 AND identity_key > $2 ORDER BY identity_key LIMIT $3
                """, .integer, .integer, .integer),
        Statement(
            "migrating_subjects_in_state",
            """
            SELECT \(MigratingSubject.columns) FROM migrating_subjects
            WHERE migration_key = $1 AND state = $2 AND identity_key > $3 ORDER BY identity_key LIMIT $4
            """, .integer, .text, .integer, .integer),
        Statement(
            "move_child_sessions",
            "UPDATE sessions SET parent_id = $2 WHERE parent_id = $1", .text, .text),
        Statement(
            "move_codes_of_session",
            "UPDATE authorization_codes SET parent_id = $2 WHERE parent_id = $1 AND consumed_at IS NULL", .text, .text),
        Statement(
            "move_devices_of_session",
            "UPDATE device_authorizations SET parent_id = $2 WHERE parent_id = $1 AND consumed_at IS NULL", .text, .text),
        Statement(
            "move_identity",
            "UPDATE identities SET user_key = $3 WHERE key = $1 AND user_key = $2", .integer, .integer, .integer),
        Statement(
            "move_merged_sessions",
            """
            UPDATE sessions SET user_key = $3, identity_key = $5, merged_at = $6, acr = NULL,
                epoch = CASE WHEN family IS NULL THEN $4 ELSE \(Session.waitingEpoch(ofSQL: "$4")) END,
                merged_from = CASE WHEN family IS NULL THEN NULL ELSE coalesce(merged_from, $12) END
            WHERE user_key = $1 AND identity_key = $2 AND revoked_at IS NULL
                AND (family IS NULL AND epoch = $7 AND \(Session.latestUse) >= $8 AND created_at >= $9
                    OR family = 'oauth' AND \(Session.isWaitingOrLive(inEpoch: "$7"))
                        AND \(Session.latestUse) >= $10 AND created_at >= $11
                        AND client_id IN (SELECT clients.id FROM clients WHERE clients.first_party = 1))
            """, .integer, .integer, .integer, .integer, .integer, .integer, .integer, .integer, .integer, .integer, .integer, .text),
        Statement(
            "next_event_sequence",
            """
            INSERT INTO event_sequences (local_id, last, ended_at) VALUES ($1, 1, $2)
            ON CONFLICT (local_id) DO UPDATE SET last = event_sequences.last + 1, ended_at = excluded.ended_at
            RETURNING last
            """, .text, .integer),
        Statement(
            "note_app_transfer",
            "UPDATE subject_migrations SET transferred_at = $2 WHERE key = $1 AND transferred_at IS NULL", .integer, .integer),
        Statement(
            "only_way_in_of_provider",
            """
            SELECT count(*) FROM identities AS own WHERE own.provider = $1
                AND NOT EXISTS (SELECT 1 FROM users WHERE users.key = own.user_key AND users.custom_auth = 1)
                AND NOT EXISTS (
                    SELECT 1 FROM identities AS other WHERE other.user_key = own.user_key AND other.provider <> $1
                    AND replace($2, ',' || other.provider || ',', '') <> $2)
            """, .text, .text),
        Statement(
            "open_pending_merges",
            "SELECT \(PendingMerge.columns) FROM pending_merges WHERE dismissed_at IS NULL ORDER BY key LIMIT $1", .integer),
        Statement(
            "open_sign_in_attempts",
            """
            SELECT \(SignInAttemptRow.columns) FROM sign_in_attempts
            WHERE requester >= $1 AND requester < $2 AND purpose = $3 AND consumed_at IS NULL AND expires_at > $4
            ORDER BY key LIMIT $5
            """, .text, .text, .text, .integer, .integer),
        Statement(
            "other_decisions_of_request",
            """
            SELECT \(Decision.columns) FROM decisions WHERE request_id = $1 AND audited = 0 ORDER BY key DESC LIMIT $2
            """, .text, .integer),
        Statement(
            "other_decisions_of_user",
            """
            SELECT \(Decision.columns) FROM decisions WHERE local_id = $1 AND audited = 0 AND local_id IS NOT NULL
            ORDER BY key DESC LIMIT $2
            """, .text, .integer),
        Statement(
            "pause_probes",
            """
            INSERT INTO probe_pauses (provider, paused_at, probes, failures) VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING
            """, .text, .integer, .integer, .integer),
        Statement(
            "pause_subject_migration",
            "UPDATE subject_migrations SET paused_at = $2, pause_code = $3, pause_reason = $4 WHERE key = $1", .integer, .integer, .text, .text),
        Statement(
            "pending_merge",
            "SELECT \(PendingMerge.columns) FROM pending_merges WHERE id = $1", .text),
        Statement(
            "poll_device_authorization",
            """
            UPDATE device_authorizations SET last_polled_at = $2,
                polled_early = CASE WHEN last_polled_at + poll_interval * 1000 - 1000 > $2 THEN 1 ELSE 0 END,
                poll_interval = CASE WHEN last_polled_at + poll_interval * 1000 - 1000 > $2 AND poll_interval < 60
                    THEN poll_interval + 5 ELSE poll_interval END
            WHERE device_code_hash = $1 AND purpose = 'client' AND party = $3 AND consumed_at IS NULL
                AND (decision IS NOT NULL OR polled_early = 0 OR last_polled_at + poll_interval * 1000 - 1000 <= $2)
            RETURNING \(DeviceAuthorizationRow.columns)
            """, .blob, .integer, .text),
        Statement(
            "polled_device_authorization",
            """
            SELECT \(DeviceAuthorizationRow.columns) FROM device_authorizations
            WHERE device_code_hash = $1 AND purpose = 'client' AND party = $2 AND consumed_at IS NULL
            """, .blob, .text),
        Statement(
            "probe_counts",
            """
            SELECT count(*), coalesce(sum(CASE WHEN probe_result = 'valid' THEN 0 ELSE 1 END), 0) FROM provider_grants
            WHERE provider = $1 AND (\(ProviderGrant.confirmedAt)) > $2 AND probed_at > $2
                AND probe_result IN ('valid', 'refused', 'client-refused')
            """, .text, .integer),
        Statement(
            "probe_pauses",
            "SELECT provider, paused_at, probes, failures FROM probe_pauses ORDER BY provider"),
        Statement(
            "provider_device",
            "SELECT \(ProviderDevice.columns) FROM provider_devices WHERE provider = $1 AND device_hash = $2", .text, .blob),
        Statement(
            "provider_entries",
            "SELECT \(StoredProviderEntry.columns) FROM provider_entries ORDER BY key"),
        Statement(
            "provider_feed",
            "SELECT cursor, polled_at FROM provider_feeds WHERE provider = $1", .text),
        Statement(
            "provider_sums",
            """
            SELECT provider, \(SignInSum.columns) FROM outcome_counts WHERE hour >= $1 AND provider <> ''
            GROUP BY provider ORDER BY 3 DESC, 2 DESC, provider LIMIT $2
            """, .integer, .integer),
        Statement(
            "providers_of_users",
            """
        SELECT user_key, provider, anonymous FROM identities
        WHERE user_key IN (\((1...UserSearch.maximumLimit).map { "$\($0)" }.joined(separator: ", "))) ORDER BY key
        """, parameters: Array(repeating: .integer, count: UserSearch.maximumLimit)),
        Statement(
            "public_redirect_uris",
            "SELECT redirect_uris FROM clients WHERE type = 'public' ORDER BY key"),
        Statement(
            "put_audit_anchor",
            """
            INSERT INTO audit_anchors (\(AuditAnchor.columnNames)) VALUES (\(AuditAnchor.parameters))
            ON CONFLICT (name) DO UPDATE SET sequence = excluded.sequence, seal = excluded.seal, at = excluded.at,
                key_id = excluded.key_id, signature = excluded.signature
            """, .text, .integer, .blob, .integer, .text, .blob),
        Statement(
            "put_key_holder",
            """
            INSERT INTO key_holders (holder, key_ids, sealing, seen_at, version, host) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (holder) DO UPDATE SET sealing = excluded.sealing, seen_at = excluded.seen_at
            """, .text, .text, .text, .integer, .text, .text),
        Statement(
            "put_master_key",
            """
            INSERT INTO master_keys (\(MasterKeyRow.columnNames)) VALUES (\(MasterKeyRow.parameters))
            ON CONFLICT (id) DO UPDATE SET began_at = excluded.began_at, ended_at = excluded.ended_at,
                rewrapped_at = excluded.rewrapped_at, compromised_at = excluded.compromised_at
            """, .integer, .text, .blob, .integer, .integer, .integer, .integer),
        Statement(
            "put_outcome_count",
            """
            INSERT INTO outcome_counts (\(OutcomeCount.columnNames)) VALUES (\(OutcomeCount.parameters))
            ON CONFLICT (hour, code, provider, client_id, holder) DO UPDATE SET count = CASE
                WHEN excluded.count > outcome_counts.count THEN excluded.count ELSE outcome_counts.count END
            """, .integer, .text, .text, .text, .text, .integer),
        Statement(
            "put_rate_count",
            """
            INSERT INTO rate_counts (name, key_hash, window_start, holder, count, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (name, key_hash, window_start, holder) DO UPDATE SET count = excluded.count
            """, .text, .blob, .integer, .text, .integer, .integer),
        Statement(
            "put_subject_mapping",
            """
            INSERT INTO subject_mappings (provider, version, instance, subject_rule, issuer, in_force, created_at)
            VALUES ($1, $2, $3, $4, $5, 1, $6)
            ON CONFLICT (provider, version) DO UPDATE SET instance = excluded.instance,
                subject_rule = excluded.subject_rule, issuer = excluded.issuer, in_force = 1
            """, .text, .integer, .text, .text, .text, .integer),
        Statement(
            "rate_count_exists",
            "SELECT name FROM rate_counts WHERE name = $1 AND expires_at > $2 LIMIT 1", .text, .integer),
        Statement(
            "rate_counts_of_others",
            """
            SELECT name, key_hash, window_start, CAST(sum(count) AS bigint) FROM rate_counts
            WHERE holder <> $1 AND expires_at > $2 GROUP BY name, key_hash, window_start
            ORDER BY 4 DESC LIMIT $3
            """, .text, .integer, .integer),
        Statement(
            "reclaim_provider_device",
            """
            UPDATE provider_devices SET claim = $3, claimed_until = $4
            WHERE key = $1 AND secret_hash IS NULL AND claimed_until <= $2
            """, .integer, .integer, .text, .integer),
        Statement(
            "record_custom_auth",
            "UPDATE users SET custom_auth = 1 WHERE key = $1", .integer),
        Statement(
            "record_initial_email",
            "UPDATE users SET initial_email = $2 WHERE key = $1 AND initial_email IS NULL", .integer, .text),
        Statement(
            "record_login_of_session",
            """
            UPDATE sessions SET sign_in_provider = $2, auth_time = $3, amr = $4, identity_key = $5, merged_at = $6
            WHERE id = $1 AND revoked_at IS NULL
            """, .text, .text, .integer, .text, .integer, .integer),
        Statement(
            "record_probe_of_grant",
            """
            UPDATE provider_grants SET probed_at = $3, probed_version = $2, probe_result = $4
            WHERE key = $1 AND version = $2
            """, .integer, .integer, .integer, .text),
        Statement(
            "record_refresh",
            "UPDATE users SET last_refresh_at = $2 WHERE key = $1", .integer, .integer),
        Statement(
            "record_sign_in",
            """
            UPDATE users SET last_login_at = $2, last_refresh_at = $2 WHERE key = $1
            RETURNING (
                SELECT count(*) FROM sessions WHERE sessions.user_key = users.key AND sessions.revoked_at IS NULL),
                (SELECT count(*) FROM account_notices WHERE account_notices.user_key = users.key)
            """, .integer, .integer),
        Statement(
            "record_use_of_session",
            """
            UPDATE sessions SET last_used_at = $2
            WHERE id = $1 AND revoked_at IS NULL AND \(Session.latestUse) < $2
            """, .text, .integer),
        Statement(
            "record_visit_of_session",
            """
            UPDATE sessions SET last_used_at = $2, user_agent = $3, address = $4
            WHERE id = $1 AND revoked_at IS NULL AND \(Session.latestUse) <= $5
            """, .text, .integer, .text, .text, .integer),
        Statement(
            "recorded_migrations",
            "SELECT version FROM schema_migrations ORDER BY version"),
        Statement(
            "refresh_identity_profile",
            """
            UPDATE identities SET display_name = $2, photo_url = $3, screen_name = $4, profile = $5,
                last_sign_in_at = $6, anonymous = $7, was_anonymous = $8, email_verified = $9,
                consent_revoked_at = NULL, removal_at = NULL, imported_at = $10
            WHERE key = $1
            """, .integer, .text, .text, .text, .text, .integer, .integer, .integer, .integer, .integer),
        Statement(
            "refusal_of_request",
            "SELECT \(RecordedRefusal.columns) FROM refusals WHERE request_id = $1 ORDER BY key DESC LIMIT 1", .text),
        Statement(
            "refusals_before",
            """
            SELECT \(RecordedRefusal.columns) FROM refusals
            WHERE key < $1 AND ($2 IS NULL OR code = $2) AND ($3 IS NULL OR provider = $3)
                AND ($4 IS NULL OR client_id = $4)
            ORDER BY key DESC LIMIT $5
            """, .integer, .text, .text, .text, .integer),
        Statement(
            "refusals_of_user_before",
            """
            SELECT \(Decision.columns) FROM decisions
            WHERE local_id = $1 AND audited = 0 AND local_id IS NOT NULL AND key < $2
                AND substr(outcome, 1, length($3)) = $3
            ORDER BY key DESC LIMIT $4
            """, .text, .integer, .text, .integer),
        Statement(
            "refuse_grant",
            """
            UPDATE provider_grants SET refused_at = $3, refused_version = $2, refused_reason = $4
            WHERE key = $1 AND version = $2 AND coalesce(refused_version, -1) <> $2
            """, .integer, .integer, .integer, .text),
        Statement(
            "refuse_signature_key",
            """
            INSERT INTO refused_signature_keys (provider, key_id, refused_at) VALUES ($1, $2, $3)
            ON CONFLICT (provider, key_id) DO NOTHING
            """, .text, .text, .integer),
        Statement(
            "refused_signature_key",
            "SELECT refused_at FROM refused_signature_keys WHERE provider = $1 AND key_id = $2", .text, .text),
        Statement(
            "release_email",
            """
            UPDATE users SET email = NULL, email_canonical = NULL, email_verified = 0, email_asserted_by = NULL,
                email_asserted_at = NULL
            WHERE key = $1
            """, .integer),
        Statement(
            "release_grant",
            """
            UPDATE provider_grants SET lease_holder = NULL, lease_until = NULL WHERE key = $1 AND lease_holder = $2
            """, .integer, .text),
        Statement(
            "release_lease",
            "UPDATE leases SET expires_at = $3 WHERE name = $1 AND holder = $2", .text, .text, .integer),
        Statement(
            "release_provider_device",
            "DELETE FROM provider_devices WHERE key = $1 AND claim = $2", .integer, .text),
        Statement(
            "remove_aged_account_notices",
            """
            DELETE FROM account_notices WHERE key IN (
                SELECT key FROM account_notices WHERE created_at <= $1 ORDER BY key LIMIT $2)
            """, .integer, .integer),
        Statement(
            "remove_aged_decisions",
            """
            DELETE FROM decisions WHERE key IN (
                SELECT key FROM decisions WHERE key < $1 AND at <= $2 ORDER BY key LIMIT $3)
            """, .integer, .integer, .integer),
        Statement(
            "remove_aged_outcome_counts",
            """
            DELETE FROM outcome_counts WHERE (hour, code, provider, client_id, holder) IN (
                SELECT hour, code, provider, client_id, holder FROM outcome_counts WHERE hour <= $1
                ORDER BY hour LIMIT $2)
            """, .integer, .integer),
        Statement(
            "remove_aged_sessions",
            "DELETE FROM sessions WHERE key > $1 AND \(SessionAges.condition) AND key <= $5", .integer, .integer, .integer, .integer, .integer, .text),
        Statement(
            "remove_client",
            "DELETE FROM clients WHERE id = $1", .text),
        Statement(
            "remove_client_logos",
            "DELETE FROM client_logos WHERE client_key = $1 AND name <> $2 AND name <> $3", .integer, .text, .text),
        Statement(
            "remove_console_administrator",
            "DELETE FROM console_administrators WHERE id = $1 RETURNING \(ConsoleAdministrator.columns)", .text),
        Statement(
            "remove_console_session",
            "DELETE FROM console_sessions WHERE token_hash = $1", .blob),
        Statement(
            "remove_earlier_refusals",
            """
            DELETE FROM refusals WHERE key <= (SELECT key FROM refusals ORDER BY key DESC LIMIT 1 OFFSET $1)
            """, .integer),
        Statement(
            "remove_ended_event_sequences",
            """
            DELETE FROM event_sequences WHERE local_id IN (
                SELECT local_id FROM event_sequences WHERE ended_at <= $1 ORDER BY ended_at LIMIT $2)
            """, .integer, .integer),
        Statement(
            "remove_expired_merge_snapshots",
            """
            DELETE FROM merge_snapshots WHERE key IN (
                SELECT key FROM merge_snapshots WHERE expires_at <= $1 ORDER BY key LIMIT $2)
            """, .integer, .integer),
        Statement(
            "remove_expired_provider_events",
            """
            DELETE FROM provider_events WHERE key IN (
                SELECT key FROM provider_events WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)
            """, .integer, .integer),
        Statement(
            "remove_expired_service_account_keys",
            "DELETE FROM service_account_keys WHERE account_key = $1 AND expires_at <= $2", .integer, .integer),
        Statement(
            "remove_expired_used_id_tokens",
            "DELETE FROM used_id_tokens WHERE token_hash > $1 AND token_hash <= $2 AND expires_at <= $3", .blob, .blob, .integer),
        Statement(
            "remove_first_time_profile",
            "DELETE FROM first_time_profiles WHERE provider = $1 AND issuer = $2 AND subject = $3", .text, .text, .text),
        Statement(
            "remove_first_time_profiles_of_user",
            """
            DELETE FROM first_time_profiles WHERE EXISTS (
                SELECT 1 FROM identities WHERE identities.user_key = $1
                    AND identities.provider = first_time_profiles.provider
                    AND identities.issuer = first_time_profiles.issuer
                    AND identities.subject = first_time_profiles.subject)
            """, .integer),
        Statement(
            "remove_grants_of_identity",
            "DELETE FROM provider_grants WHERE identity_key = $1 AND obtained_at <= $2", .integer, .integer),
        Statement(
            "remove_identities_of_user",
            "DELETE FROM identities WHERE user_key = $1", .integer),
        Statement(
            "remove_identity_alias",
            """
                DELETE FROM identity_aliases WHERE provider = $1 AND issuer = $2 AND subject = $3 AND identity_key = $4
                RETURNING \(IdentityKey.userOfAlias)
                """, .text, .text, .text, .integer),
        Statement(
            "remove_key_holder",
            "DELETE FROM key_holders WHERE holder = $1", .text),
        Statement(
            "remove_merge_notices",
            """
            DELETE FROM account_notices
            WHERE user_key = $1 AND kind IN ('merged-from', 'unmerged') AND value = $2
            """, .integer, .text),
        Statement(
            "remove_merge_snapshot",
            "DELETE FROM merge_snapshots WHERE id = $1", .text),
        Statement(
            "remove_merge_snapshots_of_absorbed",
            "DELETE FROM merge_snapshots WHERE absorbed_local_id = $1", .text),
        Statement(
            "remove_old_console_sessions",
            "DELETE FROM console_sessions WHERE created_at < $1 OR last_used_at < $2", .integer, .integer),
        Statement(
            "remove_provider_device_claims",
            """
            DELETE FROM provider_devices WHERE key IN (
                SELECT key FROM provider_devices WHERE claimed_until <= $1 ORDER BY key LIMIT $2)
            """, .integer, .integer),
        Statement(
            "remove_provider_entry",
            "DELETE FROM provider_entries WHERE id = $1", .text),
        Statement(
            "remove_rate_counts",
            "DELETE FROM rate_counts WHERE expires_at <= $1", .integer),
        Statement(
            "remove_replaced_wrapped_keys",
            """
            DELETE FROM wrapped_keys WHERE purpose <> $2 AND EXISTS (
                SELECT 1 FROM wrapped_keys AS later WHERE later.purpose = wrapped_keys.purpose
                    AND later.generation > wrapped_keys.generation AND later.activates_at <= $1)
            """, .integer, .text),
        Statement(
            "remove_sealed_audit",
            "DELETE FROM audit WHERE sequence IS NOT NULL AND sequence <= $1", .integer),
        Statement(
            "remove_silent_key_holders",
            "DELETE FROM key_holders WHERE seen_at <= $1", .integer),
        Statement(
            "remove_user_alias",
            "DELETE FROM user_aliases WHERE local_id = $1 RETURNING user_key", .text),
        Statement(
            "remove_webhook",
            "DELETE FROM webhooks WHERE id = $1", .text),
        Statement(
            "remove_words_of_user",
            "DELETE FROM user_words WHERE user_key = $1 AND word IN (\(UserWordStatements.parameters.joined(separator: ", ")))",
        parameters: UserWordStatements.types),
        Statement(
            "remove_wrapped_keys_of_purpose",
            "DELETE FROM wrapped_keys WHERE purpose = $1", .text),
        Statement(
            "renew_lease",
            """
            UPDATE leases SET expires_at = $3, position = coalesce($4, position) WHERE name = $1 AND holder = $2
            """, .text, .text, .integer, .integer),
        Statement(
            "replace_identity_subject",
            """
                UPDATE identities SET issuer = $2, subject = $3, email = $4, email_verified = $5, profile = $6
                WHERE key = $1 AND NOT EXISTS (
                    SELECT 1 FROM identity_aliases AS alias
                    WHERE alias.provider = identities.provider AND alias.issuer = $2 AND alias.subject = $3)
                    AND NOT EXISTS (
                    SELECT 1 FROM identities AS other
                    WHERE other.provider = identities.provider AND other.issuer = $2 AND other.subject = $3)
                RETURNING user_key
                """, .integer, .text, .text, .text, .integer, .text),
        Statement(
            "replace_user",
            """
        UPDATE users SET \(User.replaced.enumerated().map { "\($1.name) = $\($0 + 2)" }.joined(separator: ", "))
        WHERE key = $1
        """, parameters: [.integer] + User.replaced.map(\.type)),
        Statement(
            "resume_merged_session",
            """
            UPDATE sessions SET generation = generation + 1, rotated_at = $4, last_used_at = $4, merged_from = NULL,
                epoch = \(Session.waitingEpoch(ofSQL: "epoch"))
            WHERE key = $1 AND generation = $2 AND merged_from = $3 AND revoked_at IS NULL
                AND \(Session.latestUse) >= $5 AND created_at >= $6
                AND (SELECT CASE WHEN users.disabled = 0 AND users.local_id = $7
                        THEN \(Session.waitingEpoch(ofSQL: "users.epoch")) END
                    FROM users WHERE users.key = sessions.user_key) = epoch
            """, .integer, .integer, .text, .integer, .integer, .integer, .text),
        Statement(
            "resume_probes",
            "DELETE FROM probe_pauses WHERE provider = $1", .text),
        Statement(
            "retire_subject_mappings",
            "UPDATE subject_mappings SET in_force = 0 WHERE provider = $1 AND in_force = 1", .text),
        Statement(
            "retry_migrating_subjects",
            """
            UPDATE migrating_subjects SET reason = NULL, state = CASE
                WHEN new_subject IS NOT NULL THEN 'exchanged' WHEN transfer_subject IS NOT NULL THEN 'prepared'
                ELSE 'pending' END
            WHERE migration_key = $1 AND state = 'failed' AND (CAST($2 AS text) IS NULL OR reason = $2)
            """, .integer, .text),
        Statement(
            "revoke_admin_credential",
            """
            UPDATE admin_credentials SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL
            RETURNING \(AdminCredential.columns)
            """, .text, .integer),
        Statement(
            "revoke_child_sessions",
            """
                UPDATE sessions SET revoked_at = $2, revoked_reason = $3
                WHERE parent_id = $1 AND revoked_at IS NULL RETURNING \(EndedSession.columns)
                """, .text, .integer, .text),
        Statement(
            "revoke_service_account",
            """
            UPDATE service_accounts SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL
            RETURNING \(StoredServiceAccount.columns)
            """, .text, .integer),
        Statement(
            "revoke_session",
            """
                UPDATE sessions SET revoked_at = $2, revoked_reason = $3 WHERE id = $1 AND revoked_at IS NULL
                RETURNING \(EndedSession.columns)
                """, .text, .integer, .text),
        Statement(
            "revoke_sessions_begun_with_provider",
            """
                UPDATE sessions SET revoked_at = $3, revoked_reason = $4
                WHERE user_key = $1 AND revoked_at IS NULL AND auth_time <= $5
                    AND (sign_in_provider = $2 OR parent_id IN (
                        SELECT parents.id FROM sessions AS parents
                        WHERE parents.user_key = $1 AND parents.sign_in_provider = $2))
                RETURNING \(EndedSession.columns)
                """, .integer, .text, .integer, .text, .integer),
        Statement(
            "revoke_sessions_of_client",
            """
            UPDATE sessions SET revoked_at = $2, revoked_reason = $3
            WHERE client_id = $1 AND revoked_at IS NULL RETURNING \(EndedSession.columns)
            """, .text, .integer, .text),
        Statement(
            "revoke_sessions_of_user",
            """
                UPDATE sessions SET revoked_at = $2, revoked_reason = $3
                WHERE user_key = $1 AND revoked_at IS NULL RETURNING \(EndedSession.columns)
                """, .integer, .integer, .text),
        Statement(
            "revoke_stretch_of_sessions",
            """
            UPDATE sessions SET revoked_at = $3, revoked_reason = $4
            WHERE key IN (
                SELECT key FROM sessions WHERE key > $1 AND revoked_at IS NULL AND created_at < $2
                ORDER BY key LIMIT $5)
            RETURNING \(EndedSession.columns)
            """, .integer, .integer, .integer, .text, .integer),
        Statement(
            "rotate_client_secret",
            """
            UPDATE clients SET secret_hash = $2, previous_secret_hash = $3, previous_secret_until = $4
            WHERE id = $1 AND secret_hash IS NOT NULL RETURNING \(Client.columns)
            """, .text, .blob, .blob, .integer),
        Statement(
            "rotate_session",
            """
        UPDATE sessions SET generation = generation + 1, rotated_at = $3, last_used_at = $3
        WHERE id = $1 AND generation = $2 AND revoked_at IS NULL
            AND \(Session.latestUse) >= $4 AND created_at >= $5
            AND (SELECT CASE WHEN users.disabled = 0 THEN users.epoch END
                FROM users WHERE users.key = sessions.user_key) = epoch
        """, .text, .integer, .integer, .integer, .integer),
        Statement(
            "rotate_webhook_secret",
            """
            UPDATE webhooks SET sealed_secret = $2, sealed_previous_secret = $3, previous_secret_until = $4
            WHERE id = $1 RETURNING \(Webhook.columns)
            """, .text, .blob, .blob, .integer),
        Statement(
            "schedule_identity_removal",
            "UPDATE identities SET removal_at = $2 WHERE key = $1", .integer, .integer),
        Statement(
            "schema_requirement",
            "SELECT coalesce(max(coalesce(oldest_broker, version)), 0) FROM schema_migrations"),
        Statement(
            "schema_version",
            "SELECT coalesce(max(version), 0) FROM schema_migrations"),
        Statement(
            "seal_audit",
            """
            UPDATE audit SET sequence = $2, seal_key = $3, seal = $4 WHERE key = $1 AND sequence IS NULL
            """, .integer, .integer, .text, .blob),
        Statement(
            "separate_decisions",
            """
            UPDATE decisions SET audited = 0 WHERE audited = 1 AND key IN (
                SELECT audit.key FROM audit WHERE audit.sequence IS NOT NULL AND audit.sequence <= $1)
            """, .integer),
        Statement(
            "service_account",
            "SELECT \(StoredServiceAccount.columns) FROM service_accounts WHERE id = $1", .text),
        Statement(
            "service_account_by_email",
            "SELECT \(StoredServiceAccount.columns) FROM service_accounts WHERE email = $1", .text),
        Statement(
            "service_account_keys",
            """
            SELECT \(StoredServiceAccountKey.columns) FROM service_account_keys WHERE account_key = $1 ORDER BY key
            """, .integer),
        Statement(
            "service_accounts",
            "SELECT \(StoredServiceAccount.columns) FROM service_accounts ORDER BY key"),
        Statement(
            "session_by_id",
            "SELECT \(Session.columns) FROM sessions WHERE id = $1", .text),
        Statement(
            "session_starts",
            """
            SELECT created_at, user_agent FROM sessions
            WHERE user_key = $1 AND created_at >= $2 AND created_at <= $3 AND user_agent IS NOT NULL
            ORDER BY key DESC LIMIT 1000
            """, .integer, .integer, .integer),
        Statement(
            "session_stretch",
            """
            SELECT key,
                CASE WHEN \(SessionAges.condition) OR (address IS NOT NULL AND \(Session.latestUse) <= $7)
                    THEN 1 ELSE 0 END
            FROM sessions WHERE key > $1 ORDER BY key LIMIT $5
            """, .integer, .integer, .integer, .integer, .integer, .text, .integer),
        Statement(
            "session_with_identities",
            """
        SELECT \(Session.viewColumns), identities.key, \(Identity.columns)
        FROM \(Session.withIdentities) WHERE sessions.id = $1
        """, .text),
        Statement(
            "session_with_linked_identities",
            """
        SELECT \(Session.viewColumns), identities.key, \(LinkedIdentity.columns)
        FROM \(Session.withIdentities) WHERE sessions.id = $1
        """, .text),
        Statement(
            "session_with_token_identities",
            """
        SELECT \(Session.viewColumns), identities.key, \(TokenIdentity.columns)
        FROM \(Session.withIdentities) WHERE sessions.id = $1
        """, .text),
        Statement(
            "session_with_user",
            "SELECT \(Session.viewColumns) FROM \(Session.withUser) WHERE sessions.id = $1", .text),
        Statement(
            "sessions_of_user",
            """
                SELECT \(Session.columns) FROM sessions WHERE user_key = $1 AND \(SessionFilter.isBefore)
                ORDER BY key DESC LIMIT $3
                """, .integer, .text, .integer),
        Statement(
            "set_administered_user_fields",
            """
        UPDATE users SET \(UserField.administered.enumerated().map {
            "\($1.column.name) = $\($0 + 2)"
        }.joined(separator: ", ")) WHERE key = $1
        """, parameters: [.integer] + UserField.administered.map(\.column.type)),
        Statement(
            "set_app_transfer",
            "UPDATE subject_migrations SET transferred_at = $2, warned_days = NULL WHERE key = $1", .integer, .integer),
        Statement(
            "set_email",
            """
            UPDATE users SET email = $2, email_canonical = $3, email_verified = $4, email_asserted_by = $5,
                email_asserted_at = $6
            WHERE key = $1 AND NOT EXISTS (
                SELECT 1 FROM users AS holder WHERE holder.email_canonical = $3 AND holder.key <> $1)
            """, .integer, .text, .text, .integer, .text, .integer),
        Statement(
            "set_identity_email",
            "UPDATE identities SET email = $2 WHERE key = $1", .integer, .text),
        Statement(
            "set_identity_mail",
            """
            UPDATE identities SET mail_disabled = $2, mail_changed_at = $3
            WHERE key = $1 AND coalesce(mail_changed_at, 0) < $3
            """, .integer, .integer, .integer),
        Statement(
            "set_migrating_subject",
            """
            UPDATE migrating_subjects SET state = $4, transfer_subject = $5, new_subject = $6, email = $7,
                email_relay = $8, profile = $9, reason = $10, changed_at = $11
            WHERE migration_key = $1 AND identity_key = $2 AND state = $3
            """, .integer, .integer, .text, .text, .text, .text, .text, .integer, .text, .text, .integer),
        Statement(
            "set_provider_feed",
            """
            INSERT INTO provider_feeds (provider, cursor, polled_at) VALUES ($1, $2, $3)
            ON CONFLICT (provider) DO UPDATE SET cursor = excluded.cursor, polled_at = excluded.polled_at
            """, .text, .text, .integer),
        Statement(
            "set_user_disabled",
            "UPDATE users SET disabled = $2 WHERE key = $1 AND disabled <> $2", .integer, .integer),
        Statement(
            "set_user_profile",
            """
            UPDATE users SET display_name = $2, photo_url = $3, screen_name = $4, display_name_edited_at = $5,
                photo_url_edited_at = $6
            WHERE key = $1
            """, .integer, .text, .text, .text, .integer, .integer),
        Statement(
            "setting",
            "SELECT value FROM settings WHERE name = $1", .text),
        Statement(
            "settle_grant",
            """
                UPDATE provider_grants SET lease_holder = NULL, lease_until = NULL, attempted_version = NULL
                WHERE key = $1 AND lease_holder = $2
                """, .integer, .text),
        Statement(
            "sign_in_response",
            """
            SELECT state_hash, provider, sealed_response FROM sign_in_attempts
            WHERE handle_hash = $1 AND sealed_response IS NOT NULL AND consumed_at IS NULL AND expires_at > $2
            """, .blob, .integer),
        Statement(
            "sign_in_sums",
            """
            SELECT hour / $2 * $2, \(SignInSum.columns) FROM outcome_counts WHERE hour >= $1 GROUP BY 1
            """, .integer, .integer),
        Statement(
            "signing_keys",
            "SELECT \(StoredSigningKey.columns) FROM signing_keys ORDER BY key"),
        Statement(
            "signing_keys_of_family",
            "SELECT \(StoredSigningKey.columns) FROM signing_keys WHERE family = $1 ORDER BY key", .text),
        Statement(
            "subject_aliases_of_user_page",
            """
            SELECT alias.identity_key, alias.provider, alias.issuer, alias.subject FROM identity_aliases AS alias
            WHERE alias.identity_key IN (
                SELECT identities.key FROM identities JOIN users ON users.key = identities.user_key
                WHERE \(UserPage.range))
            ORDER BY alias.created_at, alias.subject
            """, .text, .text),
        Statement(
            "subject_mappings",
            """
            SELECT provider, version, instance, subject_rule, issuer, in_force, created_at,
                CASE WHEN EXISTS (
                    SELECT 1 FROM identities
                    WHERE identities.provider = subject_mappings.provider
                        AND identities.issuer = subject_mappings.issuer
                ) OR EXISTS (
                    SELECT 1 FROM console_administrators
                    WHERE console_administrators.provider = subject_mappings.provider
                        AND console_administrators.issuer = subject_mappings.issuer
                ) THEN 1 ELSE 0 END
            FROM subject_mappings ORDER BY provider, version
            """),
        Statement(
            "subject_migration",
            """
            SELECT \(SubjectMigrationJob.columns) FROM subject_migrations
            WHERE provider = $1 AND source_issuer = $2 AND target_issuer = $3
            """, .text, .text, .text),
        Statement(
            "subject_migrations",
            "SELECT \(SubjectMigrationJob.columns) FROM subject_migrations ORDER BY key LIMIT $1", .integer),
        Statement(
            "touch_store",
            """
        INSERT INTO leases (name, holder, expires_at) VALUES ('readiness', '', 0)
        ON CONFLICT (name) DO UPDATE SET expires_at = 1 - leases.expires_at
        """),
        Statement(
            "transfers",
            "SELECT role, id, phase, other, table_name, row_key, revision, changed_at FROM transfers"),
        Statement(
            "unended_sessions_of_user",
            """
            SELECT \(Session.columns) FROM sessions
            WHERE user_key = $1 AND \(SessionFilter.isBefore) AND revoked_at IS NULL
                AND epoch = (SELECT users.epoch FROM users WHERE users.key = sessions.user_key)
                AND (coalesce(family, 'identity-toolkit') = $6 OR (\(Session.latestUse) >= $4 AND created_at >= $5))
            ORDER BY key DESC LIMIT $3
            """, .integer, .text, .integer, .integer, .integer, .text),
        Statement(
            "unsealed_audit",
            "SELECT \(AuditEntry.columns) FROM audit WHERE sequence IS NULL ORDER BY key LIMIT $1", .integer),
        Statement(
            "update_client",
            """
            UPDATE clients SET name = $2, redirect_uris = $3, post_logout_redirect_uris = $4, pkce = $5,
                provider_tokens = $6, backchannel_logout_uri = $7, backchannel_logout_session_required = $8,
                first_party = $9, home_url = $10, terms_url = $11, privacy_url = $12, support_url = $13, logo = $14,
                logo_dark = $15
            WHERE id = $1 RETURNING \(Client.columns)
            """, .text, .text, .text, .text, .text, .integer, .text, .integer, .integer, .text, .text, .text, .text, .text, .text),
        Statement(
            "update_console_administrator",
            """
            UPDATE console_administrators SET name = $2, role = $3, email = $4, last_sign_in_at = $5
            WHERE key = $1
            """, .integer, .text, .text, .text, .integer),
        Statement(
            "update_provider_entry",
            "UPDATE provider_entries SET sealed_entry = $2, version = $3, changed_at = $4 WHERE key = $1", .integer, .blob, .integer, .integer),
        Statement(
            "update_setting",
            "UPDATE settings SET value = $2 WHERE name = $1", .text, .blob),
        Statement(
            "update_signing_key",
            """
            UPDATE signing_keys SET state = $2, activates_at = $3, retires_at = $4
            WHERE kid = $1 AND state <> 'revoked'
            """, .text, .text, .integer, .integer),
        Statement(
            "update_transfer",
            """
            UPDATE transfers SET phase = $4, table_name = $5, row_key = $6, revision = revision + 1, changed_at = $7
            WHERE role = $1 AND id = $2 AND revision = $3 RETURNING revision
            """, .text, .text, .integer, .text, .text, .text, .integer),
        Statement(
            "upsert_grant",
            """
            INSERT INTO provider_grants (key, identity_key, provider, client_id, scopes, sealed_access_token,
                sealed_refresh_token, expires_at, obtained_at, version)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            ON CONFLICT (identity_key, client_id) DO UPDATE SET
                provider = excluded.provider, scopes = excluded.scopes,
                sealed_access_token = excluded.sealed_access_token,
                sealed_refresh_token = excluded.sealed_refresh_token,
                expires_at = excluded.expires_at, obtained_at = excluded.obtained_at, version = excluded.version
            WHERE provider_grants.key = excluded.key AND provider_grants.version < excluded.version
            """, .integer, .integer, .text, .text, .text, .blob, .blob, .integer, .integer, .integer),
        Statement(
            "use_admin_credential",
            """
            UPDATE admin_credentials SET last_used_at = $2 WHERE key = $1 AND coalesce(last_used_at, $3) <= $3
            """, .integer, .integer, .integer),
        Statement(
            "use_console_session",
            "UPDATE console_sessions SET last_used_at = $2 WHERE key = $1 AND last_used_at <= $3", .integer, .integer, .integer),
        Statement(
            "use_provider_device",
            """
            UPDATE provider_devices SET sealed_secret = $3, identity_key = $4, used_at = $5
            WHERE key = $1 AND secret_hash = $2
            """, .integer, .blob, .blob, .integer, .integer),
        Statement(
            "use_service_account",
            """
            UPDATE service_accounts SET last_used_at = $2 WHERE key = $1 AND coalesce(last_used_at, $3) <= $3
            """, .integer, .integer, .integer),
        Statement(
            "used_id_token",
            "SELECT \(UsedIDToken.columns) FROM used_id_tokens WHERE token_hash = $1", .blob),
        Statement(
            "used_id_token_stretch",
            """
            SELECT token_hash, CASE WHEN expires_at <= $2 THEN 1 ELSE 0 END FROM used_id_tokens
            WHERE token_hash > $1 ORDER BY token_hash LIMIT $3
            """, .blob, .integer, .integer),
        Statement(
            "user_by_alias",
            """
            SELECT \(User.columns) FROM user_aliases JOIN users ON users.key = user_aliases.user_key
            WHERE user_aliases.local_id = $1
            """, .text),
        Statement(
            "user_by_email",
            "SELECT \(User.columns) FROM users WHERE email_canonical = $1", .text),
        Statement(
            "user_by_identity",
            """
            SELECT \(User.columns) FROM identities JOIN users ON users.key = identities.user_key
            WHERE identities.key = \(IdentityKey.lookup)
            """, .text, .text, .text),
        Statement(
            "user_by_identity_email",
            """
            SELECT \(User.columns) FROM identities JOIN users ON users.key = identities.user_key
            WHERE identities.email = $1 ORDER BY identities.key LIMIT 1
            """, .text),
        Statement(
            "user_by_key",
            "SELECT \(User.columns) FROM users WHERE key = $1", .integer),
        Statement(
            "user_by_local_id",
            "SELECT \(User.columns) FROM users WHERE local_id = $1", .text),
        Statement(
            "user_keys_after",
            "SELECT key FROM users WHERE key > $1 ORDER BY key LIMIT $2", .integer, .integer),
        Statement(
            "users_by_initial_email",
            "SELECT \(User.columns) FROM users WHERE initial_email = $1 ORDER BY key LIMIT 100", .text),
        Statement(
            "users_by_subject",
            """
            SELECT \(User.columns) FROM identities JOIN users ON users.key = identities.user_key
            WHERE identities.provider = $1 AND identities.subject = $2 ORDER BY identities.key LIMIT 100
            """, .text, .text),
        Statement(
            "users_of_provider",
            "SELECT count(*) FROM identities WHERE provider = $1", .text),
        Statement(
            "users_page",
            "SELECT \(User.columns) FROM users WHERE local_id > $1 ORDER BY local_id LIMIT $2", .text, .integer),
        Statement(
            "warn_of_subject_migration",
            """
            UPDATE subject_migrations SET warned_days = $2
            WHERE key = $1 AND (warned_days IS NULL OR warned_days > $2)
            """, .integer, .integer),
        Statement(
            "webhook_by_id",
            "SELECT \(Webhook.columns) FROM webhooks WHERE id = $1", .text),
        Statement(
            "webhooks",
            "SELECT \(Webhook.columns) FROM webhooks ORDER BY key"),
        Statement(
            "wrapped_keys",
            "SELECT \(WrappedKey.columns) FROM wrapped_keys ORDER BY purpose, generation"),
    ]
}
