import argparse, json, os, re, urllib.request

URL, KEY = os.environ["URL"], os.environ["KEY"]

def pages(path):
    url = f"{URL}/{path}"
    while url:
        request = urllib.request.Request(url, headers={"X-Api-Key": KEY})
        with urllib.request.urlopen(request) as answer:
            yield json.load(answer)
            following = re.search('<([^>]+)>; rel="next"', answer.headers["Link"])
        url = following and following[1]

def say(type, **message):
    print(json.dumps({"type": type, **message}), flush=True)

text = ["string", "null"]
fields = {"id": "string", "version": "integer", "email": text, "phone": text, "_sdc_deleted_at": text}
properties = {name: {"type": type} for name, type in fields.items()}
say("SCHEMA", stream="contacts", key_properties=["id"], schema={"type": "object", "properties": properties})

def keep(record):
    say("RECORD", stream="contacts", record={name: record.get(name) for name in fields})

options = argparse.ArgumentParser()
options.add_argument("--state")
known, _ = options.parse_known_args()
if known.state:
    state = json.load(open(known.state))
else:
    # What changes after this number, or is deleted while the list is read, is in the list of changes.
    newest = next(pages("changes?limit=1&sort=-number"))["pagination"]["next_after"]
    state = {"after": newest, "reads_list": True}
    say("STATE", value=state)
if state.get("reads_list"):
    for page in pages("contacts?limit=100"):
        for record in page["data"]:
            keep(record)

for page in pages(f"changes?types=contact.*&include=resource&limit=100&after={state['after']}"):
    for change in page["data"]:
        keep(change["contact"] or {**change["resource"], "_sdc_deleted_at": change["at"]})
    say("STATE", value={"after": page["pagination"]["next_after"]})
