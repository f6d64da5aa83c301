"""firebase_admin.auth at the emulator: a user of a custom token links a provider that no sign-in has named."""
import json
import os
import sys
import urllib.parse
import urllib.request

import broker_admin
from firebase_admin import auth

signed_in = json.load(sys.stdin)


def post(method, fields):
    host = os.environ["FIREBASE_AUTH_EMULATOR_HOST"]
    url = f"http://{host}/identitytoolkit.googleapis.com/v1/accounts:{method}?key={signed_in['apiKey']}"
    request = urllib.request.Request(
        url, json.dumps(fields).encode(), {"Content-Type": "application/json"}, method="POST")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


session = post("signInWithCustomToken", {"token": auth.create_custom_token("grace").decode()})
credential = json.dumps({"sub": "9", "name": "Grace"})
linked = post("signInWithIdp", {
    "requestUri": "http://localhost", "idToken": session["idToken"],
    "postBody": urllib.parse.urlencode({"id_token": credential, "providerId": "oidc.link"})})
assert linked["oauthIdToken"] == credential and linked["localId"] == "grace", linked
assert [(one.provider_id, one.uid) for one in auth.get_user("grace").provider_data] == [("oidc.link", "9")]
assert auth.verify_id_token(linked["idToken"])["uid"] == "grace"
print("provider_link ok")
