extension ProviderCatalogue {
    static let kinde = #"""
        {
          "id": "oidc.kinde",
          "name": "Kinde",
          "use": "oidc",
          "options": {
            "issuer": "https://{host}",
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["openid", "profile", "email", "offline"],
            "claims": {
              "email": "/email",
              "givenName": "/given_name",
              "familyName": "/family_name",
              "pictureUrl": "/picture"
            }
          },
          "variables": [
            {
              "name": "host",
              "description": "Domain of the Kinde business, or its custom domain.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "acme.kinde.com"
            }
          ],
          "button": { "text": "Continue with Kinde", "background": "#0F0F0F", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://docs.kinde.com/developer-tools/about/using-kinde-without-an-sdk/",
            "console": "https://app.kinde.com/admin"
          },
          "registration": [
            "Add an application of the type back-end web.",
            "Add the redirect URI under Allowed callback URLs.",
            "Choose the ways to sign in for it, and copy the client ID and the client secret."
          ],
          "facts": [
            {
              "fact": "The discovery document lies below the business's domain; the authorization endpoint is /oauth2/auth, the token endpoint POST /oauth2/token, userinfo /oauth2/v2/user_profile and the keys /.well-known/jwks.",
              "about": ["endpoints"],
              "page": "https://github.com/kinde-oss/documentation/blob/0016ce4eb09da7b94794568de1f10f932921bde0/src/content/docs/developer-tools/about/using-kinde-without-an-sdk.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "A back-end application sends client_id and client_secret in the form of the token request.",
              "about": ["authentication"],
              "page": "https://github.com/kinde-oss/documentation/blob/0016ce4eb09da7b94794568de1f10f932921bde0/src/content/docs/developer-tools/about/using-kinde-without-an-sdk.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes openid, profile, email and offline are separated by spaces; offline brings a refresh token.",
              "about": ["scopes"],
              "page": "https://github.com/kinde-oss/documentation/blob/0016ce4eb09da7b94794568de1f10f932921bde0/src/content/docs/developer-tools/about/using-kinde-without-an-sdk.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub identifies the user; given_name, family_name, email and picture are claims of the ID token.",
              "about": ["userinfo"],
              "page": "https://github.com/kinde-oss/documentation/blob/0016ce4eb09da7b94794568de1f10f932921bde0/src/content/docs/developer-tools/about/using-kinde-without-an-sdk.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "State must have at least eight characters; ID tokens are signed with RS256.",
              "page": "https://github.com/kinde-oss/documentation/blob/0016ce4eb09da7b94794568de1f10f932921bde0/src/content/docs/developer-tools/about/using-kinde-without-an-sdk.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
