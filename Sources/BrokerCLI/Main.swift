import BrokerCommand
import ProviderKit
import StandardProviders

/// The standard build. A company's own is this file in its own package, with its plugins added.
@main
enum Main {
    static func main() async {
        await BrokerProgram.run(plugins: ProviderPlugin.standard)
    }
}
