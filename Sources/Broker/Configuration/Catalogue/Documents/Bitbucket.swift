extension ProviderCatalogue {
    static let bitbucket = #"""
        {
          "id": "oauth2.bitbucket",
          "name": "Bitbucket",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://bitbucket.org/site/oauth2/authorize",
            "tokenUrl": "https://bitbucket.org/site/oauth2/access_token",
            "userinfoUrl": "https://api.bitbucket.org/2.0/user",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "pkce": false,
            "scopes": ["account", "email"],
            "emails": {
              "url": "https://api.bitbucket.org/2.0/user/emails",
              "list": "/values",
              "nextPage": "/next",
              "address": "/email",
              "primary": "/is_primary",
              "verified": "/is_confirmed"
            },
            "claims": {
              "subject": "/uuid",
              "displayName": "/display_name",
              "screenName": "/username",
              "pictureUrl": "/links/avatar/href"
            }
          },
          "button": { "text": "Continue with Bitbucket", "background": "#0052CC", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://developer.atlassian.com/cloud/bitbucket/oauth-2",
            "console": "https://bitbucket.org/account/workspaces/"
          },
          "registration": [
            "Add an OAuth consumer in the settings of a workspace, as a private consumer.",
            "Enter the callback URL.",
            "Choose the permissions Account: Email and Account: Read."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://bitbucket.org/site/oauth2/authorize with client_id and response_type=code.",
              "about": ["endpoints"],
              "page": "https://developer.atlassian.com/cloud/bitbucket/oauth-2",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://bitbucket.org/site/oauth2/access_token with a form of grant_type and code.",
              "about": ["endpoints"],
              "page": "https://developer.atlassian.com/cloud/bitbucket/oauth-2",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client authenticates with HTTP Basic.",
              "about": ["authentication"],
              "page": "https://developer.atlassian.com/cloud/bitbucket/oauth-2",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "account is the scope of the user, email that of the addresses.",
              "about": ["scopes"],
              "page": "https://developer.atlassian.com/cloud/bitbucket/rest/api-group-users/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET https://api.bitbucket.org/2.0/user with a bearer token answers uuid, display_name and links.avatar.",
              "about": ["endpoints", "userinfo"],
              "page": "https://developer.atlassian.com/cloud/bitbucket/rest/api-group-users/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET /2.0/user/emails answers all addresses, confirmed and unconfirmed ones.",
              "about": ["userinfo"],
              "page": "https://developer.atlassian.com/cloud/bitbucket/rest/api-group-users/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "They are in values, with email, is_primary and is_confirmed.",
              "about": ["userinfo"],
              "page": "https://developer.atlassian.com/cloud/bitbucket/oauth-2",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "A list is in pages of at most 10 elements unless the request asks for more; next is the URL of the next page, and the last page has none.",
              "page": "https://developer.atlassian.com/cloud/bitbucket/rest/intro/#pagination",
              "read": "2026-11-27",
              "verified": "memory"
            }
          ]
        }
        """#
}
