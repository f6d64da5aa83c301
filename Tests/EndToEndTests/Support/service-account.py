"""What a backend does with a service account, by firebase-admin: a custom token, and an access token for the admin API.

Usage: service-account.py KEY_FILE, with BROKER and API_KEY in the environment. Prints one JSON document.
"""
import json
import os
import sys
import urllib.request

import firebase_admin
from firebase_admin import auth, credentials

broker = os.environ["BROKER"]


def post(path, body, headers={}):
    request = urllib.request.Request(
        broker + path, json.dumps(body).encode(), {"Content-Type": "application/json", **headers})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


with open(sys.argv[1]) as file:
    key = json.load(file)
# The test's broker has a free port, which its public URL does not name.
key["token_uri"] = broker + "/oauth/service-accounts/token"
credential = credentials.Certificate(key)
firebase_admin.initialize_app(credential)

token = auth.create_custom_token("ada", {"role": "editor"}).decode()
session = post(
    "/v1/accounts:signInWithCustomToken?key=" + os.environ["API_KEY"], {"token": token, "returnSecureToken": True})
access = credential.get_access_token().access_token
users = post("/v1/broker/admin/users.list", {}, {"Authorization": "Bearer " + access})
print(json.dumps({
    "idToken": session["idToken"], "accessToken": access[:5], "users": [user["localId"] for user in users["users"]]}))
