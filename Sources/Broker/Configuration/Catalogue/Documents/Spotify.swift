extension ProviderCatalogue {
    static let spotify = #"""
        {
          "id": "oauth2.spotify",
          "name": "Spotify",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://accounts.spotify.com/authorize",
            "tokenUrl": "https://accounts.spotify.com/api/token",
            "userinfoUrl": "https://api.spotify.com/v1/me",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "scopes": ["user-read-private", "user-read-email"],
            "pkce": false,
            "claims": {
              "subject": "/id",
              "email": "/email",
              "displayName": "/display_name",
              "pictureUrl": "/images/0/url"
            }
          },
          "button": { "text": "Continue with Spotify", "background": "#1DB954", "foreground": "#000000" },
          "links": {
            "documentation": "https://developer.spotify.com/documentation/web-api/tutorials/code-flow",
            "console": "https://developer.spotify.com/dashboard",
            "brand": "https://developer.spotify.com/documentation/design"
          },
          "registration": [
            "Create an app in the dashboard.",
            "Add the redirect URI; https is needed.",
            "In development mode only users that you have added can sign in."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://accounts.spotify.com/authorize, the token endpoint POST https://accounts.spotify.com/api/token with a form.",
              "about": ["endpoints"],
              "page": "https://developer.spotify.com/documentation/web-api/tutorials/code-flow",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client has to authenticate with HTTP Basic.",
              "about": ["authentication"],
              "page": "https://developer.spotify.com/documentation/web-api/tutorials/code-flow",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Scopes are separated by spaces; user-read-email opens the address, user-read-private country and subscription.",
              "about": ["scopes"],
              "page": "https://developer.spotify.com/documentation/web-api/tutorials/code-flow",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token answer has access_token, token_type Bearer, scope, expires_in and refresh_token.",
              "page": "https://developer.spotify.com/documentation/web-api/tutorials/code-flow",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The profile is the answer of Get Current User's Profile, with id, display_name, email and images.",
              "about": ["userinfo"],
              "page": "https://developer.spotify.com/documentation/web-api/reference/get-current-users-profile",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The page says that the address is unverified and may belong to another person.",
              "page": "https://developer.spotify.com/documentation/web-api/reference/get-current-users-profile",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "display_name is null where it is not available.",
              "page": "https://developer.spotify.com/documentation/web-api/reference/get-current-users-profile",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "PKCE is described as an extension for clients without a secret.",
              "page": "https://developer.spotify.com/documentation/web-api/tutorials/code-flow",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The profile is GET https://api.spotify.com/v1/me with a bearer token.",
              "about": ["endpoints", "userinfo"],
              "page": "https://developer.spotify.com/documentation/web-api/howtos/web-app-profile",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
