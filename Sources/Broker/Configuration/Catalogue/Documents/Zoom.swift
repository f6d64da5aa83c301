extension ProviderCatalogue {
    static let zoom = #"""
        {
          "id": "oauth2.zoom",
          "name": "Zoom",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://zoom.us/oauth/authorize",
            "tokenUrl": "https://zoom.us/oauth/token",
            "userinfoUrl": "https://api.zoom.us/v2/users/me",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "pkce": true,
            "claims": {
              "subject": "/id",
              "email": "/email",
              "givenName": "/first_name",
              "familyName": "/last_name"
            }
          },
          "button": { "text": "Continue with Zoom", "background": "#0B5CFF", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://developers.zoom.us/docs/integrations/oauth/",
            "console": "https://marketplace.zoom.us/user/build",
            "brand": "https://developers.zoom.us/docs/distribute/brand-guidelines/"
          },
          "registration": [
            "Create a general app in the App Marketplace, managed by users.",
            "Enter the redirect URL, and add it to the allow list.",
            "Add the scope user:read:user."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://zoom.us/oauth/authorize with response_type=code, client_id, redirect_uri and state.",
              "about": ["endpoints"],
              "page": "https://github.com/zoom/skills/blob/122118a0d1a5c4a40f5216cb8158cc6299bdef1f/oauth/concepts/oauth-flows.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://zoom.us/oauth/token with a form of grant_type, code and redirect_uri.",
              "about": ["endpoints"],
              "page": "https://github.com/zoom/skills/blob/122118a0d1a5c4a40f5216cb8158cc6299bdef1f/oauth/concepts/oauth-flows.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client authenticates with HTTP Basic.",
              "about": ["authentication"],
              "page": "https://github.com/zoom/skills/blob/122118a0d1a5c4a40f5216cb8158cc6299bdef1f/oauth/concepts/oauth-flows.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "PKCE may be added to the code flow.",
              "page": "https://github.com/zoom/skills/blob/122118a0d1a5c4a40f5216cb8158cc6299bdef1f/rest-api/concepts/authentication-flows.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "user:read:user reads one's own profile; scopes are chosen for the app.",
              "about": ["scopes"],
              "page": "https://github.com/zoom/skills/blob/d8d1124dc09ada508730cd40a1ab2c13deec5644/rest-api/references/users.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET https://api.zoom.us/v2/users/me with a bearer token answers id, email, first_name and last_name; an app of users has to write me.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/zoom/skills/blob/d8d1124dc09ada508730cd40a1ab2c13deec5644/rest-api/references/users.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Nothing says that the address is verified.",
              "page": "https://github.com/zoom/skills/blob/d8d1124dc09ada508730cd40a1ab2c13deec5644/rest-api/references/users.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
