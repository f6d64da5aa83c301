import Foundation
import ProviderKit

/// A user in the REST API's format.
struct GitLabProfile {
    private let person: GitLabSimulator.Person
    private let url: String

    init(_ person: GitLabSimulator.Person, url: String) {
        self.person = person
        self.url = url
    }

    /// The answer of `GET /api/v4/user`.
    var own: JSONObject { publicPart.merging(privatePart) }

    private var publicPart: JSONObject {
        [
            "id": .integer(person.id), "username": .string(person.username), "name": .string(person.name),
            "state": .string(person.state.rawValue), "locked": .bool(person.isLocked),
            "avatar_url": .string(person.picture(at: url)), "web_url": .string("\(url)/\(person.username)"),
            "created_at": .string(person.createdAt.millisecondText), "bio": "", "location": "",
            "public_email": JSONValue(person.publicEmail), "skype": "", "linkedin": "", "twitter": "", "discord": "",
            "website_url": "", "organization": "", "job_title": "", "pronouns": nil, "bot": false,
            "work_information": nil, "followers": 0, "following": 0, "local_time": nil,
        ]
    }

    private var privatePart: JSONObject {
        [
            "last_sign_in_at": .string(person.createdAt.millisecondText),
            "confirmed_at": JSONValue(person.confirmedAt?.millisecondText), "last_activity_on": nil,
            "email": .string(person.email), "theme_id": 3, "color_scheme_id": 1, "projects_limit": 100_000,
            "current_sign_in_at": .string(person.createdAt.millisecondText), "identities": [],
            "can_create_group": true, "can_create_project": true, "two_factor_enabled": false, "external": false,
            "private_profile": false, "commit_email": .string(person.email),
        ]
    }
}

extension GitLabSimulator.Person {
    /// The address of the user's picture.
    func picture(at url: String) -> String { avatarURL ?? "\(url)/uploads/user/avatar/\(id)" }
}
