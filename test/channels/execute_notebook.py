"""Runs a notebook against a service, and prints what its cells print, and its rows, as JSON."""

import json
import sys

import nbformat
from nbclient import NotebookClient

path, shown_url, url = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    notebook = nbformat.reads(file.read().replace(shown_url, url), as_version=4)
nbformat.validate(notebook)
# `to_json` would round.
notebook.cells.append(nbformat.v4.new_code_cell(
    "print(json.dumps(rows.astype(object).where(rows.notna(), None).to_dict('records')))"
))
NotebookClient(notebook, timeout=600).execute()


def shown(output):
    return output["text"] if output.output_type == "stream" else output["data"]["text/plain"]


cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
print(json.dumps(["".join(map(shown, cell.outputs)) for cell in cells]))
