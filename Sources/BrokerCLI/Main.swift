import BrokerCommand
import Generic
import GitHub

/// The standard build. A company's own is this file in its own package, with its plugins added.
@main
enum Main {
    static func main() async {
        await BrokerProgram.run(plugins: [.github, .oidc, .oauth2])
    }
}
