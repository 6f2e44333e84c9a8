"""An alarm of an expression over metrics.

AWS: `Metrics` has the expression and what it names; one of them, and no more, returns data. The
emulator refuses it. Its alarms never ring, so that it may keep the first metric's names.
"""

from ministack.services.cloudformation import provisioners

from .expected import take


def apply():
    record = take(provisioners, "_cw_metric_alarm_record")

    def record_of_any(name, props):
        metrics = props.get("Metrics")
        if not metrics:
            return record(name, props)
        # A query that says nothing of it returns data.
        if [str(one.get("ReturnData", True)).lower() for one in metrics].count("true") != 1:
            raise ValueError("Exactly one element of the metrics list should return data.")
        first = next(one["MetricStat"]["Metric"] for one in metrics if "MetricStat" in one)
        of_one = {key: value for key, value in props.items() if key != "Metrics"}
        return record(name, {**of_one, **first})

    provisioners._cw_metric_alarm_record = record_of_any
