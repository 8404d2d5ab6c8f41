import base64, hmac, time

# The body is the bytes of the request, before anything parses them. In Flask:
# if not is_genuine(SECRET, request.headers, request.get_data()): abort(401)
def is_genuine(secret, headers, body):
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    id, sent, signatures = (headers.get(name, "") for name in names)
    if not sent.isdigit() or abs(time.time() - int(sent)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{id}.{sent}.".encode() + body
    digest = hmac.digest(key, signed, "sha256")
    expected = "v1," + base64.b64encode(digest).decode()
    return any(
        hmac.compare_digest(one.encode(), expected.encode())
        for one in signatures.split(" ")
    )
