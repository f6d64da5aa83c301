extension ProviderCatalogue {
    static let twitter = #"""
        {
          "id": "twitter.com",
          "name": "X",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://x.com/i/oauth2/authorize",
            "tokenUrl": "https://api.x.com/2/oauth2/token",
            "revocationUrl": "https://api.x.com/2/oauth2/revoke",
            "userinfoUrl": "https://api.x.com/2/users/me?user.fields=profile_image_url",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "scopes": ["tweet.read", "users.read", "offline.access"],
            "pkce": true,
            "claims": {
              "subject": "/data/id",
              "displayName": "/data/name",
              "screenName": "/data/username",
              "pictureUrl": "/data/profile_image_url"
            }
          },
          "button": { "text": "Continue with X", "background": "#000000", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code",
            "console": "https://developer.x.com/en/portal/dashboard",
            "brand": "https://about.x.com/en/who-we-are/brand-toolkit"
          },
          "registration": [
            "Create a project and an app in the developer portal.",
            "Set up user authentication: type Web App, the callback URI, permissions Read.",
            "Copy the OAuth 2.0 client id and client secret, not the API key."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://x.com/i/oauth2/authorize with response_type, client_id, redirect_uri, state, code_challenge and code_challenge_method.",
              "about": ["endpoints"],
              "page": "https://github.com/xdevplatform/docs/blob/1f38869440a28cbd190492b1dbb1f7dad83b198d/resources/fundamentals/authentication/oauth-2-0/authorization-code.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://api.x.com/2/oauth2/token, the revocation endpoint POST https://api.x.com/2/oauth2/revoke, both with a form.",
              "about": ["endpoints"],
              "page": "https://github.com/xdevplatform/docs/blob/c1ab9be351f8870b8b64071223f7da2797c5b52e/resources/fundamentals/authentication/oauth-2-0/user-access-token.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Confidential clients authenticate with HTTP Basic; the token request has code, grant_type, redirect_uri and code_verifier.",
              "about": ["authentication"],
              "page": "https://github.com/xdevplatform/docs/blob/c1ab9be351f8870b8b64071223f7da2797c5b52e/resources/fundamentals/authentication/oauth-2-0/user-access-token.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The only grant is the authorization code with PKCE, S256 or plain; a code lives for 30 seconds.",
              "page": "https://github.com/xdevplatform/docs/blob/1f38869440a28cbd190492b1dbb1f7dad83b198d/resources/fundamentals/authentication/oauth-2-0/authorization-code.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Scopes are separated by spaces; users.read opens accounts, offline.access brings a refresh token.",
              "about": ["scopes"],
              "page": "https://github.com/xdevplatform/docs/blob/1f38869440a28cbd190492b1dbb1f7dad83b198d/resources/fundamentals/authentication/oauth-2-0/authorization-code.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The profile is GET https://api.x.com/2/users/me with the access token as a bearer token; by default it has id, name and username, and user.fields asks for more.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/xdevplatform/docs/blob/0e49b1a95f94600bc3ce78bca0162fb9fcd2aa12/x-api/users/lookup/quickstart/authenticated-lookup.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The user stands below data; id is text of digits, username is the handle and can change.",
              "about": ["userinfo"],
              "page": "https://github.com/xdevplatform/docs/blob/0e49b1a95f94600bc3ce78bca0162fb9fcd2aa12/x-api/users/lookup/quickstart/user-lookup.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "users/me needs tweet.read beside users.read, and profile_image_url is one of user.fields.",
              "page": "https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
