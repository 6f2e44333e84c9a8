"""Reads the Parquet files at some addresses by each program that people use, and prints the types and rows of each as JSON.

Times are milliseconds since 1970, by each reader's own reckoning, and places are GeoJSON.
"""

import json
import sys
import tempfile
from datetime import date, datetime, timezone
from urllib.request import urlopen

import duckdb
import geopandas
import pandas
import polars
import pyarrow.parquet
import shapely


def plain(value):
    if isinstance(value, bytes):
        return shape(shapely.from_wkb(value))
    if pandas.isna(value):
        return None
    if isinstance(value, datetime):
        known = value if value.tzinfo else value.replace(tzinfo=timezone.utc)
        return round(known.timestamp() * 1000)
    if isinstance(value, date):
        return value.isoformat()
    return value


def shape(value):
    return None if value is None else json.loads(shapely.to_geojson(value))


def by_duckdb(path):
    types = dict(duckdb.execute("SELECT name, type FROM (DESCRIBE FROM read_parquet(?)) AS t(name, type, a, b, c, d)", [path]).fetchall())
    written = {"TIMESTAMP": 'epoch_ms("{}")', "GEOMETRY": '"{}"::VARCHAR'}
    columns = [
        next((form for start, form in written.items() if kind.startswith(start)), '"{}"').format(name)
        for name, kind in types.items()
    ]
    found = duckdb.execute(f"SELECT {', '.join(columns)} FROM read_parquet(?)", [path])
    rows = [dict(zip(types, map(plain, row))) for row in found.fetchall()]
    for name in [name for name, kind in types.items() if kind.startswith("GEOMETRY")]:
        for row in rows:
            row[name] = shape(shapely.from_wkt(row[name]))
    return {"types": types, "rows": rows}


def by_pandas(path):
    frame = pandas.read_parquet(path)
    types = {name: str(kind) for name, kind in frame.dtypes.items()}
    return {"types": types, "rows": plain_rows(frame.astype(object).to_dict("records"))}


def by_polars(path):
    # As people read it where it lies: the fields of the file first.
    frame = polars.scan_parquet(path).collect()
    types = {name: str(kind) for name, kind in frame.schema.items()}
    return {"types": types, "rows": plain_rows(frame.to_dicts())}


def by_pyarrow(path):
    table = pyarrow.parquet.read_table(path)
    types = {field.name: str(field.type) for field in table.schema}
    return {"types": types, "rows": plain_rows(table.to_pylist())}


def by_geopandas(path):
    if b"geo" not in (pyarrow.parquet.read_schema(path).metadata or {}):
        return None
    frame = geopandas.read_parquet(path)
    box = None if frame.geometry.isna().all() else [float(end) for end in frame.total_bounds]
    return {"crs": str(frame.crs), "box": box, "shapes": [shape(one) for one in frame.geometry]}


def plain_rows(rows):
    return [{name: plain(value) for name, value in row.items()} for row in rows]


READERS = [by_duckdb, by_pandas, by_polars, by_pyarrow, by_geopandas]


def by_all(address):
    with urlopen(address) as answer, tempfile.NamedTemporaryFile(suffix=".parquet") as file:
        file.write(answer.read())
        file.flush()
        return {read.__name__.removeprefix("by_"): read(file.name) for read in READERS}


print(json.dumps({address: by_all(address) for address in sys.argv[1:]}))
