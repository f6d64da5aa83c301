extension ProviderCatalogue {
    static let asana = #"""
        {
          "id": "oauth2.asana",
          "name": "Asana",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://app.asana.com/-/oauth_authorize",
            "tokenUrl": "https://app.asana.com/-/oauth_token",
            "revocationUrl": "https://app.asana.com/-/oauth_revoke",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": true,
            "scopes": ["users:read"],
            "claims": {
              "subject": { "in": "token", "pointer": "/data/gid" },
              "email": { "in": "token", "pointer": "/data/email" },
              "displayName": { "in": "token", "pointer": "/data/name" }
            }
          },
          "button": { "text": "Continue with Asana", "background": "#F06A6A", "foreground": "#000000" },
          "links": {
            "documentation": "https://developers.asana.com/docs/oauth",
            "console": "https://app.asana.com/0/my-apps"
          },
          "registration": [
            "Create an app in the developer console.",
            "Add the redirect URL under OAuth.",
            "Choose the scope users:read under permission scopes.",
            "Let the app be available to the workspaces of its users."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://app.asana.com/-/oauth_authorize with client_id, redirect_uri, response_type=code and state.",
              "about": ["endpoints"],
              "page": "https://developers.asana.com/docs/oauth",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://app.asana.com/-/oauth_token with a form; revocation is POST https://app.asana.com/-/oauth_revoke.",
              "about": ["endpoints"],
              "page": "https://developers.asana.com/docs/oauth",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret in the form.",
              "about": ["authentication"],
              "page": "https://developers.asana.com/docs/oauth",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "PKCE with S256 is supported.",
              "page": "https://developers.asana.com/docs/oauth",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes are separated by spaces and registered with the app; users:read gives name, address and picture.",
              "about": ["scopes"],
              "page": "https://developers.asana.com/docs/oauth",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token answer has the member data with the user's gid, id, name and email, so no request for the profile is needed.",
              "about": ["userinfo"],
              "page": "https://developers.asana.com/docs/oauth",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Nothing says that the address is verified.",
              "page": "https://developers.asana.com/docs/oauth",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
