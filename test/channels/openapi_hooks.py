"""Rules of a request that the document cannot say, for schemathesis: each with its reason."""

import schemathesis


@schemathesis.deserializer(
    "application/vnd.apache.parquet",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
)
def text_of_bytes(context, response):
    """A schema says no more of a binary file than that it has bytes."""
    return response.content.decode("latin-1")


@schemathesis.hook
def map_case(context, case):
    """Makes a case what it was meant to be: a valid one, or an invalid one."""
    if case.meta is not None and case.operation.path.startswith("/blocks/") and is_in_full(case):
        change = made_valid if case.meta.generation.mode.is_positive else kept_invalid
        for place in ("query", "body"):
            given = getattr(case, place)
            if isinstance(given, dict):
                changed = change(dict(given), case, place)
                if changed != given:
                    setattr(case, place, changed)
    # Words have a letter or a digit.
    query = case.query
    if case.meta is not None and case.operation.path == "/blocks" and isinstance(query, dict):
        if case.meta.generation.mode.is_positive and not has_words(query.get("q")):
            case.query = {name: value for name, value in query.items() if name != "q"}
    return case


def is_in_full(case):
    """Whether the operation takes a block's arguments, and the document has all of them."""
    name = case.operation.path.removeprefix("/blocks/")
    return f"{name}.arguments" in case.operation.schema.raw_schema["components"]["schemas"]


def has_words(text):
    return any(character.isalnum() for character in str(text))


@schemathesis.hook
def filter_failure(context, failure, case, response):
    if type(failure).__name__ not in ("AcceptedNegativeData", "RejectedPositiveData"):
        return True
    # How many bytes a request may have is no rule of a schema.
    if response.status_code in (413, 431):
        return False
    # A body of white space is read as none, whatever its type.
    body = response.request.body
    return not body or bool(body.strip())


def made_valid(given, case, place):
    # Its members are of the columns of the groups that are asked for, which no schema knows.
    given.pop("_having", None)
    # A cursor is what an earlier answer gave: none can be made up.
    given.pop("_cursor", None)
    # They are for one format alone, which the other place may name.
    given.pop("_raw", None)
    given.pop("_bom", None)
    with_counts_or_format(given, case, place)
    # A distance is one from a place.
    if not is_given(given.get("_near")):
        given.pop("_within", None)
    for name in ("_bbox", "_frame"):
        if name in given:
            given[name] = south_first(given[name])
    with_two_numbers(given, case)
    for name, most in MOST_MEMBERS.items():
        if isinstance(given.get(name), list):
            given[name] = first_given(given[name], most)
    # Words have a letter or a digit.
    if not has_words(given.get("_q")):
        given.pop("_q", None)
    without_columns_of_others(given, case)
    schemas = schemas_of(case)
    for name in given.keys() & schemas.keys():
        given[name] = within_bounds(given[name], schemas[name])
    negated = given.get("_not")
    if isinstance(negated, dict):
        given["_not"] = {
            name: within_bounds(value, schemas.get(name, {})) for name, value in negated.items()
        }
    without_conflicts(given)
    # Two numbers cannot be compared.
    for high, schema in schemas.items():
        put_in_order(given, schema.get("x-not-below"), high)
    # A query's parameters cannot depend on each other: all that are needed, or none at all.
    if place == "query" and given:
        for name in needed(case):
            given.setdefault(name, 0)
    if is_given(given.get("_or")):
        given["_or"] = alternatives_of(given, case) or None
    return given


OF_OTHER_QUESTIONS = ("_group", "_measure", "_sort", "_fields", "_limit", "_view", "_mark", "_format")


def with_two_numbers(given, case):
    """Two columns of numbers, beside nothing that asks for another answer: no schema knows both."""
    numbers = [name for name in columns_of(case) if f"{name}_min" in schemas_of(case)]
    if "_xy" in given and case.operation.method.upper() == "GET" and len(numbers) > 1:
        given["_xy"] = numbers[:2]
        for name in OF_OTHER_QUESTIONS:
            given.pop(name, None)
        return
    for name in ("_xy", "_scale", "_medians"):
        given.pop(name, None)


# Blank members of a list in a query are none, so a schema cannot bound those that are some.
MOST_MEMBERS = {"_sort": 2, "_group": 3, "_measure": 8, "_facets": 8}


def first_given(members, most):
    some = [member for member in members if str(member or "").strip()]
    return some[:most] or members


def with_counts_or_format(given, case, place):
    """Most formats have no place for counts: one of the two goes, now this, now that."""
    if "_facets" not in given:
        return
    # Of the texts that its pattern allows, only blank ones are made.
    if not is_given(given["_facets"]) and len(given) % 2:
        given["_facets"] = columns_of(case)[:2]
    if len(given) % 3:
        given.pop("_format", None)
    other = getattr(case, "body" if place == "query" else "query")
    for arguments in (given, other if isinstance(other, dict) else {}):
        if str(arguments.get("_format") or "").strip().lower() not in ("", "json", "html"):
            given.pop("_facets", None)


def is_given(value):
    return any(str(member or "").strip() for member in (value if isinstance(value, list) else [value]))


def south_first(box):
    sides = box.split(",") if isinstance(box, str) else box
    if not isinstance(sides, list) or len(sides) != 4:
        return box
    west, south, east, north = sides
    if None not in (decimal(south), decimal(north)) and decimal(south) > decimal(north):
        sides = [west, north, east, south]
    return ",".join(sides) if isinstance(box, str) else sides


def alternatives_of(given, case):
    """What an alternative takes is more than its schema says: each is one of the filters beside them."""
    filters = [name for column in columns_of(case) for name in (column, f"{column}_min", f"{column}_max")]
    return [{name: given[name]} for name in filters if name in given][:4]


def without_columns_of_others(given, case):
    """Groups have other columns than rows, and no place; which of them are asked for, the other place may say."""
    if case.operation.method.upper() != "GET":
        for name in ("_group", "_measure"):
            given.pop(name, None)
    if "_group" in given or "_measure" in given:
        for name in ("_sort", "_fields", "_format"):
            given.pop(name, None)
    known = {name.casefold() for name in columns_of(case)}
    for name in ("_sort", "_fields"):
        if any(word.lstrip("-").casefold() not in known for word in words_of(given.get(name)) if word):
            given.pop(name, None)


def columns_of(case):
    """The fields of a block's rows, or the members of its value."""
    properties = arguments_of(case)["properties"]
    sort = resolved(case, properties.get("_sort", {"anyOf": []}))
    return [name for schema in sort["anyOf"] for name in schema.get("enum", []) if name[0] != "-"]


def kept_invalid(given, case, place):
    # One value among the others turns the refusal of unknown names off.
    if str(given.get("_handling")).strip().lower() == "lenient":
        del given["_handling"]
    # Alternatives that are entirely blank count as absent, so too many of them are none.
    alternatives = given.get("_or")
    if isinstance(alternatives, list) and len(alternatives) > 4:
        given["_or"] = [{"x": 1} if isinstance(one, dict) else one for one in alternatives]
    # They are refused with all formats but one, whatever the others are.
    for name in ("_raw", "_bom"):
        if str(given.get(name)).strip().lower() in ("true", "1", "1.0", "yes"):
            del given[name]
    return given


def within_bounds(value, schema):
    if isinstance(value, list):
        return [within_bounds(member, schema) for member in value]
    number = decimal(value)
    if number is None:
        return value
    first = schema.get("anyOf", [schema])[0]
    types = first.get("type", [])
    # A choice, or an object.
    if types not in ("number", "integer"):
        # A number for a text is compared by its digits: their count is bounded, not the number.
        is_text = "string" in types and not isinstance(value, str)
        return (value if number == 0 or 1e-200 < abs(number) < 1e200 else 0) if is_text else value
    # The bounds of a number do not hold for the same number as text.
    if types == "integer" and "minimum" in first and isinstance(value, str):
        is_within = first["minimum"] <= number <= first["maximum"] and number == int(number)
        return value if is_within else str(first["minimum"])
    return value


def without_conflicts(given):
    """Leaves out filters that exclude each other, or that are given in two places."""
    negated = given.get("_not")
    if isinstance(negated, dict):
        for name in negated:
            given.pop(f"_not.{name}", None)
    empty = words_of(given.get("_empty"))
    if empty:
        given.pop("_filled", None)
        for name in empty:
            for parameter in (name, f"{name}_min", f"{name}_max"):
                given.pop(parameter, None)


def words_of(value):
    texts = value if isinstance(value, list) else [value]
    return [word.strip() for text in texts if isinstance(text, str) for word in text.split(",")]


def put_in_order(given, low, high):
    if low in given and high in given:
        bottom, top = decimal(given[low]), decimal(given[high])
        if bottom is not None and top is not None and bottom > top:
            given[low], given[high] = given[high], given[low]


def decimal(value):
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def schemas_of(case):
    """The schemas of the block's arguments, by name."""
    properties = arguments_of(case)["properties"]
    return {name: resolved(case, schema) for name, schema in properties.items()}


def resolved(case, schema):
    """A schema beside whose reference stand its title and its description."""
    if "$ref" not in schema:
        return schema
    name = schema["$ref"].removeprefix("#/components/schemas/")
    found = case.operation.schema.raw_schema["components"]["schemas"][name]
    return {**found, **{key: value for key, value in schema.items() if key != "$ref"}}


def needed(case):
    return arguments_of(case).get("required", [])


def arguments_of(case):
    name = case.operation.path.removeprefix("/blocks/")
    return case.operation.schema.raw_schema["components"]["schemas"][f"{name}.arguments"]
