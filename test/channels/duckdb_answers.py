"""Answers questions in SQL by DuckDB: [file, SQL] pairs as JSON from standard input, each SQL over a table `file`."""

import json
import sys

import duckdb


def answer(path, sql):
    connection = duckdb.connect()
    reader = "read_json_auto" if path.endswith(".json") else "read_csv_auto"
    # No parameters in a view's definition.
    connection.execute(f"CREATE TABLE file AS SELECT * FROM {reader}('{path}')")
    return list(connection.execute(sql).fetchone())


print(json.dumps([answer(*each) for each in json.load(sys.stdin)]))
