extension ProviderCatalogue {
    static let strava = #"""
        {
          "id": "oauth2.strava",
          "name": "Strava",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://www.strava.com/oauth/authorize",
            "tokenUrl": "https://www.strava.com/oauth/token",
            "userinfoUrl": "https://www.strava.com/api/v3/athlete",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "scopes": ["read"],
            "claims": {
              "subject": "/id",
              "givenName": "/firstname",
              "familyName": "/lastname",
              "screenName": "/username",
              "pictureUrl": "/profile"
            }
          },
          "button": { "text": "Continue with Strava", "background": "#FC5200", "foreground": "#000000" },
          "links": {
            "documentation": "https://developers.strava.com/docs/authentication/",
            "console": "https://www.strava.com/settings/api",
            "brand": "https://developers.strava.com/guidelines/"
          },
          "registration": [
            "Create an application in the API settings.",
            "Set the authorization callback domain to the host of the redirect URI.",
            "A new application admits its owner alone until Strava has reviewed it."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://www.strava.com/oauth/authorize with client_id, redirect_uri, response_type=code and scope.",
              "about": ["endpoints"],
              "page": "https://developers.strava.com/docs/authentication/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://www.strava.com/oauth/token.",
              "about": ["endpoints"],
              "page": "https://developers.strava.com/docs/authentication/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret in the form.",
              "about": ["authentication"],
              "page": "https://developers.strava.com/docs/authentication/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Scopes are separated by commas; read gives the public profile, and the user may take each of them away.",
              "about": ["scopes"],
              "page": "https://developers.strava.com/docs/authentication/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token answer has the member athlete, a summary; GET https://www.strava.com/api/v3/athlete with a bearer token answers the athlete.",
              "about": ["endpoints"],
              "page": "https://developers.strava.com/docs/authentication/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "id is the unique identifier of the athlete.",
              "about": ["userinfo"],
              "page": "https://developers.strava.com/docs/reference/#api-models-SummaryAthlete",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "firstname, lastname, username and profile are members of the athlete; there is no address.",
              "page": "https://developers.strava.com/docs/authentication/",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
