"""Reads the Parquet files at some addresses by DuckDB and by pandas, and prints the types and rows of each as JSON.

Times are milliseconds since 1970, by each reader's own reckoning.
"""

import json
import sys
import tempfile
from datetime import date
from urllib.request import urlopen

import duckdb
import pandas


def plain(value):
    if isinstance(value, date):
        return value.isoformat()
    return None if pandas.isna(value) else value


def by_duckdb(path):
    types = dict(duckdb.execute("SELECT name, type FROM (DESCRIBE FROM read_parquet(?)) AS t(name, type, a, b, c, d)", [path]).fetchall())
    columns = [
        f'epoch_ms("{name}")' if kind.startswith("TIMESTAMP") else f'"{name}"'
        for name, kind in types.items()
    ]
    found = duckdb.execute(f"SELECT {', '.join(columns)} FROM read_parquet(?)", [path])
    rows = [dict(zip(types, map(plain, row))) for row in found.fetchall()]
    return {"types": types, "rows": rows}


def by_pandas(path):
    frame = pandas.read_parquet(path)
    types = {name: str(kind) for name, kind in frame.dtypes.items()}
    for name, kind in types.items():
        if kind.startswith("datetime64"):
            milliseconds = frame[name].dt.as_unit("ms").astype("int64").astype(object)
            frame[name] = milliseconds.where(frame[name].notna(), None)
    rows = [{name: plain(value) for name, value in row.items()} for row in frame.to_dict("records")]
    return {"types": types, "rows": rows}


def by_both(address):
    with urlopen(address) as answer, tempfile.NamedTemporaryFile(suffix=".parquet") as file:
        file.write(answer.read())
        file.flush()
        return {"duckdb": by_duckdb(file.name), "pandas": by_pandas(file.name)}


print(json.dumps({address: by_both(address) for address in sys.argv[1:]}))
