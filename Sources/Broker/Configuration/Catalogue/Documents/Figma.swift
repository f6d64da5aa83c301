extension ProviderCatalogue {
    static let figma = #"""
        {
          "id": "oauth2.figma",
          "name": "Figma",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://www.figma.com/oauth",
            "tokenUrl": "https://api.figma.com/v1/oauth/token",
            "userinfoUrl": "https://api.figma.com/v1/me",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "pkce": true,
            "scopes": ["current_user:read"],
            "claims": { "subject": "/id", "email": "/email", "displayName": "/handle", "pictureUrl": "/img_url" }
          },
          "button": { "text": "Continue with Figma", "background": "#000000", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://developers.figma.com/docs/rest-api/authentication/",
            "console": "https://www.figma.com/developers/apps"
          },
          "registration": [
            "Create an OAuth app under My apps.",
            "Enter the redirect URL.",
            "Choose the scope current_user:read.",
            "Publish the app, or keep it private to your organisation."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://www.figma.com/oauth, the token endpoint https://api.figma.com/v1/oauth/token.",
              "about": ["endpoints"],
              "page": "https://github.com/figma/rest-api-spec/blob/ddb1f16f639cb2b026d7d018dd0aa070b3415948/openapi/openapi.yaml",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client authenticates with HTTP Basic; PKCE with S256 is supported.",
              "about": ["authentication"],
              "page": "https://developers.figma.com/docs/rest-api/authentication/",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "current_user:read is the scope of the profile.",
              "about": ["scopes"],
              "page": "https://github.com/figma/rest-api-spec/blob/ddb1f16f639cb2b026d7d018dd0aa070b3415948/openapi/openapi.yaml",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET https://api.figma.com/v1/me answers id, the unique stable id of the user, handle, img_url and email, the address of the account.",
              "about": ["userinfo"],
              "page": "https://github.com/figma/rest-api-spec/blob/ddb1f16f639cb2b026d7d018dd0aa070b3415948/openapi/openapi.yaml",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Nothing says that the address is verified.",
              "page": "https://github.com/figma/rest-api-spec/blob/ddb1f16f639cb2b026d7d018dd0aa070b3415948/openapi/openapi.yaml",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
