extension ProviderCatalogue {
    static let calendly = #"""
        {
          "id": "oauth2.calendly",
          "name": "Calendly",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://auth.calendly.com/oauth/authorize",
            "tokenUrl": "https://auth.calendly.com/oauth/token",
            "userinfoUrl": "https://api.calendly.com/users/me",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "pkce": true,
            "claims": {
              "subject": "/resource/uri",
              "email": "/resource/email",
              "displayName": "/resource/name",
              "pictureUrl": "/resource/avatar_url"
            }
          },
          "button": { "text": "Continue with Calendly", "background": "#006BFF", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://developer.calendly.com/docs/authentication/how-to-access-calendly-data-on-behalf-of-authenticated-users",
            "console": "https://developer.calendly.com/console/apps"
          },
          "registration": [
            "Create an OAuth app in the developer account.",
            "Choose the kind Web and enter the redirect URI.",
            "Choose the scope users:read.",
            "Copy the client ID and the client secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://auth.calendly.com/oauth/authorize with client_id, response_type=code and redirect_uri; PKCE is recommended.",
              "about": ["endpoints"],
              "page": "https://developer.calendly.com/api-docs/calendly-o-auth/o-auth/get-oauth-authorize.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://auth.calendly.com/oauth/token with a form.",
              "about": ["endpoints"],
              "page": "https://developer.calendly.com/api-docs/calendly-o-auth/o-auth/post-oauth-refresh-token.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "A web client authenticates with HTTP Basic.",
              "about": ["authentication"],
              "page": "https://developer.calendly.com/api-docs/calendly-o-auth/o-auth/post-oauth-refresh-token.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The profile needs the scope users:read, which the app is configured with.",
              "about": ["scopes"],
              "page": "https://developer.calendly.com/api-docs/calendly-api/users/get-user.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET https://api.calendly.com/users/me with a bearer token answers resource.",
              "about": ["endpoints", "userinfo"],
              "page": "https://developer.calendly.com/api-docs/calendly-api/users/get-user.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "resource.uri is the URI of the user, which names its id; it does not change.",
              "about": ["userinfo"],
              "page": "https://developer.calendly.com/docs/api-guides/how-to-find-the-organization-or-user-uri.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "resource has email, name and avatar_url too; nothing says that the address is verified.",
              "about": ["userinfo"],
              "page": "https://developer.calendly.com/docs/authentication/how-to-access-calendly-data-on-behalf-of-authenticated-users",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
