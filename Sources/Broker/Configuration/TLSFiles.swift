/// Where a certificate and its key lie, both as PEM.
package struct TLSFiles: Sendable, Hashable {
    /// The server's certificate, and after it those that vouch for it.
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}
