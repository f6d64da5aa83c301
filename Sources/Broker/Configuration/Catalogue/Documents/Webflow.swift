extension ProviderCatalogue {
    static let webflow = #"""
        {
          "id": "oauth2.webflow",
          "name": "Webflow",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://webflow.com/oauth/authorize",
            "tokenUrl": "https://api.webflow.com/oauth/access_token",
            "userinfoUrl": "https://api.webflow.com/v2/token/authorized_by",
            "tokenEndpointAuthMethod": "client_secret_post",
            "tokenRequest": { "format": "json" },
            "pkce": false,
            "scopes": ["authorized_user:read"],
            "claims": {
              "subject": "/id",
              "email": "/email",
              "givenName": "/firstName",
              "familyName": "/lastName"
            }
          },
          "button": { "text": "Continue with Webflow", "background": "#146EF5", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://developers.webflow.com/data/reference/oauth-app",
            "console": "https://webflow.com/dashboard"
          },
          "registration": [
            "Register an app in the settings of a workspace, with the building block Data Client.",
            "Enter the redirect URI.",
            "Add the scope to read the authorized user.",
            "Copy the client ID and the client secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://webflow.com/oauth/authorize with response_type=code, client_id, redirect_uri, state and scope.",
              "about": ["endpoints"],
              "page": "https://github.com/webflow/js-webflow-api/blob/08720dc6e7f4e343ce4a00d1bdc2767219a43f94/src/wrapper/WebflowClient.ts",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://api.webflow.com/oauth/access_token with JSON.",
              "about": ["endpoints"],
              "page": "https://github.com/webflow/js-webflow-api/blob/08720dc6e7f4e343ce4a00d1bdc2767219a43f94/src/wrapper/WebflowClient.ts",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret in the JSON.",
              "about": ["authentication"],
              "page": "https://github.com/webflow/js-webflow-api/blob/08720dc6e7f4e343ce4a00d1bdc2767219a43f94/src/wrapper/WebflowClient.ts",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Scopes are separated by spaces; authorized_user:read is needed for the profile.",
              "about": ["scopes"],
              "page": "https://developers.webflow.com/data/reference/token/authorized-by.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET https://api.webflow.com/v2/token/authorized_by with a bearer token answers id, the unique id of the user, email, firstName and lastName.",
              "about": ["endpoints", "userinfo"],
              "page": "https://developers.webflow.com/data/reference/token/authorized-by.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Nothing says that the address is verified.",
              "page": "https://developers.webflow.com/data/reference/token/authorized-by.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
