extension ProviderCatalogue {
    static let slack = #"""
        {
          "id": "oidc.slack",
          "name": "Slack",
          "use": "oidc",
          "options": {
            "issuer": "https://slack.com",
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["openid", "email", "profile"],
            "requiredClaims": { "https://slack.com/team_id": "{team}" },
            "authorizationParameters": { "team": "{team}" },
            "claims": {
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name",
              "givenName": "/given_name",
              "familyName": "/family_name",
              "pictureUrl": "/picture"
            }
          },
          "variables": [
            {
              "name": "team",
              "description": "The id of the workspace.",
              "pattern": "^[TE][A-Z0-9]{2,20}$",
              "example": "T0R7GR"
            }
          ],
          "button": { "text": "Continue with Slack", "background": "#4A154B", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://docs.slack.dev/authentication/sign-in-with-slack/",
            "console": "https://api.slack.com/apps",
            "brand": "https://slack.com/media-kit"
          },
          "registration": [
            "Create an app and add the redirect URL under OAuth & Permissions.",
            "Add the user token scopes openid, email and profile.",
            "One entry is for one workspace: copy its id, which begins with T."
          ],
          "facts": [
            {
              "fact": "The issuer is https://slack.com; the authorization endpoint is https://slack.com/openid/connect/authorize, the token endpoint https://slack.com/api/openid.connect.token, userinfo https://slack.com/api/openid.connect.userInfo.",
              "about": ["endpoints", "userinfo"],
              "page": "https://api.slack.com/.well-known/openid-configuration",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "ID tokens are signed with RS256; clients authenticate with client_secret_post or client_secret_basic; the scopes are openid, profile and email.",
              "about": ["authentication", "scopes"],
              "page": "https://api.slack.com/.well-known/openid-configuration",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token request is a form with client_id, client_secret, code, redirect_uri and grant_type; redirect_uri is required if it was sent to the authorization endpoint.",
              "about": ["endpoints", "authentication"],
              "page": "https://docs.slack.dev/reference/methods/openid.connect.token",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "userInfo takes the token in the Authorization header and answers ok, sub, email, email_verified, name, given_name, family_name, picture and https://slack.com/team_id.",
              "about": ["userinfo"],
              "page": "https://docs.slack.dev/reference/methods/openid.connect.userInfo/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "email_verified and date_email_verified say that and when the address was verified.",
              "page": "https://docs.slack.dev/reference/methods/openid.connect.userInfo/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The id of a user is unique within a workspace only, and the parameter team chooses the workspace.",
              "page": "https://docs.slack.dev/authentication/sign-in-with-slack/",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
