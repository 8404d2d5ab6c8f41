# Runs a manifest of Airbyte's low-code CDK once, as a platform does: with its state, and the rows by their ids. The files are
# the manifest, its config, and the rows and the state that the last run left.
import json
import logging
import os
import sys

import yaml
from airbyte_cdk.models import AirbyteStateMessageSerializer, ConfiguredAirbyteCatalogSerializer
from airbyte_cdk.sources.declarative.concurrent_declarative_source import ConcurrentDeclarativeSource
from orjson import dumps, loads


def read(name, default):
    return json.load(open(name)) if os.path.exists(name) else default


manifest = yaml.safe_load(open("manifest.yaml"))
config = read("config.json", {})
state = [AirbyteStateMessageSerializer.load(one) for one in read("state.json", [])]
stream = manifest["streams"][0]["name"]
catalog = ConfiguredAirbyteCatalogSerializer.load({"streams": [{
    "stream": {"name": stream, "json_schema": {}, "supported_sync_modes": ["full_refresh", "incremental"]},
    "sync_mode": "incremental",
    "destination_sync_mode": "append_dedup",
}]})
source = ConcurrentDeclarativeSource(catalog=catalog, config=config, state=state, source_config=manifest)
# The form of the config, which Airbyte shows.
form = source.spec(logging.getLogger("airbyte")).connectionSpecification
assert sorted(form["required"]) == sorted(config), form
rows = read("rows.json", {})
last = None
for message in source.read(logging.getLogger("airbyte"), config, catalog, state):
    if message.record:
        change = message.record.data
        record = change.get("contact", change)
        if record:
            rows[record["id"]] = max(record["version"], rows.get(record["id"], 0))
        else:
            rows.pop(change["resource"]["id"], None)
    elif message.state:
        last = loads(dumps(AirbyteStateMessageSerializer.dump(message.state)))
json.dump(rows, open("rows.json", "w"))
if last:
    json.dump([last], open("state.json", "w"))
