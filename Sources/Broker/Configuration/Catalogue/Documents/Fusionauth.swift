extension ProviderCatalogue {
    static let fusionauth = #"""
        {
          "id": "oidc.fusionauth",
          "name": "FusionAuth",
          "use": "oidc",
          "options": {
            "issuer": "https://{host}",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "scopes": ["openid", "email", "profile", "offline_access"],
            "claims": {
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name",
              "givenName": "/given_name",
              "familyName": "/family_name",
              "screenName": "/preferred_username",
              "pictureUrl": "/picture"
            }
          },
          "variables": [
            {
              "name": "host",
              "description": "Host name of the FusionAuth installation.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "acme.fusionauth.example"
            }
          ],
          "button": { "text": "Continue with FusionAuth", "background": "#F58320", "foreground": "#000000" },
          "links": {
            "documentation": "https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/endpoints",
            "console": "https://fusionauth.io/docs/get-started/core-concepts/applications"
          },
          "registration": [
            "In the tenant's settings, set the issuer to https:// and the host name.",
            "Add an application; under OAuth add the redirect URI, and require client authentication.",
            "Under JWT, choose an RS256 key for the ID token.",
            "Copy the client id and the client secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is /oauth2/authorize.",
              "about": ["endpoints"],
              "page": "https://github.com/FusionAuth/fusionauth-site/blob/05b9a0ccae776d709051c514a8b040f9bbe2d51d/astro/src/content/docs/lifecycle/authenticate-users/oauth/index.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST /oauth2/token, userinfo /oauth2/userinfo, the keys /.well-known/jwks.json and the discovery document /.well-known/openid-configuration.",
              "about": ["endpoints"],
              "page": "https://github.com/FusionAuth/fusionauth-site/blob/009ece477d7906c260b4771e8e3d605bcddbce3e/astro/src/content/docs/lifecycle/authenticate-users/oauth/endpoints.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client authenticates with HTTP Basic or with client_id and client_secret in the form.",
              "about": ["authentication"],
              "page": "https://github.com/FusionAuth/fusionauth-site/blob/07208d60f6a8b27bc3b87bb7139a5e6e5a35d073/astro/src/content/docs/lifecycle/authenticate-users/oauth/_authorization-header.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes openid, email, profile and offline_access are separated by spaces.",
              "about": ["scopes"],
              "page": "https://github.com/FusionAuth/fusionauth-site/blob/10887f85dccd587e44c16dc18f1000dac102b785/astro/src/content/docs/lifecycle/authenticate-users/oauth/scopes.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is the unique id of the user, a UUID.",
              "about": ["userinfo"],
              "page": "https://github.com/FusionAuth/fusionauth-site/blob/009ece477d7906c260b4771e8e3d605bcddbce3e/astro/src/content/docs/lifecycle/authenticate-users/oauth/tokens.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "email and email_verified come with the scope email; name, given_name, family_name, preferred_username and picture with profile.",
              "about": ["userinfo"],
              "page": "https://github.com/FusionAuth/fusionauth-site/blob/10887f85dccd587e44c16dc18f1000dac102b785/astro/src/content/docs/lifecycle/authenticate-users/oauth/scopes.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "iss is what the tenant's settings name as issuer; it has to be the address of the installation for discovery.",
              "page": "https://github.com/FusionAuth/fusionauth-site/blob/009ece477d7906c260b4771e8e3d605bcddbce3e/astro/src/content/docs/lifecycle/authenticate-users/oauth/tokens.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "ID tokens are signed with the key of the application: it has to be an RSA key.",
              "page": "https://github.com/FusionAuth/fusionauth-site/blob/009ece477d7906c260b4771e8e3d605bcddbce3e/astro/src/content/docs/lifecycle/authenticate-users/oauth/endpoints.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
