import Acme
import Apple
import BrokerCommand
import Generic
import GitHub
import GitLab
import OnePass

/// The standard build, and Acme's directory.
@main
enum Main {
    static func main() async {
        await BrokerProgram.run(plugins: [.acme, .github, .gitlab, .apple, .onePass, .oidc, .oauth2])
    }
}
