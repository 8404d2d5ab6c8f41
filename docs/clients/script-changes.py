import json, os, urllib.request

URL, KEY, FILE = os.environ["URL"], os.environ["KEY"], "contacts.json"

def get(path):
    request = urllib.request.Request(f"{URL}/{path}", headers={"X-Api-Key": KEY})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)

def keep(copy, record):
    if record["version"] > copy["records"].get(record["id"], {"version": 0})["version"]:
        copy["records"][record["id"]] = record

try:
    copy = json.load(open(FILE))
except FileNotFoundError:
    # What changes after this number is in the list of changes.
    copy = {"after": get("changes?limit=1&sort=-number")["pagination"]["next_after"], "records": {}}
    offset = 0
    while page := get(f"contacts?limit=100&offset={offset}")["data"]:
        for record in page:
            keep(copy, record)
        offset += 100

more = True
while more:
    page = get(f"changes?types=contact.*&include=resource&limit=100&after={copy['after']}")
    for change in page["data"]:
        keep(copy, change["contact"])
    copy["after"], more = page["pagination"]["next_after"], page["pagination"]["has_more"]

json.dump(copy, open(FILE + ".new", "w"))
os.replace(FILE + ".new", FILE)
