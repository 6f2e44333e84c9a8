"""A response of a function that is too long.

AWS ("Lambda quotas"): a function that is called for its whole response may return 6 MB of it; what is
longer is an error of the call. Streams are not bounded so. The emulator passes on any length.
"""

from ministack.core import lambda_runtime

from .expected import expect

# Lambda's message names this number: 6 MiB and 100 bytes.
MOST_BYTES = 6_291_556

ANSWER = '_realStdoutWrite(JSON.stringify({ status: "ok", result: res }) + "\\n");'
CHECKED = f"""
const responseBytes = Buffer.byteLength(JSON.stringify(res === undefined ? null : res));
if (responseBytes > {MOST_BYTES} && !res[Symbol.for('streamed')]) {{
  _realStdoutWrite(JSON.stringify({{
    status: "error",
    error: "Response payload size exceeded maximum allowed payload size ({MOST_BYTES} bytes).",
    trace: ""
  }}) + "\\n");
}} else {ANSWER}
"""


def apply():
    script = getattr(lambda_runtime, "_NODEJS_WORKER_SCRIPT", "")
    expect(script.count(ANSWER) == 1, "a function of Node answers in another way")
    lambda_runtime._NODEJS_WORKER_SCRIPT = script.replace(ANSWER, CHECKED)
