# Runs a Singer tap once, as a target does: with the state that the run before said last, and the last record of each id.
import json
import os
import subprocess
import sys

name = sys.argv[1]
tap = [sys.executable, name] if name.endswith(".py") else [os.path.join(os.path.dirname(sys.executable), name)]
state = ["--state", "state.json"] if os.path.exists("state.json") else []
said = subprocess.run([*tap, "--config", "config.json", *state], stdout=subprocess.PIPE, check=True).stdout
rows = json.load(open("rows.json")) if os.path.exists("rows.json") else {}
for line in said.splitlines():
    message = json.loads(line)
    if message["type"] == "RECORD":
        record = message["record"]
        if record.get("_sdc_deleted_at"):
            rows.pop(record["id"], None)
        else:
            rows[record["id"]] = record["version"]
    elif message["type"] == "STATE":
        json.dump(message["value"], open("state.json", "w"))
json.dump(rows, open("rows.json", "w"))
