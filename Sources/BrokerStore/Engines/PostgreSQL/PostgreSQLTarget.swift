import CPostgres
import Foundation

/// The connection parameters of libpq, checked and completed.
///
/// Never shown: the password is among them.
struct PostgreSQLTarget: Sendable {
    private let parameters: [(keyword: String, value: String)]

    /// Reads a connection string: a URL (`postgresql://…`) or `keyword=value` pairs, with several hosts if there are.
    ///
    /// Missing parameters get defaults: only a server that accepts writes is used, an unreachable host times out in
    /// seconds, and network traffic is encrypted unless the operator disables it.
    ///
    /// - Throws: `.unavailable` for what libpq does not understand, without repeating it, and where there is no libpq.
    init(_ connectionString: String) throws(StoreError) {
        let unreadable = StoreError(
            .unavailable, "the connection string is neither a postgresql:// URL nor keyword=value pairs libpq knows")
        guard !connectionString.utf8.contains(0) else { throw unreadable }
        // Everything with PostgreSQL begins here.
        if let reason = cpostgres_open() {
            throw StoreError(
                .unavailable, "libpq cannot be opened (Debian's package libpq5): \(String(cString: reason))")
        }
        var message: UnsafeMutablePointer<CChar>?
        let options = PQconninfoParse(connectionString, &message)
        PQfreemem(message)
        guard let options else { throw unreadable }
        defer { PQconninfoFree(options) }
        var given: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { given[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        // What a service file says would lose against the values below, and its hosts are not known here.
        let environment = ProcessInfo.processInfo.environment
        let hasService = given["service"] != nil || environment["PGSERVICE"] != nil
        guard !hasService || given["sslmode"] != nil || environment["PGSSLMODE"] != nil else {
            throw StoreError(.unavailable, "a connection by service has to say sslmode in the connection string")
        }
        parameters = given.merging(Self.defaults(for: given)) { given, _ in given }
            .sorted { $0.key < $1.key }.map { (keyword: $0.key, value: $0.value) }
    }

    /// Which database this is, as may be shown: neither user nor password.
    var publicName: String {
        func value(_ keyword: String) -> String? { parameters.first { $0.keyword == keyword }?.value }
        let host = value("host") ?? value("hostaddr") ?? "localhost"
        return "the PostgreSQL database \(value("dbname") ?? "of the user") at \(host)"
    }

    /// Whether the parameters contain a password, of the server or of the client's key.
    var hasPassword: Bool { parameters.contains { $0.keyword.hasSuffix("password") && !$0.value.isEmpty } }

    private static func defaults(for given: [String: String]) -> [String: String] {
        var values = [
            "target_session_attrs": "read-write", "connect_timeout": "2", "client_encoding": "UTF8",
            "fallback_application_name": "broker", "keepalives": "1", "keepalives_idle": "10",
            "keepalives_interval": "5", "keepalives_count": "3", "tcp_user_timeout": "10000",
        ]
        let environment = ProcessInfo.processInfo.environment
        if environment["PGSSLMODE"] == nil, crossesNetwork(given, environment) { values["sslmode"] = "require" }
        return values
    }

    private static func crossesNetwork(_ given: [String: String], _ environment: [String: String]) -> Bool {
        let hosts =
            given["hostaddr"] ?? given["host"] ?? environment["PGHOSTADDR"] ?? environment["PGHOST"] ?? ""
        return hosts.split(separator: ",").contains { host in
            let isLocal = host.hasPrefix("/") || host.hasPrefix("@") || host.hasPrefix("127.")
            return !isLocal && host != "localhost" && host != "::1"
        }
    }

    /// Connects, trying every host in turn; blocks for a few seconds at most for each of them.
    ///
    /// - Throws: `.unavailable` with libpq's reason.
    func connect() throws(StoreError) -> OpaquePointer {
        let keywords = parameters.map { strdup($0.keyword) }
        let values = parameters.map { strdup($0.value) }
        defer {
            for text in keywords + values { free(text) }
        }
        let handle = (keywords.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { keywords in
            (values.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { values in
                PQconnectdbParams(keywords.baseAddress, values.baseAddress, 0)
            }
        }
        guard let handle else { throw StoreError(.unavailable, "no memory for a connection") }
        guard PQstatus(handle) == CONNECTION_OK else {
            let reason = PostgreSQLFailure.lastMessage(of: handle)
            PQfinish(handle)
            throw StoreError(.unavailable, reason)
        }
        return handle
    }
}

extension Store {
    /// The database of a connection string for output, without user and password.
    package static func publicName(ofPostgreSQL connectionString: String) -> String {
        (try? PostgreSQLTarget(connectionString))?.publicName ?? "a PostgreSQL database"
    }

    /// Whether a connection string, as a URL or as `keyword=value` pairs, contains a password.
    package static func hasPassword(postgreSQL connectionString: String) -> Bool {
        (try? PostgreSQLTarget(connectionString))?.hasPassword ?? false
    }
}
