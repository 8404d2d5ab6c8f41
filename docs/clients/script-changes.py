import json, os, re, urllib.request

URL, KEY, FILE = os.environ["URL"], os.environ["KEY"], "contacts.json"

def pages(path):
    url = f"{URL}/{path}"
    while url:
        request = urllib.request.Request(url, headers={"X-Api-Key": KEY})
        with urllib.request.urlopen(request) as answer:
            yield json.load(answer)
            following = re.search('<([^>]+)>; rel="next"', answer.headers["Link"])
        url = following and following[1]

def keep(copy, record):
    if record["version"] > copy["records"].get(record["id"], {"version": 0})["version"]:
        copy["records"][record["id"]] = record

try:
    copy = json.load(open(FILE))
except FileNotFoundError:
    # What changes after this number is in the list of changes.
    copy = {"after": next(pages("changes?limit=1&sort=-number"))["pagination"]["next_after"], "records": {}}
    for page in pages("contacts?limit=100"):
        for record in page["data"]:
            keep(copy, record)

for page in pages(f"changes?types=contact.*&include=resource&limit=100&after={copy['after']}"):
    for change in page["data"]:
        if change["contact"]:
            keep(copy, change["contact"])
        else:
            copy["records"].pop(change["resource"]["id"], None)
    copy["after"] = page["pagination"]["next_after"]

json.dump(copy, open(FILE + ".new", "w"))
os.replace(FILE + ".new", FILE)
