"""Asks one question of files at their addresses, by one tool, and prints its answer and the seconds as JSON.

Given the tool, the question, the address of blocks, the day and the box (west, south, east, north) as JSON.
"""

import json
import sys
import time
from datetime import date
from pathlib import Path

TOOL, QUESTION, BLOCKS, asked = sys.argv[1:]
REQUESTS, DISTRICTS = f"{BLOCKS}/requests.parquet", f"{BLOCKS}/districts.parquet"
DAY, BOX = json.loads(asked)
DATE = date.fromisoformat(DAY)


def within(shapes):
    """How many of the shapes, as WKB, are points in the box."""
    import shapely

    points = shapely.from_wkb(shapes)
    x, y = shapely.get_x(points), shapely.get_y(points)
    west, south, east, north = BOX
    return int(((x > west) & (x < east) & (y > south) & (y < north)).sum())


def duckdb():
    import duckdb
    import duckdb_extension_httpfs
    import duckdb_extension_spatial

    connection = duckdb.connect()
    for package in [duckdb_extension_httpfs, duckdb_extension_spatial]:
        [extension] = Path(package.__file__).parent.glob("extensions/*/*.duckdb_extension")
        connection.execute(f"LOAD '{extension}'")
    box = ", ".join(map(str, BOX))
    queries = {
        "open": f"SELECT count(*) FROM (DESCRIBE FROM '{REQUESTS}')",
        "count": f"SELECT count(*) FROM '{REQUESTS}'",
        "sum by group": f"SELECT agency, CAST(sum(units) AS BIGINT) FROM '{REQUESTS}' GROUP BY 1 ORDER BY 1",
        "one day": f"SELECT CAST(sum(units) AS BIGINT) FROM '{REQUESTS}' WHERE day = DATE '{DAY}'",
        "join": f"SELECT region, count(*) FROM '{REQUESTS}' JOIN '{DISTRICTS}' USING (district) GROUP BY 1 ORDER BY 1",
        "geometry": f"SELECT count(*) FROM '{REQUESTS}' WHERE ST_Within(geometry, ST_MakeEnvelope({box}))",
    }

    def ask():
        rows = connection.execute(queries[QUESTION]).fetchall()
        return rows if len(rows[0]) > 1 else rows[0][0]

    return ask


def polars(of):
    import polars

    def ask():
        rows = of(polars, REQUESTS)
        match QUESTION:
            case "open":
                return len(rows.collect_schema())
            case "count":
                return rows.select(polars.len()).collect().item()
            case "sum by group":
                return rows.group_by("agency").agg(polars.col("units").sum()).sort("agency").collect().rows()
            case "one day":
                return rows.filter(polars.col("day") == DATE).select(polars.col("units").sum()).collect().item()
            case "join":
                joined = rows.join(of(polars, DISTRICTS), on="district")
                return joined.group_by("region").agg(polars.len()).sort("region").collect().rows()
            case "geometry":
                return within(rows.select("geometry").collect().to_series().to_list())

    return ask


def pyarrow():
    import fsspec
    import pyarrow.dataset

    def ask():
        files = fsspec.filesystem("http")
        rows, districts = (pyarrow.dataset.dataset(at, filesystem=files) for at in [REQUESTS, DISTRICTS])
        match QUESTION:
            case "open":
                return len(rows.schema.names)
            case "count":
                return rows.count_rows()
            case "sum by group":
                table = rows.to_table(["agency", "units"]).group_by("agency").aggregate([("units", "sum")])
                return sorted(zip(*(column.to_pylist() for column in table.columns), strict=True))
            case "one day":
                day = pyarrow.dataset.field("day") == DATE
                return sum(rows.to_table(["units"], filter=day)["units"].to_pylist())
            case "join":
                joined = rows.to_table(["district"]).join(districts.to_table(), "district")
                table = joined.group_by("region").aggregate([("district", "count")])
                return sorted(zip(*(column.to_pylist() for column in table.columns), strict=True))
            case "geometry":
                return within(rows.to_table(["geometry"])["geometry"].to_pylist())

    return ask


def pandas(package):
    read = __import__(package).read_parquet

    def ask():
        rows = read(REQUESTS)
        match QUESTION:
            case "open":
                return len(rows.columns)
            case "count":
                return len(rows)
            case "sum by group":
                return [[key, int(value)] for key, value in rows.groupby("agency")["units"].sum().items()]
            case "one day":
                return int(rows[rows["day"] == DATE]["units"].sum())
            case "join":
                districts = __import__("pandas").read_parquet(DISTRICTS)
                return list(rows.merge(districts, on="district").groupby("region").size().items())
            case "geometry" if package == "geopandas":
                west, south, east, north = BOX
                return len(rows.cx[west:east, south:north])
            case "geometry":
                return within(rows["geometry"])

    return ask


TOOLS = {
    "DuckDB": duckdb,
    "Polars, scan_parquet": lambda: polars(lambda polars, at: polars.scan_parquet(at)),
    "Polars, read_parquet": lambda: polars(lambda polars, at: polars.read_parquet(at).lazy()),
    "pyarrow": pyarrow,
    "pandas": lambda: pandas("pandas"),
    "geopandas": lambda: pandas("geopandas"),
}

ask = TOOLS[TOOL]()
began = time.perf_counter()
answer = ask()
print(json.dumps({"answer": answer, "seconds": time.perf_counter() - began}))
