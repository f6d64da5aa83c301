extension TableDefinition {
    private static let releasedProvider = Uniqueness.Release.assignment(
        "provider = 'released ' || CAST(key AS text)")

    package static let identities = TableDefinition(
        "identities", record: "Identity", "An account at a provider that is linked to a user.",
        uniques: [
            .columns("provider", "issuer", "subject", release: releasedProvider),
            .columns("user_key", "provider", release: releasedProvider),
        ],
        indexes: [
            .index("identities_email", "email", where: "email IS NOT NULL"),
            .index("identities_removal_at", "removal_at", where: "removal_at IS NOT NULL"),
            .index("identities_subject", "provider, subject"),
        ],
        ownership: .rows(
            of: .user("user_key"), merge: .move, undo: .move, export: .keep, snapshot: .keep, deletion: .drop),
        fields: [
            .key(comment: "Private, time-ordered; what foreign keys use."),
            .reference("user_key", to: "users"),
            .type(
                "identity", of: "IdentityKey", comment: "Unique in the store.",
                [.init("provider", .text), .init("issuer", .text), .init("subject", .text, searched: .identifier)]),
            .text(
                "email", .optional, searched: .address,
                comment:
                    "The provider's profile of the last sign-in, this and the next four; it never identifies a user."),
            .flag("email_verified", initial: "false"),
            .text("display_name", .optional, searched: .name),
            .text("photo_url", .optional),
            .text("screen_name", .optional, searched: .name),
            .text("profile", comment: "The provider's raw profile, JSON as text."),
            .time("linked_at"),
            .time("last_sign_in_at"),
            .flag(
                "anonymous", initial: "false",
                comment: "Whether the account is anonymous: the provider knows only a device."),
            .flag(
                "was_anonymous", as: "wasAnonymous", initial: "false",
                comment: "Whether the provider has said that the account began anonymous."),
            .flag(
                "mail_disabled", initial: "false",
                comment: """
                    Whether the provider stopped forwarding mail to the relay address. Stored by reports of the provider only.
                    """),
            .column("mail_changed_at", .integer, .optional),
            .time(
                "consent_revoked_at", .optional,
                comment: "The time at which the user withdrew consent at the provider; nil since the next sign-in."),
            .time(
                "removal_at", .optional,
                comment: """
                    The time from which on housekeeping removes the identity, whose account was deleted; nil since the next \
                    sign-in.
                    """),
            .time(
                "imported_at", .optional,
                comment: "The time at which an import brought it; nil where the provider itself reported it first."),
        ])

    package static let identityAliases = TableDefinition(
        "identity_aliases", key: ["provider", "issuer", "subject"],
        indexes: [.index("identity_aliases_identity_key", "identity_key")],
        ownership: .rows(
            of: .identity("identity_key"), merge: .move, undo: .move, export: .keep, snapshot: .keep,
            deletion: .drop),
        fields: [
            .text("provider"), .text("issuer"), .text("subject", searched: .identifier),
            .reference("identity_key", to: "identities"), .time("created_at"),
        ])

    private static func grantSeal(_ token: String) -> SealDefinition {
        SealDefinition(
            "vault/v1",
            [
                .text("identities.provider"), .text("identities.issuer"), .text("identities.subject"),
                .text("client_id"), .literal(token), .integer("version"),
            ], join: "JOIN identities ON identities.key = provider_grants.identity_key")
    }

    package static let providerGrants = TableDefinition(
        "provider_grants", record: "ProviderGrant",
        "A provider's tokens for a user, sealed and stored for refresh and revocation.",
        uniques: [.columns("identity_key", "client_id")],
        indexes: [
            .index(
                "provider_grants_confirmed_at",
                "provider, (CASE WHEN probed_at > obtained_at THEN probed_at ELSE obtained_at END)"),
            .index(
                "provider_grants_refused_probe", "provider, probed_at", where: "probe_result = 'refused'"),
        ],
        ownership: .rows(
            of: .identity("identity_key"), merge: .drop, undo: .move, export: .leaveOut, snapshot: .keep,
            deletion: .end),
        fields: [
            .key(comment: "Private, time-ordered; stays when the grant is replaced."),
            .reference("identity_key", to: "identities"),
            .text("provider"),
            .text(
                "client_id",
                comment:
                    "The broker's client at the provider that obtained the tokens, and the only one that can use them up."
            ),
            .text("scopes", comment: "The granted scopes, separated by spaces."),
            .sealed("sealed_access_token", by: grantSeal("access_token")),
            .sealed("sealed_refresh_token", .optional, by: grantSeal("refresh_token")),
            .time("expires_at", .optional),
            .time("obtained_at"),
            .integer("version", comment: "Grows with each replacement; part of what the seal authenticates."),
            .time("refused_at", .optional),
            .integer("refused_version", .optional),
            .text(
                "refused_reason", .optional, comment: "A newer broker may write reasons that this one does not know."),
            .time("probed_at", .optional, comment: "When the provider was last asked whether the grant is valid."),
            .text("lease_holder", .optional),
            .time("lease_until", .optional),
            .integer("attempted_version", .optional),
            .integer("probed_version", .optional),
            .text("probe_result", .optional, comment: "A newer broker may write results that this one does not know."),
        ])

    package static let probePauses = TableDefinition(
        "probe_pauses", key: ["provider"], ownership: .noUser,
        fields: [.text("provider"), .time("paused_at"), .integer("probes"), .integer("failures")])

    package static let firstTimeProfiles = TableDefinition(
        "first_time_profiles", record: "FirstTimeProfile",
        "A first-time profile: the claims that a provider sends only at a user's first sign-in.",
        uniques: [.columns("provider", "issuer", "subject")],
        ownership: .rows(
            of: .subject, merge: .keep, undo: .keep, export: .leaveOut, snapshot: .leaveOut, deletion: .drop),
        fields: [
            .key(),
            .type(
                "identity", of: "IdentityKey",
                [.init("provider", .text), .init("issuer", .text), .init("subject", .text)]),
            .text("given_name", .optional),
            .text("family_name", .optional),
            .text("email", .optional, comment: "The address in the verified ID token of that sign-in."),
            .flag("email_verified"),
            .time("captured_at"),
        ])

    package static let providerDevices = TableDefinition(
        "provider_devices", record: "ProviderDevice",
        """
        A device that signs in at a provider through the broker. The store contains hashes and sealed bytes only.

        A row begins as a claim, while the provider is asked about a new device; until the claim is confirmed or ends, no
        other request may introduce the same device.
        """,
        uniques: [.columns("provider", "device_hash")],
        indexes: [.index("provider_devices_identity_key", "identity_key")],
        ownership: .rows(
            of: .identity("identity_key"), merge: .drop, undo: .drop, export: .leaveOut, snapshot: .leaveOut,
            deletion: .drop),
        fields: [
            .key(),
            .text("provider", comment: "The provider's id in `plugins.json`."),
            .blob("device_hash", comment: "SHA-256 of the provider's instance and the app's id of the device."),
            .blob(
                "secret_hash", .optional,
                comment: "SHA-256 of the secret that the broker issued to the device; absent while the row is a claim."),
            .sealed(
                "sealed_secret", .optional,
                by: SealDefinition(
                    "vault/v1", [.literal("provider_devices"), .text("provider"), .base64URL("device_hash")]),
                comment: "The secret that the provider issued to the device."),
            .reference("identity_key", to: "identities", .optional, comment: "The identity of the device's account."),
            .text("claim", .optional, comment: "A random id of the request that introduces the device."),
            .time("claimed_until", .optional),
            .time("created_at"),
            .time("used_at", .optional),
        ])

    package static let subjectMappings = TableDefinition(
        "subject_mappings", key: ["provider", "version"], uniques: [.columns("provider", "issuer")],
        ownership: .noUser,
        fields: [
            .text("provider"), .integer("version"), .text("instance"), .text("subject_rule"), .text("issuer"),
            .flag("in_force"), .time("created_at"),
        ])

    package static let subjectMigrations = TableDefinition(
        "subject_migrations", record: "SubjectMigrationJob",
        "A migration of one provider entry's users from the subjects of one owner of an app to those of another.",
        uniques: [.columns("provider", "source_issuer", "target_issuer", release: releasedProvider)],
        ownership: .noUser,
        fields: [
            .key(),
            .text("provider", comment: "The id of the provider entry."),
            .text("source_issuer", comment: "The issuer of the identities before the migration."),
            .text("target_issuer", comment: "Their issuer afterwards."),
            .choice("phase", of: "Phase"),
            .integer(
                "window_seconds",
                comment: "The seconds from the transfer of the app until subjects can no longer be exchanged."),
            .time("started_at"),
            .time("transferred_at", .optional, comment: "When the app was transferred, as far as it is known."),
            .integer(
                "warned_days", .optional,
                comment: "The threshold in days of the last warning about the end of the window."),
            .group(
                "pause", of: "Pause", comment: "The reason a job stopped before its end.",
                [
                    .time("paused_at", as: "at"),
                    .text("pause_code", as: "code", comment: "Stable, lower-case with hyphens."),
                    .text("pause_reason", as: "reason", comment: "For the operator."),
                ]),
        ])

    package static let migratingSubjects = TableDefinition(
        "migrating_subjects", record: "MigratingSubject",
        "One user's identity on its way to the subject of the app's new owner.",
        key: ["migration_key", "identity_key"],
        indexes: [
            .index("migrating_subjects_identity_key", "identity_key"),
            .index("migrating_subjects_state", "migration_key, state, identity_key"),
            .index("migrating_subjects_transfer_subject", "transfer_subject"),
        ],
        ownership: .rows(
            of: .identity("identity_key"), merge: .drop, undo: .drop, export: .leaveOut, snapshot: .leaveOut,
            deletion: .drop),
        fields: [
            .reference("migration_key", to: "subject_migrations"),
            .reference("identity_key", to: "identities"),
            .text("subject", comment: "The subject at the former owner."),
            .text(
                "transfer_subject", .optional,
                comment: "The transfer subject of this user, which the former owner gives the new one."),
            .group(
                "successor", of: "Successor", comment: "The user as the app's new owner sees them.",
                [
                    .text("new_subject", as: "subject"),
                    .text("email", .optional),
                    .flag("email_relay", as: "isRelay", initial: "false"),
                    .text(
                        "profile", .optional,
                        comment:
                            "The provider's answer, JSON as text; its members replace those of the identity's profile."),
                ]),
            .choice("state", of: "State", initial: ".pending"),
            .text("reason", .optional, comment: "The reason the state is `failed`."),
            .time("changed_at"),
        ])
}
