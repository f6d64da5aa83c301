extension ProviderCatalogue {
    static let railway = #"""
        {
          "id": "oauth2.railway",
          "name": "Railway",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://backboard.railway.com/oauth/auth",
            "tokenUrl": "https://backboard.railway.com/oauth/token",
            "userinfoUrl": "https://backboard.railway.com/oauth/me",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "pkce": true,
            "scopes": ["openid", "email", "profile"],
            "claims": { "subject": "/sub", "email": "/email", "displayName": "/name", "pictureUrl": "/picture" }
          },
          "button": { "text": "Continue with Railway", "background": "#0B0D0E", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://docs.railway.com/integrations/oauth/login-and-tokens",
            "console": "https://railway.com/workspace/developer"
          },
          "registration": [
            "Create an OAuth app in the settings of a workspace, of the type web.",
            "Enter the redirect URI.",
            "Copy the client ID and the client secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://backboard.railway.com/oauth/auth with response_type=code, client_id, redirect_uri, scope and state.",
              "about": ["endpoints"],
              "page": "https://github.com/railwayapp/docs/blob/6b2cbc2361caf078e0c188326aea579d3d15d913/content/docs/integrations/oauth/login-and-tokens.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://backboard.railway.com/oauth/token with a form of grant_type, code and redirect_uri.",
              "about": ["endpoints"],
              "page": "https://github.com/railwayapp/docs/blob/6b2cbc2361caf078e0c188326aea579d3d15d913/content/docs/integrations/oauth/login-and-tokens.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client authenticates with HTTP Basic; PKCE with S256 is recommended beside it.",
              "about": ["authentication"],
              "page": "https://github.com/railwayapp/docs/blob/6b2cbc2361caf078e0c188326aea579d3d15d913/content/docs/integrations/oauth/login-and-tokens.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes are separated by spaces; openid is required, and offline_access needs prompt=consent.",
              "about": ["scopes"],
              "page": "https://github.com/railwayapp/docs/blob/72964c2a36a4d3195a030061db7c7a4b4bada4ca/content/docs/integrations/oauth/scopes-and-user-consent.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET https://backboard.railway.com/oauth/me with a bearer token answers sub, email, name and picture; the ID token has none of them but sub.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/railwayapp/docs/blob/6b2cbc2361caf078e0c188326aea579d3d15d913/content/docs/integrations/oauth/login-and-tokens.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is unique and stable for the user.",
              "about": ["userinfo"],
              "page": "https://github.com/railwayapp/docs/blob/72964c2a36a4d3195a030061db7c7a4b4bada4ca/content/docs/integrations/oauth/scopes-and-user-consent.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Nothing says that the address is verified.",
              "page": "https://github.com/railwayapp/docs/blob/6b2cbc2361caf078e0c188326aea579d3d15d913/content/docs/integrations/oauth/login-and-tokens.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
