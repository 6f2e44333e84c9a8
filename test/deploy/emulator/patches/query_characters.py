"""Characters of a query that are not escaped.

AWS ("Amazon API Gateway important notes", of REST APIs): `|`, `{` and `}` must be escaped, and `;`
splits a parameter. The emulator takes all of them. How AWS words its refusal was not seen.
"""

from urllib.parse import parse_qs

from .expected import take


def apply():
    # It is patched by name itself, so that all others must be before it.
    from ministack import app

    execute = take(app, "_handle_execute_api_request")
    address_of = take(app, "_parse_execute_api_url")

    async def execute_as_sent(host, path, method, headers, body, query_params, **raw):
        query = raw.get("raw_query_string") or ""
        if address_of(host, path) is not None:
            if any(character in query for character in "|{}"):
                return 400, {"Content-Type": "text/plain"}, b"Bad Request"
            query_params = parse_qs(query.replace(";", "&"), keep_blank_values=True)
        return await execute(host, path, method, headers, body, query_params, **raw)

    app._handle_execute_api_request = execute_as_sent
