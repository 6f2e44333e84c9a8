"""Permission to ask for one alias.

AWS: a GET of `/functions/<name>/aliases/<alias>` wants permission for GetAlias. The emulator wants it for
ListAliases.
"""

from ministack.core import iam_actions

from .expected import expect, take


def apply():
    action_of = take(iam_actions, "_lambda_action")
    one = "/2015-03-31/functions/f/aliases/live"
    expect(action_of("GET", one) == "ListAliases", "it knows the action of one alias")

    def action_of_alias(method, path):
        action = action_of(method, path)
        is_one = path.rstrip("/").split("/")[-2:-1] == ["aliases"]
        return "GetAlias" if action == "ListAliases" and is_one else action

    iam_actions._lambda_action = action_of_alias
