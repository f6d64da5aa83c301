"""firebase_admin.auth: users, custom claims, revocation."""
import json
import sys

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


# create_user
user = auth.create_user(
    uid="chosen-uid", display_name="Grace", email="Grace@Example.com", email_verified=True,
    photo_url="https://example.com/grace.png", disabled=False)
assert user.uid == "chosen-uid" and user.display_name == "Grace" and user.email == "grace@example.com"
assert user.email_verified and not user.disabled and user.photo_url == "https://example.com/grace.png"
assert user.user_metadata.creation_timestamp > 0 and user.user_metadata.last_sign_in_timestamp is None
drawn = auth.create_user()
assert len(drawn.uid) == 28 and drawn.email is None and not drawn.provider_data
refuses(auth.UidAlreadyExistsError, auth.create_user, uid="chosen-uid")
refuses(auth.EmailAlreadyExistsError, auth.create_user, email="GRACE@example.com")

# get_user*, get_users
assert auth.get_user("chosen-uid").email == "grace@example.com"
assert auth.get_user_by_email("GRACE@EXAMPLE.COM").uid == "chosen-uid"
refuses(auth.UserNotFoundError, auth.get_user, "nobody")
refuses(auth.UserNotFoundError, auth.get_user_by_email, "nobody@example.com")
refuses(auth.UserNotFoundError, auth.get_user_by_phone_number, "+15555550100")
ada = auth.get_user(signed_in["localId"])
identity = ada.provider_data[0]
assert identity.provider_id == "github.com" and ada.user_metadata.last_sign_in_timestamp > 0
found = auth.get_users([
    auth.ProviderIdentifier("github.com", identity.uid), auth.EmailIdentifier("grace@example.com"),
    auth.UidIdentifier(ada.uid), auth.UidIdentifier("nobody")])
assert sorted(one.uid for one in found.users) == sorted([ada.uid, "chosen-uid"])
assert [missing.uid for missing in found.not_found] == ["nobody"]

# update_user
changed = auth.update_user(
    "chosen-uid", display_name="Rear Admiral", email="hopper@example.com", photo_url="https://example.com/2.png",
    email_verified=True, disabled=True)
assert (changed.display_name, changed.email, changed.email_verified, changed.disabled) == (
    "Rear Admiral", "hopper@example.com", True, True)
cleared = auth.update_user(
    "chosen-uid", display_name=auth.DELETE_ATTRIBUTE, photo_url=auth.DELETE_ATTRIBUTE,
    phone_number=auth.DELETE_ATTRIBUTE, disabled=False)
assert cleared.display_name is None and cleared.photo_url is None and not cleared.disabled
refuses(auth.EmailAlreadyExistsError, auth.update_user, drawn.uid, email="hopper@example.com")
refuses(auth.UserNotFoundError, auth.update_user, "nobody", display_name="x")

# set_custom_user_claims
auth.set_custom_user_claims("chosen-uid", {"role": "admin", "level": 3})
assert auth.get_user("chosen-uid").custom_claims == {"role": "admin", "level": 3}
auth.set_custom_user_claims("chosen-uid", None)
assert not auth.get_user("chosen-uid").custom_claims
refuses(auth.UserNotFoundError, auth.set_custom_user_claims, "nobody", {})

# verify_id_token, disable, revoke_refresh_tokens
token = signed_in["idToken"]
claims = auth.verify_id_token(token, check_revoked=True)
assert claims["uid"] == ada.uid and claims["firebase"]["sign_in_provider"] == "github.com"
auth.update_user(ada.uid, disabled=True)
refuses(auth.UserDisabledError, auth.verify_id_token, token, check_revoked=True)
auth.update_user(ada.uid, disabled=False)
auth.revoke_refresh_tokens(ada.uid)
assert auth.get_user(ada.uid).tokens_valid_after_timestamp >= claims["iat"] * 1000
auth.update_user(ada.uid, valid_since=claims["iat"] + 1)
refuses(auth.RevokedIdTokenError, auth.verify_id_token, token, check_revoked=True)
assert auth.verify_id_token(token)["uid"] == ada.uid
refuses(auth.InvalidIdTokenError, auth.verify_id_token, token[:-8] + "AAAAAAAA")

# unlink, delete_user
assert not auth.update_user(ada.uid, providers_to_delete=["github.com"]).provider_data
auth.delete_user("chosen-uid")
refuses(auth.UserNotFoundError, auth.delete_user, "chosen-uid")
refuses(auth.UserNotFoundError, auth.get_user, "chosen-uid")
print("users ok")
