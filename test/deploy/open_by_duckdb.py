"""Opens files of a deployed block by DuckDB with httpfs, and prints what it found as JSON.

Given the address of blocks.
"""

import json
import sys
from pathlib import Path

import duckdb
import duckdb_extension_httpfs

[blocks] = sys.argv[1:]
connection = duckdb.connect()
[extension] = Path(duckdb_extension_httpfs.__file__).parent.glob("extensions/*/httpfs.duckdb_extension")
connection.execute(f"LOAD '{extension}'")


def found(kind):
    query = f"SELECT count(*), CAST(sum(number) AS BIGINT), max(length(text)) FROM '{blocks}/long.{kind}'"
    return connection.execute(query).fetchone()


print(json.dumps({kind: found(kind) for kind in ["parquet", "csv"]}))
