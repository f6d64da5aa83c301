import Apple
import BrokerCommand
import Generic
import GitHub
import GitLab
import OnePass

/// The standard build. A company's own is this file in its own package, with its plugins added.
@main
enum Main {
    static func main() async {
        await BrokerProgram.run(plugins: [.github, .gitlab, .apple, .onePass, .oidc, .oauth2])
    }
}
