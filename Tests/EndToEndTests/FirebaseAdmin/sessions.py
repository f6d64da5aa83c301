"""firebase_admin.auth: session cookies and custom tokens."""
import datetime
import json
import sys
import urllib.request

import broker_admin
from firebase_admin import auth

signed_in = json.load(sys.stdin)


def refuses(kind, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except kind as error:
        assert type(error) is kind, (type(error), error)
    else:
        raise AssertionError(f"{call.__name__} raised no {kind.__name__}")


# create_session_cookie, verify_session_cookie
cookie = auth.create_session_cookie(signed_in["idToken"], expires_in=datetime.timedelta(days=5))
claims = auth.verify_session_cookie(cookie, check_revoked=True)
token = auth.verify_id_token(signed_in["idToken"])
assert claims["uid"] == token["uid"] == signed_in["localId"] and claims["auth_time"] == token["auth_time"]
assert claims["exp"] - claims["iat"] == 5 * 86_400 and claims["firebase"] == token["firebase"]
refuses(auth.InvalidSessionCookieError, auth.verify_session_cookie, signed_in["idToken"])
refuses(auth.InvalidIdTokenError, auth.verify_id_token, cookie)
refuses(auth.InvalidIdTokenError, auth.create_session_cookie, cookie, expires_in=3600)
refuses(auth.InvalidSessionCookieError, auth.verify_session_cookie, cookie[:-8] + "AAAAAAAA")

# create_custom_token, and the sign-in with it
custom = auth.create_custom_token("custom-uid", {"premium": True}).decode()
request = urllib.request.Request(
    f"{broker_admin.broker}/v1/accounts:signInWithCustomToken?key={signed_in['apiKey']}",
    data=json.dumps({"token": custom, "returnSecureToken": True}).encode(),
    headers={"Content-Type": "application/json"})
with urllib.request.urlopen(request) as answer:
    custom_session = json.load(answer)
custom_claims = auth.verify_id_token(custom_session["idToken"], check_revoked=True)
assert custom_claims["uid"] == "custom-uid" and custom_claims["premium"] is True
assert custom_claims["firebase"]["sign_in_provider"] == "custom"

# A revocation ends cookies.
auth.update_user(signed_in["localId"], valid_since=claims["iat"] + 1)
refuses(auth.RevokedSessionCookieError, auth.verify_session_cookie, cookie, check_revoked=True)
refuses(auth.InvalidIdTokenError, auth.create_session_cookie, "garbage", expires_in=3600)
print("sessions ok")
