"""Opens files at their addresses by DuckDB with httpfs, of PyPI, and prints as JSON what it found.

Given the address of blocks, and the program of a page.
"""

import json
import sys
from pathlib import Path

import duckdb
import duckdb_extension_httpfs

blocks, program = sys.argv[1:]
connection = duckdb.connect()
[extension] = Path(duckdb_extension_httpfs.__file__).parent.glob("extensions/*/httpfs.duckdb_extension")
connection.execute(f"LOAD '{extension}'")


def ask(query):
    return connection.execute(query).fetchall()


def at(block, extension):
    return f"FROM '{blocks}/{block}.{extension}'"


counts = {
    extension: ask(f"SELECT count(*) {at('business-directory', extension)}")[0][0]
    for extension in ["parquet", "csv", "ndjson", "ndjson.gz"]
}
groups = ask(f"SELECT type_of_business, count(*) {at('business-directory', 'parquet')} GROUP BY 1 ORDER BY 1")
[[joined]] = ask(
    f"SELECT count(*) {at('business-directory', 'parquet')} AS a, '{blocks}/census-neighborhoods.parquet' AS b"
)
print(json.dumps({**counts, "groups": groups, "joined": joined, "program": ask(program)}))
