import Foundation
import ProviderKit

/// A user in the REST API's format.
struct GitHubProfile {
    private let person: GitHubSimulator.Person
    private let web: String
    private let api: String

    init(_ person: GitHubSimulator.Person, url: String, apiPath: String) {
        self.person = person
        web = url
        api = url + apiPath
    }

    /// A user in lists.
    var simple: JSONObject {
        let user = "\(api)/users/\(person.login)"
        return [
            "login": .string(person.login), "id": .integer(person.id), "node_id": .string(nodeID),
            "avatar_url": .string(person.avatarURL ?? "\(web)/avatars/u/\(person.id)"), "gravatar_id": "",
            "url": .string(user), "html_url": .string("\(web)/\(person.login)"),
            "followers_url": .string(user + "/followers"),
            "following_url": .string(user + "/following{/other_user}"),
            "gists_url": .string(user + "/gists{/gist_id}"),
            "starred_url": .string(user + "/starred{/owner}{/repo}"),
            "subscriptions_url": .string(user + "/subscriptions"),
            "organizations_url": .string(user + "/orgs"), "repos_url": .string(user + "/repos"),
            "events_url": .string(user + "/events{/privacy}"),
            "received_events_url": .string(user + "/received_events"),
            "type": "User", "user_view_type": "public", "site_admin": .bool(person.siteAdmin),
        ]
    }

    /// The answer of `GET /user`; more with the scope `user`.
    func own(scopes: [String]) -> JSONValue {
        let isFull = scopes.contains("user")
        var profile = simple.merging(publicPart)
        if isFull { profile = profile.merging(privatePart) }
        profile["user_view_type"] = isFull ? "private" : "public"
        return .object(profile)
    }

    private var publicPart: JSONObject {
        let created = JSONValue.string(person.createdAt.ISO8601Format())
        return [
            "name": JSONValue(person.name), "company": nil, "blog": "", "location": nil,
            "email": JSONValue(person.publicEmail), "hireable": nil, "bio": nil, "twitter_username": nil,
            "notification_email": JSONValue(person.publicEmail), "public_repos": 0, "public_gists": 0, "followers": 0,
            "following": 0, "created_at": created, "updated_at": created,
        ]
    }

    private var privatePart: JSONObject {
        [
            "private_gists": 0, "total_private_repos": 0, "owned_private_repos": 0, "disk_usage": 0,
            "collaborators": 0, "two_factor_authentication": true,
            "plan": ["name": "free", "space": 976_562_499, "private_repos": 10000, "collaborators": 0],
        ]
    }

    /// The older of GitHub's two formats.
    private var nodeID: String { Data("04:User\(person.id)".utf8).base64EncodedString() }
}
