import CPostgres

/// The values of one statement as libpq wants them: pointers into one buffer, all in binary.
struct PostgreSQLParameters {
    private var bytes: [UInt8] = []
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []

    /// - Throws: `.misuse` for a value greater than the protocol can carry.
    init(_ values: [SQLValue], of name: String) throws(StoreError) {
        for value in values {
            let start = bytes.count
            var isNull = false
            switch value {
            case .integer(let integer): withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
            case .text(let text): bytes.append(contentsOf: text.utf8)
            case .blob(let blob): bytes.append(contentsOf: blob)
            case .null: isNull = true
            }
            guard let length = Int32(exactly: bytes.count - start) else {
                throw StoreError(.misuse, "\(name): $\(lengths.count + 1) is too long")
            }
            offsets.append(isNull ? nil : start)
            lengths.append(length)
        }
        // An empty text still needs an address, for no address means null.
        bytes.append(0)
    }

    /// Sends the execution of the prepared statement `name`; false if libpq could not.
    func send(to name: String, on connection: OpaquePointer) -> Bool {
        bytes.withUnsafeBytes { buffer in
            let values = offsets.map { offset in
                offset.flatMap { buffer.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            }
            let formats = [Int32](repeating: 1, count: values.count)
            return PQsendQueryPrepared(connection, name, Int32(values.count), values, lengths, formats, 1) == 1
        }
    }
}
