import argparse, json, os, urllib.request

URL, KEY = os.environ["URL"], os.environ["KEY"]

def get(path):
    request = urllib.request.Request(f"{URL}/{path}", headers={"X-Api-Key": KEY})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)

def say(type, **message):
    print(json.dumps({"type": type, **message}), flush=True)

fields = {"id": "string", "version": "integer", "email": ["string", "null"], "phone": ["string", "null"]}
properties = {name: {"type": type} for name, type in fields.items()}
say("SCHEMA", stream="contacts", key_properties=["id"], schema={"type": "object", "properties": properties})

def keep(record):
    say("RECORD", stream="contacts", record={name: record[name] for name in fields})

options = argparse.ArgumentParser()
options.add_argument("--state")
known, _ = options.parse_known_args()
if known.state:
    after = json.load(open(known.state))["after"]
else:
    # What changes after this number is in the list of changes.
    after = get("changes?limit=1&sort=-number")["pagination"]["next_after"]
    offset = 0
    while page := get(f"contacts?limit=100&offset={offset}")["data"]:
        for record in page:
            keep(record)
        offset += 100

more = True
while more:
    page = get(f"changes?types=contact.*&include=resource&limit=100&after={after}")
    for change in page["data"]:
        keep(change["contact"])
    after, more = page["pagination"]["next_after"], page["pagination"]["has_more"]
    say("STATE", value={"after": after})
