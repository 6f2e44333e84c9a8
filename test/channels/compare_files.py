"""Compares the files of blocks, read by pyarrow and openpyxl, with their answers by JSON.

Given the address of blocks, and names of blocks. Prints a JSON object: for each block its number of
rows, and what differs.
"""

import datetime
import io
import json
import sys
import urllib.parse
import urllib.request

import openpyxl
import pyarrow.parquet
from openpyxl.utils.escape import unescape

blocks, names = sys.argv[1], sys.argv[2:]


def bytes_at(below):
    with urllib.request.urlopen(f"{blocks}/{below}") as answer:
        return answer.read()


def rows_of(name):
    rows, cursor = [], ""
    while cursor is not None:
        page = json.loads(bytes_at(f"{name}?_limit=50&_cursor={urllib.parse.quote(cursor)}"))["params"]
        rows += page["results"]
        cursor = page["next"]
    return rows


def time_of(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def is_same(value, found):
    """Whether a value of JSON is what a program read, with its type."""
    if value is None or isinstance(value, bool):
        return found is value
    if isinstance(value, (int, float)):
        # Excel has 15 digits: a longer number is a text.
        found = float(found) if isinstance(found, str) else found
        return not isinstance(found, bool) and float(found) == float(value)
    if isinstance(found, datetime.datetime):
        time = time_of(value)
        # A sheet has the time of the clock that the value names; a day is the time at its beginning.
        time = time if found.tzinfo else time.replace(tzinfo=None)
        return abs(time - found) < datetime.timedelta(milliseconds=0.5)
    if isinstance(found, datetime.date):
        return found.isoformat() == value
    return found == value


def differences(rows, found):
    if len(rows) != len(found):
        return [f"{len(found)} rows of {len(rows)}"]
    return [
        f"row {i}, {name}: {other!r}, not {value!r}"
        for i, (row, cells) in enumerate(zip(rows, found))
        for (name, value), other in zip(row.items(), cells, strict=True)
        if not is_same(value, other)
    ]


def parquet_rows(content, columns):
    table = pyarrow.parquet.read_table(io.BytesIO(content))
    return list(zip(*(table.column(name).to_pylist() for name in columns)))


def sheet_rows(content):
    sheet = openpyxl.load_workbook(io.BytesIO(content)).worksheets[0]
    # openpyxl leaves the escapes of ISO 29500 (ST_Xstring) to its callers.
    return [
        [unescape(cell) if isinstance(cell, str) else cell for cell in cells]
        for cells in sheet.iter_rows(min_row=2, values_only=True)
    ]


compared = {}
for name in names:
    rows = rows_of(name)
    compared[name] = {
        "rows": len(rows),
        "parquet": differences(rows, parquet_rows(bytes_at(f"{name}.parquet"), rows[0]))[:3],
        "xlsx": differences(rows, sheet_rows(bytes_at(f"{name}.xlsx")))[:3],
    }
print(json.dumps(compared))
