import Logging
import ServiceLifecycle

/// Keeps the store in order while a server runs: at its start and every few minutes, if no other broker does.
struct HousekeepingService: Service, CustomStringConvertible {
    let housekeeping: Housekeeping
    let interval: Duration

    var description: String { "Housekeeping" }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var housekeeping = housekeeping
            repeat { await Self.turn(&housekeeping) } while (try? await Task.sleep(for: interval)) != nil
        }
        // Nobody should have to wait for the lease of a broker that has left.
        try? await housekeeping.release()
    }

    /// A store that does not answer now will be put in order later.
    private static func turn(_ housekeeping: inout Housekeeping) async {
        do {
            switch try await housekeeping.turn() {
            case .done(let removed): tell(removed)
            case .lost(let removed):
                tell(removed)
                Logger.current.info("another broker has taken over from this one to keep the store in order")
            case .clockInDoubt:
                Logger.current.warning("this broker's clock contradicts the store: nothing is removed from it")
            case .leftToAnother: break
            }
        } catch {
            Logger.current.error("the store cannot be put in order", metadata: ["error": "\(error)"])
        }
    }

    private static func tell(_ removed: Housekeeping.Removed) {
        guard removed != .init() else { return }
        Logger.current.info(
            "removed what is of no more use",
            metadata: [
                "pendingTokens": .stringConvertible(removed.pendingTokens),
                "usedIDTokens": .stringConvertible(removed.usedIDTokens),
                "sessions": .stringConvertible(removed.sessions),
                "signInAttempts": .stringConvertible(removed.signInAttempts),
                "authorizationCodes": .stringConvertible(removed.authorizationCodes),
                "deviceAuthorizations": .stringConvertible(removed.deviceAuthorizations),
                "addresses": .stringConvertible(removed.addresses),
                "auditEntries": .stringConvertible(removed.auditEntries),
                "decisions": .stringConvertible(removed.decisions),
            ])
    }
}
