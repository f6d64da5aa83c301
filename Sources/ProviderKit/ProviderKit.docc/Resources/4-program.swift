import Acme
import BrokerCommand
import ProviderKit
import StandardProviders

/// The standard build, and Acme's directory.
@main
enum Main {
    static func main() async {
        await BrokerProgram.run(plugins: ProviderPlugin.standard + [.acme])
    }
}
