import base64, hmac, time

# The body is the bytes of the request, before anything parses them.
def is_genuine(secret, headers, body):
    id, sent = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(sent)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{id}.{sent}.".encode() + body
    digest = hmac.digest(key, signed, "sha256")
    expected = "v1," + base64.b64encode(digest).decode()
    return any(
        hmac.compare_digest(one, expected)
        for one in headers["webhook-signature"].split(" ")
    )
