extension ProviderCatalogue {
    static let naver = #"""
        {
          "id": "oauth2.naver",
          "name": "NAVER",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://nid.naver.com/oauth2.0/authorize",
            "tokenUrl": "https://nid.naver.com/oauth2.0/token",
            "userinfoUrl": "https://openapi.naver.com/v1/nid/me",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "requiredClaims": { "/resultcode": "00" },
            "claims": {
              "subject": "/response/id",
              "email": "/response/email",
              "displayName": ["/response/name", "/response/nickname"],
              "screenName": "/response/nickname",
              "pictureUrl": "/response/profile_image"
            }
          },
          "button": { "text": "Continue with NAVER", "background": "#03C75A", "foreground": "#000000" },
          "links": {
            "documentation": "https://developers.naver.com/docs/login/api/api.md",
            "console": "https://developers.naver.com/apps/",
            "brand": "https://developers.naver.com/docs/login/bi/bi.md"
          },
          "registration": [
            "Register an application with the API NAVER Login.",
            "Choose the members that are asked for: name, nickname, address, picture.",
            "Enter the service URL and the callback URL.",
            "Every user is new after a change of the application."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://nid.naver.com/oauth2.0/authorize with response_type, client_id, redirect_uri and state.",
              "about": ["endpoints"],
              "page": "https://github.com/naver/naver-openapi-guide/blob/05886e853439de7965711afa6c8215ccb51df757/ko/login/api/api.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is https://nid.naver.com/oauth2.0/token, by GET or POST, with grant_type, client_id, client_secret, code and state.",
              "about": ["endpoints", "authentication"],
              "page": "https://github.com/naver/naver-openapi-guide/blob/05886e853439de7965711afa6c8215ccb51df757/ko/login/api/api.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The profile is GET https://openapi.naver.com/v1/nid/me with a bearer token.",
              "page": "https://github.com/naver/naver-openapi-guide/blob/05886e853439de7965711afa6c8215ccb51df757/ko/login/profile/profile.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "response.id is a serial number of the user, unique for one application and different at another; the login name is not in the answer.",
              "about": ["userinfo"],
              "page": "https://github.com/naver/naver-openapi-guide/blob/05886e853439de7965711afa6c8215ccb51df757/ko/login/profile/profile.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "response.email is the address in the user's settings, which may be an outside one; nothing says that it is verified.",
              "page": "https://github.com/naver/naver-openapi-guide/blob/05886e853439de7965711afa6c8215ccb51df757/ko/login/profile/profile.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "resultcode is the code of the result, 00 in the example; name, nickname and profile_image are members of response.",
              "page": "https://github.com/naver/naver-openapi-guide/blob/05886e853439de7965711afa6c8215ccb51df757/ko/login/profile/profile.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The pages say nothing of PKCE and of scopes: the permissions are set at the application.",
              "about": ["scopes"],
              "page": "https://github.com/naver/naver-openapi-guide/blob/05886e853439de7965711afa6c8215ccb51df757/ko/login/api/api.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
