package import BrokerStore
package import ProviderKit

/// The users of a migration as lines of JSON, for two organizations: each runs its own side and gives the other the file.
///
/// The first line names the migration: `{"provider": …, "from": …, "to": …}`. Every other line is a user:
/// `{"sub": …, "transfer_sub": …, "new_sub": …, "email": …, "is_private_email": …, "state": …}`.
package enum MigrationFile {
    /// The line that names a migration.
    static func header(_ job: SubjectMigrationJob) -> String {
        let header: JSONObject = [
            "provider": .string(job.provider), "from": .string(job.sourceIssuer), "to": .string(job.targetIssuer),
        ]
        return JSONValue.object(header).serialized()
    }

    /// The line of a user.
    static func line(_ subject: MigratingSubject) -> String {
        var line: JSONObject = ["sub": .string(subject.subject)]
        line["transfer_sub"] = subject.transferSubject.map(JSONValue.string)
        line["new_sub"] = subject.successor.map { .string($0.subject) }
        line["email"] = subject.successor?.email.map(JSONValue.string)
        if subject.successor?.email != nil { line["is_private_email"] = .bool(subject.successor?.isRelay ?? false) }
        line["state"] = .string(subject.state.rawValue)
        line["reason"] = subject.reason.map(JSONValue.string)
        return JSONValue.object(line).serialized()
    }

    /// The changes of an import.
    package struct Import: Sendable, Hashable {
        package var prepared = 0
        package var exchanged = 0
        /// Users who are there and already as far.
        package var unchanged = 0
        /// Users that this store does not have.
        package var unknown = 0
    }

    /// A user of a file.
    struct Line: Decodable, Sendable {
        let subject: String
        let transferSubject: String?
        let newSubject: String?
        let email: String?
        let isPrivateEmail: Bool?
        let state: String?
        let reason: String?

        enum CodingKeys: String, CodingKey {
            case subject = "sub"
            case transferSubject = "transfer_sub"
            case newSubject = "new_sub"
            case email
            case isPrivateEmail = "is_private_email"
            case state, reason
        }
    }

    struct Header: Decodable, Sendable {
        let provider: String
        let from: String
        let to: String
    }
}

extension SubjectMigrations {
    /// Writes a migration as lines of JSON, in pages.
    ///
    /// - Throws: A store's error.
    package func export(_ status: SubjectMigrationStatus, write: ([String]) -> Void) async throws {
        write([MigrationFile.header(status.job)])
        var after: Int64 = 0
        while true {
            let last = after
            let page = try await store.read {
                try $0.migratingSubjects(of: status.job, in: nil, after: last, limit: 500)
            }
            guard let end = page.last else { return }
            after = end.identityKey
            write(page.map(MigrationFile.line))
        }
    }

    /// Takes the lines of an exported file: transfer subjects that the former owner prepared, or new subjects that the new
    /// owner exchanged. Nothing is applied; `exchange` does that.
    ///
    /// - Parameters:
    ///   - lines: The file, from the line that names the migration.
    ///   - provider: The entry.
    ///   - migrator: Names both owners; the file must be of the same.
    ///   - origin: Who imports.
    /// - Returns: How many users changed.
    /// - Throws: ``SubjectMigrationRefusal`` with the number of the faulty line; the lines before it are stored.
    package func importLines(
        _ lines: some Sequence<some Collection<UInt8>>, of provider: ConfiguredProvider,
        _ migrator: any SubjectMigrator,
        by origin: Origin
    ) async throws -> MigrationFile.Import {
        let (source, target) = (migrator.sourceInstance, migrator.targetInstance)
        var job: SubjectMigrationJob?
        var (result, batch, number) = (MigrationFile.Import(), [MigrationFile.Line](), 0)
        for bytes in lines {
            number += 1
            guard !bytes.isEmpty else { continue }
            guard job != nil else {
                let header = try Self.decode(MigrationFile.Header.self, bytes, line: number)
                guard header.from.hasSameBytes(as: source), header.to.hasSameBytes(as: target) else {
                    throw SubjectMigrationRefusal(
                        "other-migration", "The file is of the migration from \(header.from) to \(header.to).")
                }
                job = try await jobToFill(provider, migrator, by: origin)
                continue
            }
            batch.append(try Self.decode(MigrationFile.Line.self, bytes, line: number))
            guard batch.count == MigrateSubjects.batch, let job else { continue }
            try await fill(job, with: batch, &result, by: origin)
            batch = []
        }
        guard let job else {
            throw SubjectMigrationRefusal("invalid-file", "The file is empty: its first line names the migration.")
        }
        try await fill(job, with: batch, &result, by: origin)
        return result
    }

    private func jobToFill(
        _ provider: ConfiguredProvider, _ migrator: any SubjectMigrator, by origin: Origin
    ) async throws -> SubjectMigrationJob {
        if let known = try await job(of: provider.id, migrator) { return known }
        let now = now
        return try await begin(
            SubjectMigrationJob(
                key: 0, provider: provider.id, sourceIssuer: migrator.sourceInstance,
                targetIssuer: migrator.targetInstance, phase: .exchange, windowSeconds: Int64(migrator.window),
                startedAt: now), transferredAt: nil, by: origin)
    }

    private func fill(
        _ job: SubjectMigrationJob, with lines: [MigrationFile.Line], _ result: inout MigrationFile.Import,
        by origin: Origin
    ) async throws {
        guard !lines.isEmpty else { return }
        let outcomes = try await write(by: origin) { tx in
            try lines.map { try tx.take($0, of: job) }
        }
        for outcome in outcomes {
            switch outcome {
            case .prepared?: result.prepared += 1
            case .exchanged?: result.exchanged += 1
            case .pending?, .applied?, .failed?: result.unchanged += 1
            case nil: result.unknown += 1
            }
        }
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type, _ bytes: some Collection<UInt8>, line: Int
    ) throws -> Value {
        var decoder = JSONValueDecoder()
        decoder.unknownNames = .refused
        do {
            return try decoder.decode(type, from: try JSONValue(parsing: bytes))
        } catch {
            throw SubjectMigrationRefusal("invalid-file", "Line \(line) is not a line of an exported file: \(error).")
        }
    }
}

extension Transaction {
    /// Takes a line of a file where it knows more than the store.
    ///
    /// - Returns: The state the user got; `.pending` when nothing changed, nil when the store has no such user.
    fileprivate func take(
        _ line: MigrationFile.Line, of job: SubjectMigrationJob
    ) throws(StoreError) -> MigratingSubject.State? {
        let former = IdentityKey(provider: job.provider, issuer: job.sourceIssuer, subject: line.subject)
        guard let identity = try identity(former) else { return nil }
        if try migratingSubject(of: job, identityKey: identity.key) == nil, identity.identity == former {
            _ = try enlist(for: job, after: identity.key - 1, limit: 1)
        }
        guard var row = try migratingSubject(of: job, identityKey: identity.key) else { return .pending }
        let state = row.state
        guard state != .applied, state != .exchanged else { return .pending }
        if let transferSubject = line.transferSubject, Evidence.isSubject(transferSubject) {
            (row.transferSubject, row.state, row.reason) = (transferSubject, .prepared, nil)
        }
        if let newSubject = line.newSubject, Evidence.isSubject(newSubject) {
            let email = line.email.flatMap(EmailAddress.init)?.value
            row.successor = .init(subject: newSubject, email: email, isRelay: line.isPrivateEmail ?? false)
            (row.state, row.reason) = (.exchanged, nil)
        }
        guard row.state != state else { return .pending }
        return try update(row, from: state) ? row.state : .pending
    }
}
