"""What a query has read.

AWS: the sizes of the items that it looked at, summed, in units of 4 KB, half of that where the read
is eventually consistent. The emulator says 0.5, whatever was read.
"""

from contextvars import ContextVar
from math import ceil

from ministack.services import dynamodb

from .expected import take

UNIT_BYTES = 4096

looked_at_bytes = ContextVar("looked_at_bytes", default=0)


def apply():
    paginate = take(dynamodb, "_paginate_evaluated_items")
    add = take(dynamodb, "_add_consumed_capacity")
    size_of = take(dynamodb, "_item_size_bytes")

    def paginate_and_weigh(*args, **kwargs):
        page, has_more = paginate(*args, **kwargs)
        looked_at_bytes.set(sum(map(size_of, page)))
        return page, has_more

    def add_what_was_read(result, data, *args, **kwargs):
        add(result, data, *args, **kwargs)
        consumed = result.get("ConsumedCapacity")
        if consumed is not None and "ScannedCount" in result:
            units = max(1, ceil(looked_at_bytes.get() / UNIT_BYTES))
            consumed["CapacityUnits"] = units if data.get("ConsistentRead") else units / 2

    dynamodb._paginate_evaluated_items = paginate_and_weigh
    dynamodb._add_consumed_capacity = add_what_was_read
