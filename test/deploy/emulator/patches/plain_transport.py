"""Requests by plain HTTP, with permissions enforced.

AWS: its endpoints speak HTTPS, and the CDK's bucket refuses anything else. The emulator speaks HTTP
to this machine alone, which stands for HTTPS here.
"""

from ministack.core import iam_evaluator

from .expected import take


def apply():
    pin = take(iam_evaluator, "pin_request_origin")
    iam_evaluator.pin_request_origin = lambda source_ip, _is_secure: pin(source_ip, True)
