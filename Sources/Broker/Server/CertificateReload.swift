import Logging
import ServiceLifecycle

/// Lets a running server show a renewed certificate.
struct CertificateReload: Service, CustomStringConvertible {
    let certificate: ServerCertificate
    let interval: Duration

    var description: String { "CertificateReload" }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat { reload() } while (try? await Task.sleep(for: interval)) != nil
        }
    }

    private func reload() {
        switch certificate.reload() {
        case .adopted: Logger.current.notice("the TLS certificate is the renewed one")
        case .refused(let error):
            Logger.current.error(
                "the changed TLS certificate is of no use, the earlier one stays", metadata: ["error": "\(error)"])
        case .expired: Logger.current.error("the TLS certificate has expired: clients refuse it until it is renewed")
        case nil: break
        }
    }
}
