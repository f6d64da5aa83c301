import Foundation
import Logging

/// The first steps in a database: wait for the server, see whose database it is, bring the schema up to date.
struct PostgreSQLOpening: Sendable {
    let opener: PostgreSQLOpener
    let history: SchemaHistory
    let logger: Logger

    func callAsFunction(at now: Timestamp) throws(StoreError) {
        let deadline = ContinuousClock.now.advanced(by: opener.options.openTimeout)
        while true {
            do {
                return try migrate(at: now)
            } catch {
                guard case .again(let reason) = error, ContinuousClock.now < deadline else { throw error.reason }
                logger.debug("The database is asked again.", metadata: ["reason": "\(reason)"])
                Thread.sleep(forTimeInterval: Double.random(in: 0.02...0.2))
            }
        }
    }

    /// The time limit for a schema change of a large database.
    private static let migrationTimeout = Duration.seconds(3600)

    private enum Failure: Error {
        case again(StoreError)
        case final(StoreError)

        var reason: StoreError {
            switch self {
            case .again(let error), .final(let error): error
            }
        }
    }

    private func migrate(at now: Timestamp) throws(Failure) {
        let pipeline: PostgreSQLPipeline
        do throws(StoreError) { pipeline = try opener.openPipeline() } catch { throw .again(error) }
        pipeline.deadline = .now.advanced(by: Self.migrationTimeout)
        do {
            let applied = try PostgreSQLMigrator(pipeline: pipeline, history: history).migrate(at: now)
            let level: Logger.Level = applied.first?.version == 1 ? .debug : .info
            for migration in applied {
                logger.log(level: level, "The store's schema was changed.", metadata: ["name": "\(migration.name)"])
            }
        } catch PostgreSQLFailure.conflict(let error) {
            throw .again(error)
        } catch PostgreSQLFailure.lost(let error) {
            throw .again(error)
        } catch PostgreSQLFailure.refused(let error) where error.kind == .busy {
            // Another session holds a table that this broker has to change.
            throw .again(error)
        } catch let error as StoreError {
            throw .final(error)
        } catch {
            throw .final((error as? PostgreSQLFailure)?.error ?? StoreError(.misuse, "the schema cannot be read"))
        }
    }
}
