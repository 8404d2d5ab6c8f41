import json, os, re, urllib.request

URL, KEY, FILE = os.environ["URL"], os.environ["KEY"], "contacts-updated-since.json"

def pages(path):
    url = f"{URL}/{path}"
    while url:
        request = urllib.request.Request(url, headers={"X-Api-Key": KEY})
        with urllib.request.urlopen(request) as answer:
            yield json.load(answer)
            following = re.search('<([^>]+)>; rel="next"', answer.headers["Link"])
        url = following and following[1]

try:
    copy = json.load(open(FILE))
except FileNotFoundError:
    copy = {"since": "2020-01-01T00:00:00Z", "records": {}}

for page in pages(f"contacts?limit=100&updated_since={copy['since']}"):
    # Only the first page has it.
    copy["since"] = page["pagination"]["next_updated_since"] or copy["since"]
    for record in page["data"]:
        copy["records"][record["id"]] = record

json.dump(copy, open(FILE + ".new", "w"))
os.replace(FILE + ".new", FILE)
