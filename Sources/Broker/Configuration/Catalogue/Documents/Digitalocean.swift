extension ProviderCatalogue {
    static let digitalocean = #"""
        {
          "id": "oauth2.digitalocean",
          "name": "DigitalOcean",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://cloud.digitalocean.com/v1/oauth/authorize",
            "tokenUrl": "https://cloud.digitalocean.com/v1/oauth/token",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "claims": {
              "subject": { "in": "token", "pointer": "/info/uuid" },
              "email": { "in": "token", "pointer": "/info/email" },
              "displayName": { "in": "token", "pointer": "/info/name" }
            }
          },
          "button": { "text": "Continue with DigitalOcean", "background": "#0069FF", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://docs.digitalocean.com/reference/api/oauth/",
            "console": "https://cloud.digitalocean.com/account/api/applications"
          },
          "registration": [
            "Register an OAuth application in the control panel, under API.",
            "Enter the callback URL.",
            "Copy the client ID and the client secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://cloud.digitalocean.com/v1/oauth/authorize with client_id, redirect_uri and response_type=code.",
              "about": ["endpoints"],
              "page": "https://docs.digitalocean.com/reference/api/oauth/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://cloud.digitalocean.com/v1/oauth/token; refreshing has an endpoint of its own, /v1/oauth/refresh.",
              "about": ["endpoints"],
              "page": "https://docs.digitalocean.com/reference/api/oauth/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret as parameters of the token request.",
              "about": ["authentication"],
              "page": "https://docs.digitalocean.com/reference/api/oauth/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The parameter scope is optional.",
              "about": ["scopes"],
              "page": "https://docs.digitalocean.com/reference/api/oauth/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token answer has the member info with uuid, name, email, team_uuid and team_name, so no request for the profile is needed.",
              "about": ["userinfo"],
              "page": "https://docs.digitalocean.com/reference/api/oauth/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Nothing says that the address is verified.",
              "page": "https://docs.digitalocean.com/reference/api/oauth/",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
