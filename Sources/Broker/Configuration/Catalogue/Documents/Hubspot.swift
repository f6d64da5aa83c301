extension ProviderCatalogue {
    static let hubspot = #"""
        {
          "id": "oauth2.hubspot",
          "name": "HubSpot",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://app.hubspot.com/oauth/authorize",
            "tokenUrl": "https://api.hubapi.com/oauth/v1/token",
            "userinfoUrl": "https://api.hubapi.com/oauth/v1/access-tokens/{/access_token}",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "scopes": ["oauth"],
            "claims": { "subject": "/user_id", "email": "/user" }
          },
          "button": { "text": "Continue with HubSpot", "background": "#FF7A59", "foreground": "#000000" },
          "links": {
            "documentation": "https://developers.hubspot.com/docs/apps/legacy-apps/authentication/oauth-quickstart-guide",
            "console": "https://app.hubspot.com/l/developer-projects"
          },
          "registration": [
            "Create an app in a developer account.",
            "Add the redirect URL, and the scope oauth.",
            "Copy the client ID and the client secret.",
            "For one HubSpot account only, add requiredClaims with hub_id to the entry."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://app.hubspot.com/oauth/authorize with client_id, scope, redirect_uri and state.",
              "about": ["endpoints"],
              "page": "https://developers.hubspot.com/docs/apps/legacy-apps/authentication/oauth-quickstart-guide",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://api.hubapi.com/oauth/v1/token with a form.",
              "about": ["endpoints"],
              "page": "https://developers.hubspot.com/docs/apps/legacy-apps/authentication/oauth-quickstart-guide",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret in the form.",
              "about": ["authentication"],
              "page": "https://developers.hubspot.com/docs/apps/legacy-apps/authentication/oauth-quickstart-guide",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Scopes are separated by spaces, and have to be those of the app.",
              "about": ["scopes"],
              "page": "https://developers.hubspot.com/docs/apps/legacy-apps/authentication/oauth-quickstart-guide",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET https://api.hubapi.com/oauth/v1/access-tokens/TOKEN answers user_id, the id of the user, user, the user's address, hub_id and hub_domain.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/HubSpot/HubSpot-public-api-spec-collection/blob/000ca44b4852a2a33857d28a8a7ccf37d4762ad7/PublicApiSpecs/Auth/Oauth/Rollouts/155908/v1/oauth.json",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "This operation is marked as deprecated.",
              "page": "https://github.com/HubSpot/HubSpot-public-api-spec-collection/blob/000ca44b4852a2a33857d28a8a7ccf37d4762ad7/PublicApiSpecs/Auth/Oauth/Rollouts/155908/v1/oauth.json",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "oauth is a scope that every app has.",
              "page": "https://developers.hubspot.com/docs/apps/legacy-apps/authentication/oauth-quickstart-guide",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
