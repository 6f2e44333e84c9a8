"""Opens files at their addresses, as people do, and prints as JSON what each program found.

Given the address of blocks, and the programs of a page: a JSON object of texts by language.
"""

import contextlib
import io
import json
import sys

import pandas
import polars

blocks, programs = sys.argv[1], json.loads(sys.argv[2])


def at(block, extension):
    return f"{blocks}/{block}.{extension}"


def printed(program):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(program, {})
    return out.getvalue()


def by_polars(block):
    rows = polars.scan_parquet(at(block, "parquet"))
    return {
        "parquet": rows.select(polars.len()).collect().item(),
        "csv": polars.scan_csv(at(block, "csv")).select(polars.len()).collect().item(),
        "ndjson": polars.scan_ndjson(at(block, "ndjson")).select(polars.len()).collect().item(),
        "read_parquet": polars.read_parquet(at(block, "parquet")).height,
        "groups": sorted(rows.group_by("type_of_business").agg(polars.len()).collect().rows()),
    }


def by_pandas(block):
    rows = pandas.read_parquet(at(block, "parquet"))
    return {
        "parquet": len(rows),
        "csv": len(pandas.read_csv(at(block, "csv"))),
        "ndjson": len(pandas.read_json(at(block, "ndjson"), lines=True)),
        "ndjson.gz": len(pandas.read_json(at(block, "ndjson.gz"), lines=True)),
        "groups": sorted(rows.groupby("type_of_business").size().items()),
    }


print(
    json.dumps(
        {
            "polars": by_polars("business-directory"),
            "pandas": by_pandas("business-directory"),
            "printed": {name: printed(text) for name, text in programs.items()},
        }
    )
)
