import os

import dlt
from dlt.sources.rest_api import rest_api_source

source = rest_api_source({
    "client": {
        "base_url": os.environ["URL"] + "/",
        "auth": {"type": "api_key", "name": "X-Api-Key", "api_key": os.environ["KEY"]},
    },
    "resources": [{
        "name": "contacts",
        "primary_key": "id",
        "write_disposition": "merge",
        "columns": {
            "version": {"dedup_sort": "desc"},
            "address": {"data_type": "json"},
            "custom_fields": {"data_type": "json"},
        },
        "endpoint": {
            "path": "contacts",
            "params": {"limit": 100},
            "data_selector": "data",
            "paginator": {"type": "header_link"},
            "incremental": {
                "cursor_path": "updated_at",
                "initial_value": "2020-01-01T00:00:00.000Z",
                "start_param": "updated_since",
                "lag": 120,
            },
        },
    }],
})
pipeline = dlt.pipeline("contacts", destination="duckdb", dataset_name="crm")
print(pipeline.run(source))
