"""Validates a Data Package by its address, and prints its rows as JSON."""

import json
import sys
from datetime import date
from decimal import Decimal

from frictionless import Package

package = Package(sys.argv[1])
report = package.validate()


def plain(value):
    if isinstance(value, Decimal):
        return float(value)
    return value.isoformat() if isinstance(value, date) else value


with package.resources[0] as resource:
    rows = [{name: plain(value) for name, value in row.items()} for row in resource.row_stream]
errors = [error.message for task in report.tasks for error in task.errors]
print(json.dumps({"valid": report.valid, "errors": [*map(str, report.errors), *errors], "rows": rows}))
