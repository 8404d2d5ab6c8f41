import os

import dlt
from dlt.sources.rest_api import rest_api_source

source = rest_api_source({
    "client": {
        "base_url": os.environ["URL"] + "/",
        "auth": {"type": "api_key", "name": "X-Api-Key", "api_key": os.environ["KEY"]},
    },
    "resources": [{
        "name": "changes",
        "primary_key": "resource__id",
        "write_disposition": "merge",
        "columns": {
            "number": {"dedup_sort": "desc"},
            "contact__address": {"data_type": "json"},
            "contact__custom_fields": {"data_type": "json"},
        },
        "processing_steps": [{"map": lambda change: {**change, "deleted": change["contact"] is None}}],
        "endpoint": {
            "path": "changes",
            "params": {"include": "resource", "types": "contact.*", "limit": 100},
            "data_selector": "data",
            "paginator": {
                "type": "cursor",
                "cursor_path": "pagination.next_after",
                "cursor_param": "after",
                "has_more_path": "pagination.has_more",
            },
            "incremental": {
                "cursor_path": "number",
                "initial_value": int(os.environ["START"]),
                "start_param": "after",
                "primary_key": "number",
            },
        },
    }],
})
pipeline = dlt.pipeline("changes", destination="duckdb", dataset_name="crm")
print(pipeline.run(source))
