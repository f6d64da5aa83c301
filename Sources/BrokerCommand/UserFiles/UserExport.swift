import Broker
import Foundation
import ProviderKit

/// Writes all users to a file or to standard output, page by page.
struct UserExport {
    /// A new file; nil for standard output.
    let path: String?
    /// Whether the file is one document of Firebase's tools, otherwise one record in each line.
    let isDocument: Bool

    private static let pageSize = 1000

    /// - Returns: The number of users.
    /// - Throws: ``CommandFailure``, or an error of the operation. A file that is not complete is removed.
    func callAsFunction(_ execute: OperationExecutor) async throws -> Int {
        guard let path else { return try await write(to: .standardOutput, execute) }
        guard let handle = PrivateFiles.writer(path, replacing: false) else {
            throw CommandFailure(code: "CANNOT_WRITE", "\(path) exists or cannot be written")
        }
        do {
            let count = try await write(to: handle, execute)
            try handle.synchronize()
            return count
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
    }

    private func write(to handle: FileHandle, _ execute: OperationExecutor) async throws -> Int {
        // Users on the same screen are progress enough.
        let progress = path == nil && isatty(STDOUT_FILENO) == 1 ? nil : ProgressLine()
        let total = progress == nil ? nil : try await execute(ListUsers(after: nil, limit: 1)).total
        var count = 0
        var after: String?
        var buffer = isDocument ? Array("{\"users\":[\n".utf8) : []
        while true {
            let page = try await execute(ExportUserPage(after: after, limit: Self.pageSize))
            for user in page.users {
                if isDocument, count > 0 { buffer += [UInt8(ascii: ","), 0x0A] }
                (isDocument ? Self.firebaseRecord(user) : user).append(to: &buffer)
                if !isDocument { buffer.append(0x0A) }
                count += 1
            }
            if page.next == nil, isDocument { buffer += "\n]}\n".utf8 }
            try handle.write(contentsOf: buffer)
            buffer.removeAll(keepingCapacity: true)
            progress?.note("exporting", count, of: total, "users")
            guard let next = page.next else { break }
            after = next
        }
        return count
    }

    /// A user as `firebase auth:import` reads it.
    private static func firebaseRecord(_ user: JSONObject) -> JSONObject {
        var record = JSONObject()
        for name in [
            "localId", "email", "emailVerified", "displayName", "photoUrl", "createdAt", "disabled", "customAttributes",
        ] {
            record[name] = user[name]
        }
        record["lastSignedInAt"] = user["lastLoginAt"]
        guard let entries = user["providerUserInfo"]?.array else { return record }
        record["providerUserInfo"] = .array(
            entries.map { entry in
                var known = JSONObject()
                for name in ["providerId", "rawId", "email", "displayName", "photoUrl"] { known[name] = entry[name] }
                return .object(known)
            })
        return record
    }
}
