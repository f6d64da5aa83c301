extension ProviderCatalogue {
    static let cloudfoundry = #"""
        {
          "id": "oauth2.cloudfoundry",
          "name": "Cloud Foundry UAA",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://{host}/oauth/authorize",
            "tokenUrl": "https://{host}/oauth/token",
            "userinfoUrl": "https://{host}/userinfo",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "pkce": false,
            "scopes": ["openid"],
            "claims": { "subject": "/user_id", "email": "/email" }
          },
          "variables": [
            {
              "name": "host",
              "description": "Host name of the UAA.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "uaa.mail.example"
            }
          ],
          "button": { "text": "Continue with Cloud Foundry", "background": "#0C2F55", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://docs.cloudfoundry.org/api/uaa/",
            "console": "https://docs.cloudfoundry.org/uaa/uaa-user-management.html"
          },
          "registration": [
            "Create a client in UAA with the grant authorization_code and the scope openid.",
            "Give it the redirect URI and a secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is /oauth/authorize with response_type=code, client_id, scope and redirect_uri.",
              "about": ["endpoints"],
              "page": "https://github.com/cloudfoundry/uaa/blob/01377a7656a8d6e224a7952576bf56dd7195fd64/docs/UAA-APIs.rst",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST /oauth/token with the code in a form.",
              "about": ["endpoints"],
              "page": "https://github.com/cloudfoundry/uaa/blob/01377a7656a8d6e224a7952576bf56dd7195fd64/docs/UAA-APIs.rst",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client authenticates with HTTP Basic.",
              "about": ["authentication"],
              "page": "https://github.com/cloudfoundry/uaa/blob/01377a7656a8d6e224a7952576bf56dd7195fd64/docs/UAA-APIs.rst",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scope openid gives access to userinfo; scopes are separated by spaces.",
              "about": ["scopes"],
              "page": "https://github.com/cloudfoundry/uaa/blob/01377a7656a8d6e224a7952576bf56dd7195fd64/docs/UAA-APIs.rst",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET /userinfo answers user_id and email.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/cloudfoundry/uaa/blob/01377a7656a8d6e224a7952576bf56dd7195fd64/docs/UAA-APIs.rst",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The id of a user is a UUID.",
              "about": ["userinfo"],
              "page": "https://github.com/cloudfoundry/uaa/blob/01377a7656a8d6e224a7952576bf56dd7195fd64/docs/UAA-APIs.rst",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
