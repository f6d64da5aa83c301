import Broker
import Foundation
import Logging
import OAuth

/// The projects that requests have named, each with a folder of its own.
actor EmulatedProjects {
    let defaultID: String
    private let folder: String
    private let publicURL: String
    private let hosts: [String]
    private let keptCount: Int
    private let maximumCount: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private var projects: [String: Entry] = [:]
    private var started = 0

    /// A project with its use.
    private struct Entry {
        let task: Task<EmulatedProject, any Error>
        /// The requests that it answers now.
        var requests = 0
        /// The end of the last request.
        var usedAt: ContinuousClock.Instant
    }

    /// How long a project without a request may be needed again.
    private static let idleTime = Duration.seconds(600)
    /// The number of projects that stay however long they are idle. Each has a server and a store.
    private static let standardKeptCount = 50
    static let standardMaximumCount = 500

    /// - Parameters:
    ///   - id: The project of requests that name none. It stays.
    ///   - folder: The folder of the projects' folders.
    ///   - publicURL: The emulator's URL.
    ///   - hosts: The hosts of pages that may use the emulator, besides this machine.
    ///   - keptCount: The number of projects beyond which a new one replaces an idle one.
    ///   - maximumCount: The maximum number of projects.
    ///   - now: The clock.
    init(
        default id: String, in folder: String, publicURL: String, hosts: [String] = [],
        keptCount: Int = standardKeptCount, maximumCount: Int = standardMaximumCount,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        (defaultID, self.folder, self.publicURL, self.hosts) = (id, folder, publicURL, hosts)
        (self.keptCount, self.maximumCount, self.now) = (min(keptCount, maximumCount), maximumCount, now)
    }

    /// Begins a request to the project with this id, which starts when it is named for the first time. The caller ends
    /// the request with ``end(_:)``.
    ///
    /// - Throws: ``CommandFailure``, `ConfigurationError`.
    func begin(_ id: String) async throws -> EmulatedProject {
        if projects[id] == nil {
            let idle = try makeRoom()
            started += 1
            let path = "\(folder)/project-\(started)-\(RandomText.alphanumeric(6))"
            let task = Task { [publicURL, hosts] in
                try await EmulatedProject.start(id, in: path, publicURL: publicURL, hosts: hosts)
            }
            projects[id] = Entry(task: task, usedAt: now())
            if let idle { await (try? idle.value)?.stop() }
        }
        return try await begin(known: id)
    }

    private func begin(known id: String) async throws -> EmulatedProject {
        guard let task = projects[id]?.task else {
            throw CommandFailure(code: "STOPPED", "the project \(id) has stopped: send the request again")
        }
        projects[id]?.requests += 1
        do {
            return try await task.value
        } catch {
            if projects[id]?.task == task { projects[id] = nil }
            throw error
        }
    }

    /// Begins a request to the project whose broker wrote a refresh token.
    ///
    /// - Returns: The project; nil for a token of none.
    func begin(ofRefreshToken token: String) async throws -> EmulatedProject? {
        for (id, entry) in projects {
            guard let project = try? await entry.task.value, project.wrote(refreshToken: token) else { continue }
            return try await begin(known: id)
        }
        return nil
    }

    /// Ends a request to a project.
    func end(_ project: EmulatedProject) {
        projects[project.id]?.requests -= 1
        projects[project.id]?.usedAt = now()
    }

    /// Removes the project that has been idle longest, where there are many.
    ///
    /// - Returns: The removed project, still to be stopped; nil if all stay.
    /// - Throws: ``CommandFailure`` when there is no room for another project.
    private func makeRoom() throws(CommandFailure) -> Task<EmulatedProject, any Error>? {
        guard projects.count >= keptCount else { return nil }
        let now = now()
        let idle = projects.filter { id, entry in
            id != defaultID && entry.requests == 0 && now - entry.usedAt >= Self.idleTime
        }
        guard let (id, entry) = idle.min(by: { $0.value.usedAt < $1.value.usedAt }) else {
            if projects.count < maximumCount { return nil }
            throw CommandFailure(
                code: "TOO_MANY_PROJECTS",
                "the emulator serves \(maximumCount) projects, and each was used in the last ten minutes: reuse an id, "
                    + "or start the emulator with a larger --max-projects")
        }
        projects[id] = nil
        Logger.current.notice(
            "idle project removed with its users, for another one",
            metadata: [
                "project": "\(id)", "idleSeconds": "\((now - entry.usedAt).components.seconds)",
                "projects": "\(projects.count)",
            ])
        return entry.task
    }

    func stop() async {
        let tasks = projects.values.map(\.task)
        projects = [:]
        for task in tasks { await (try? task.value)?.stop() }
    }
}
