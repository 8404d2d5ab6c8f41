"""A program of a client developer, with types generated from openapi.json. URL and KEY are what `npm start` prints."""

import json
import os
import sys
import types
from datetime import datetime

from pyodide.http import pyfetch

# The types read times with dateutil, which this Python has not; it reads those of RFC 3339 itself.
parser = types.SimpleNamespace(parse=datetime.fromisoformat)
sys.modules["dateutil"] = types.SimpleNamespace(parser=parser)
sys.modules["dateutil.parser"] = parser

import api


class ApiError(Exception):
    """An answer that is an error. Its message says what is allowed."""


async def call(read, method, path, sent=None, **headers):
    """The body of an answer, as the type that `read` makes. Raises ApiError."""
    given = {"X-Api-Key": os.environ["KEY"], "Content-Type": "application/json", **headers}
    body = {} if sent is None else {"body": json.dumps(sent)}
    response = await pyfetch(os.environ["URL"] + path, method=method, headers=given, **body)
    answer = None if response.status == 204 else await response.json()
    if not response.ok:
        raise ApiError(api.error_body_from_dict(answer).message)
    return read(answer)


async def walk(read, path):
    """A whole list, page by page."""
    records = []
    while True:
        page = await call(read, "GET", f"{path}?limit=100&offset={len(records)}")
        records += page.data
        if len(records) >= page.pagination.total:
            return records


me = await call(api.me_from_dict, "GET", "/me")

fields = {"plan": "gold", "points": 9007199254740991, "price": 123456789.125, "invited": True}
draft = api.ContactDraft(email="ada@example.com", custom_fields=fields)
contact = await call(api.contact_from_dict, "POST", "/contacts", draft.to_dict())
patch = api.contact_patch_from_dict({"address": {"city": "London"}, "custom_fields": {"plan": None}})
change = {"If-Match": f'"{contact.version}"'}
changed = await call(
    api.contact_from_dict, "PATCH", f"/contacts/{contact.id}", patch.to_dict(), **change
)

wanted = api.WebhookSubscriptionDraft(
    url="http://127.0.0.1:4000/python",
    event_types=[api.WebhookEventTypeInput.CONTACT],
    status=api.WebhookStatusInput.PAUSED,
)
subscription = await call(
    api.webhook_subscription_with_secret_from_dict, "POST", "/webhook-subscriptions", wanted.to_dict()
)

await call(bool, "DELETE", f"/webhook-subscriptions/{subscription.id}")

orders = await walk(api.order_list_from_dict, "/orders")
registrations = await walk(api.event_registration_list_from_dict, "/event-registrations")
contacts = await walk(api.contact_list_from_dict, "/contacts")

try:
    refused = await call(api.order_from_dict, "GET", f"/orders/{contact.id}")
except ApiError as error:
    refused = str(error)

print(
    json.dumps(
        {
            "account": me.account,
            "written": contact.custom_fields == fields,
            "changed": [changed.version, changed.address.city, "plan" in changed.custom_fields],
            "contacts": len(contacts),
            "subscription": subscription.status,
            "orders": [[order.status, order.billing_address is None] for order in orders],
            "answers": [answer.value for one in registrations for answer in one.answers],
            "refused": refused,
        }
    )
)
