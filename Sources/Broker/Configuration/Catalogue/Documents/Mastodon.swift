extension ProviderCatalogue {
    static let mastodon = #"""
        {
          "id": "oauth2.mastodon",
          "name": "Mastodon",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://{instance}/oauth/authorize",
            "tokenUrl": "https://{instance}/oauth/token",
            "revocationUrl": "https://{instance}/oauth/revoke",
            "userinfoUrl": "https://{instance}/api/v1/accounts/verify_credentials",
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["profile"],
            "pkce": false,
            "claims": {
              "subject": "/id",
              "displayName": ["/display_name", "/username"],
              "screenName": "/username",
              "pictureUrl": "/avatar"
            }
          },
          "variables": [
            {
              "name": "instance",
              "description": "The host of the instance.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "social.example"
            }
          ],
          "button": { "text": "Continue with Mastodon", "background": "#6364FF", "foreground": "#000000" },
          "links": {
            "documentation": "https://docs.joinmastodon.org/methods/oauth/",
            "console": "https://{instance}/settings/applications",
            "brand": "https://joinmastodon.org/branding"
          },
          "registration": [
            "On the instance, open Preferences, Development, New application.",
            "Enter the redirect URI.",
            "Choose the scope profile alone; on servers before 4.3 choose read:accounts and set it in options.scopes."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint of an instance is /oauth/authorize, the token endpoint POST /oauth/token, the revocation endpoint POST /oauth/revoke.",
              "about": ["endpoints"],
              "page": "https://github.com/mastodon/documentation/blob/00a74ca9eace55da39d821bdbbcf9f99ea9b8cbe/content/en/methods/oauth.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The form of the token request has client_id and client_secret; both are required.",
              "about": ["authentication"],
              "page": "https://github.com/mastodon/documentation/blob/00a74ca9eace55da39d821bdbbcf9f99ea9b8cbe/content/en/methods/oauth.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Access tokens are sent as a bearer token in the Authorization header.",
              "page": "https://github.com/mastodon/documentation/blob/00a74ca9eace55da39d821bdbbcf9f99ea9b8cbe/content/en/methods/oauth.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scope profile opens GET /api/v1/accounts/verify_credentials alone; it exists since Mastodon 4.3, earlier servers need read:accounts.",
              "about": ["scopes"],
              "page": "https://github.com/mastodon/documentation/blob/0d7b2e5ea3604a68278766d35c9e9e97490e6ccd/content/en/api/oauth-scopes.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Scopes are separated by spaces and have to be among those that the application was registered with.",
              "about": ["scopes"],
              "page": "https://github.com/mastodon/documentation/blob/0d7b2e5ea3604a68278766d35c9e9e97490e6ccd/content/en/api/oauth-scopes.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The member id of the account is text; it is the instance's own and not that of the network.",
              "about": ["userinfo"],
              "page": "https://github.com/mastodon/documentation/blob/02475c3be3b0f30ae6ec857367f29c20e2a2b263/content/en/entities/Account.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "display_name, username and avatar are members of the account; the account has no address.",
              "page": "https://github.com/mastodon/documentation/blob/02475c3be3b0f30ae6ec857367f29c20e2a2b263/content/en/entities/Account.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The stored page of the OAuth methods says nothing of PKCE.",
              "page": "https://github.com/mastodon/documentation/blob/00a74ca9eace55da39d821bdbbcf9f99ea9b8cbe/content/en/methods/oauth.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
