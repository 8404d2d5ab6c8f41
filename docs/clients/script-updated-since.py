import json, os, urllib.request

URL, KEY, FILE = os.environ["URL"], os.environ["KEY"], "contacts-updated-since.json"

def get(path):
    request = urllib.request.Request(f"{URL}/{path}", headers={"X-Api-Key": KEY})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)

try:
    copy = json.load(open(FILE))
except FileNotFoundError:
    copy = {"since": "2020-01-01T00:00:00Z", "records": {}}

path = f"contacts?limit=100&updated_since={copy['since']}"
page = get(path)
copy["since"] = page["pagination"]["next_updated_since"]
while page["data"]:
    for record in page["data"]:
        copy["records"][record["id"]] = record
    page = get(f"{path}&after={page['data'][-1]['id']}")

json.dump(copy, open(FILE + ".new", "w"))
os.replace(FILE + ".new", FILE)
